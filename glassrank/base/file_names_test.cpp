#include "glassrank/base/file_names.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

using Names = std::vector<std::string>;

TEST(NamesOfFiles, AreWithoutFolderAndEndings) {
  EXPECT_EQ(names_of_files(Names{"results/bm25.run.gz", "a.txt", "plain"}),
            (Names{"bm25", "a", "plain"}));
}

TEST(NamesOfFiles, AreWholePathsWhereTheyWouldBeEqual) {
  EXPECT_EQ(names_of_files(Names{"a/m.txt", "b/m.json", "c.txt"}),
            (Names{"a/m.txt", "b/m.json", "c"}));
}

}  // namespace
}  // namespace glassrank
