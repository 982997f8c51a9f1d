#include "glassrank/base/mapped_file.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"

namespace glassrank {
namespace {

TEST(MappedFile, ShowsTheBytesAlsoAfterTheyWereReleased) {
  const std::string path = std::filesystem::path(testing::TempDir()) / "mapped_file_test";
  const std::string text(20000, 'x');
  write_text_file(path, text);
  const MappedFile file(path);
  file.release(0, text.size());
  EXPECT_EQ(std::string_view(file.bytes().data(), file.bytes().size()), text);
  write_text_file(path, "");
  EXPECT_TRUE(MappedFile(path).bytes().empty());
  std::filesystem::remove(path);
}

TEST(MappedFile, SaysWhyAFileCannotBeMapped) {
  const auto message_of = [](const std::string& path) -> std::string {
    try {
      const MappedFile file(path);
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  EXPECT_EQ(message_of("/nowhere/x"), "cannot open '/nowhere/x': No such file or directory");
  EXPECT_EQ(message_of("/dev/null"), "cannot read '/dev/null': it is not a regular file");
}

}  // namespace
}  // namespace glassrank
