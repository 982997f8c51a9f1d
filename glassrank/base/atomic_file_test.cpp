#include "glassrank/base/atomic_file.h"

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/mapped_file.h"

namespace glassrank {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(testing::TempDir()) /
        (std::string("atomic_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::size_t num_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsOnlyAtCommit) {
  const std::string path = folder_ / "out.txt";
  {
    AtomicFile file(path);
    file.write("hello ");
    file.print("{} {}", 1, 2);
    EXPECT_FALSE(fs::exists(path));
    file.commit();
  }
  EXPECT_EQ(read_text_file(path), "hello 1 2");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommitAndKeepsTheOldFile) {
  const std::string path = folder_ / "out.txt";
  write_text_file(path, "old");
  {
    AtomicFile file(path);
    file.write(std::string(3'000'000, 'x'));
  }
  EXPECT_EQ(read_text_file(path), "old");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(AtomicFileTest, AFullDiskIsAnErrorThatNamesTheTarget) {
  // A file size limit makes write() fail the way a full disk does.
  const std::string path = folder_ / "out.txt";
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small{.rlim_cur = 1 << 20, .rlim_max = old_limit.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try {
    AtomicFile file(path);
    file.write(std::string(8'000'000, 'x'));
    file.commit();
  } catch (const Error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(message, "cannot write '" + path + "': File too large");
  EXPECT_EQ(num_files(), 0U);
}

TEST_F(AtomicFileTest, FollowsALinkAndKeepsIt) {
  write_text_file(folder_ / "real.txt", "old");
  fs::create_symlink("real.txt", folder_ / "link.txt");
  write_text_file(folder_ / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(read_text_file(folder_ / "real.txt"), "new");
}

TEST_F(AtomicFileTest, WritesToADeviceWithoutReplacingIt) {
  write_text_file("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_text_file("/dev/full", "no room"), Error);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, IsNotThereWhenFinishedButNotCommitted) {
  const std::string path = (folder_ / "out.txt").string();
  {
    AtomicFile file(path);
    file.write("text");
    file.finish();
    EXPECT_FALSE(fs::exists(path));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
  AtomicFile file(path);
  file.write("text");
  file.finish();
  file.commit();
  EXPECT_EQ(read_text_file(path), "text");
}

TEST_F(AtomicFileTest, AFolderAsTargetIsAnErrorBeforeAnythingIsWritten) {
  try {
    AtomicFile file(folder_.string());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_EQ(error.message(), "cannot write '" + folder_.string() + "': Is a directory");
  }
}

TEST_F(AtomicFileTest, AMissingFolderIsAnError) {
  EXPECT_THROW(AtomicFile((folder_ / "no" / "out.txt").string()), Error);
}

TEST_F(AtomicFileTest, MappedFileShowsTheBytes) {
  const std::string path = folder_ / "in.txt";
  write_text_file(path, "abc");
  const MappedFile file(path);
  EXPECT_EQ(std::string(file.bytes().begin(), file.bytes().end()), "abc");
  write_text_file(path, "");
  EXPECT_TRUE(MappedFile(path).bytes().empty());
  EXPECT_THROW(MappedFile(folder_.string()), Error);
}

TEST(AtomicFile, WritesAtAPlaceOverWhatWasFlushed) {
  const std::string path = std::filesystem::path(testing::TempDir()) / "atomic_file_at_test";
  AtomicFile file(path);
  file.write("0123");
  file.write_at(6, "67");
  file.flush();
  file.write_at(4, "45");
  file.write_at(0, "x");
  EXPECT_FALSE(std::filesystem::exists(path));
  file.commit();
  EXPECT_EQ(read_text_file(path), "x1234567");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace glassrank
