#include "glassrank/base/text_columns.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(TextColumns, AlignsColumnsOnTheWidestCell) {
  TextColumns table;
  table.add({"name", "n", "note"});
  table.add({"a", "1000", ""});
  table.add({"größte", "2"});
  EXPECT_EQ(table.text(),
            "name    n     note\n"
            "a       1000\n"
            "größte  2\n");
}

TEST(TextColumns, SetsColumnsOfNumbersToTheRight) {
  TextColumns table;
  table.align_right(1);
  table.add({"name", "n", "note"});
  table.add({"a", "1000", "x"});
  table.add({"größte", "2"});
  EXPECT_EQ(table.text(),
            "name       n  note\n"
            "a       1000  x\n"
            "größte     2\n");
}

TEST(TextColumns, OfNothingIsEmpty) { EXPECT_EQ(TextColumns().text(), ""); }

TEST(TextBar, IsAsLongAsItsShareOfTheLargest) {
  EXPECT_EQ(text_bar(4, 4), "####################");
  EXPECT_EQ(text_bar(1, 4, '+'), "+++++");
  EXPECT_EQ(text_bar(-1, 4), "");
  EXPECT_EQ(text_bar(0, 0), "");
}

TEST(TableCell, HasNoTabsAndLineEnds) {
  EXPECT_EQ(table_cell("a\tb\r\nc d"), "a b  c d");
  EXPECT_EQ(table_cell(""), "");
}

}  // namespace
}  // namespace glassrank
