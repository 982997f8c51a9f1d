#include "glassrank/base/output_file.h"

#include <filesystem>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

class OutputFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("output_file_" + std::to_string(::getpid()));
};

TEST_F(OutputFile, OneThatCannotBeWrittenIsRefusedAndNothingIsLeft) {
  refuse_unwritable(path("new.txt"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_EQ(message_of([&] { refuse_unwritable(path("none/new.txt")); }),
            "cannot write '" + path("none/new.txt") + "': No such file or directory");
  EXPECT_EQ(message_of([&] { refuse_unwritable(folder_.string()); }),
            "cannot write '" + folder_.string() + "': Is a directory");
}

TEST_F(OutputFile, RegularOrNewIsNoFolderAndNoDevice) {
  EXPECT_TRUE(is_regular_or_new(path("new.txt")));
  write_text_file(path("old.txt"), "");
  EXPECT_TRUE(is_regular_or_new(path("old.txt")));
  EXPECT_FALSE(is_regular_or_new(folder_.string()));
  EXPECT_FALSE(is_regular_or_new("/dev/null"));
}

TEST_F(OutputFile, TextsThatBelongTogetherAppearTogether) {
  write_text_files({{{path("a"), "1"}, {"", "not wanted"}, {path("b"), "2"}}});
  EXPECT_EQ(read_text_file(path("a")), "1");
  EXPECT_EQ(read_text_file(path("b")), "2");
  EXPECT_NE(message_of([&] { write_text_files({{{path("a"), "3"}, {path("none/b"), "4"}}}); }), "");
  EXPECT_EQ(read_text_file(path("a")), "1");
}

}  // namespace
}  // namespace glassrank
