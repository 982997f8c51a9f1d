#include "glassrank/base/trim.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(TrimBlanks, TakesThemFromBothEndsOnly) {
  EXPECT_EQ(trim_blanks(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim_blanks("a"), "a");
  EXPECT_EQ(trim_blanks(" \r\n\t"), "");
  EXPECT_EQ(trim_blanks(""), "");
}

TEST(WithoutBrackets, TakesOnePairThatOpensAndCloses) {
  EXPECT_EQ(without_brackets(" [ a, b ] "), "a, b");
  EXPECT_EQ(without_brackets("(a)"), "a");
  EXPECT_EQ(without_brackets("[[a]]"), "[a]");
  EXPECT_EQ(without_brackets("[]"), "");
  EXPECT_EQ(without_brackets("[a)"), "[a)");
  EXPECT_EQ(without_brackets("["), "[");
  EXPECT_EQ(without_brackets(" a "), "a");
}

}  // namespace
}  // namespace glassrank
