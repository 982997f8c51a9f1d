#include "glassrank/base/atomic_file.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST_F(AtomicFileTest, FollowedPathLeadsThroughLinksToFilesThatAreNotThereYet) {
  const std::string real = (fs::canonical(folder_) / "real.txt").string();
  fs::create_directory(folder_ / "sub");
  fs::create_symlink("../real.txt", folder_ / "sub" / "first");
  fs::create_symlink(folder_ / "sub" / "first", folder_ / "second");
  for (const char* name : {"real.txt", "sub/../real.txt", "sub/first", "second"}) {
    EXPECT_EQ(followed_path(folder_ / name), real) << name;
  }
  write_text_file(real, "");
  EXPECT_EQ(followed_path(folder_ / "second"), real);
  fs::create_symlink("loop", folder_ / "loop");  // must end
  EXPECT_EQ(fs::path(followed_path(folder_ / "loop")).filename(), "loop");
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

TEST_F(AtomicFileTest, FollowsALinkToAFileThatIsNotThereYet) {
  fs::create_directory(folder_ / "sub");
  fs::create_symlink("sub/real.txt", folder_ / "link.txt");
  write_text_file(folder_ / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(read_text_file(folder_ / "sub" / "real.txt"), "new");
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_THROW(write_text_file(folder_ / "loop", "new"), Error);
  EXPECT_TRUE(fs::is_symlink(folder_ / "loop"));
}

TEST_F(AtomicFileTest, KeepsTheModeOfTheFileItReplaces) {
  const fs::path path = folder_ / "out.txt";
  for (const fs::perms mode : {fs::perms(0600), fs::perms(0640), fs::perms(0666)}) {
    write_text_file(path, "old");
    fs::permissions(path, mode);
    AtomicFile file(path);
    file.write("secret");
    file.flush();
    ASSERT_EQ(num_files(), 2U);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      EXPECT_EQ(entry.status().permissions(), mode) << entry.path();
    }
    file.commit();
    EXPECT_EQ(fs::status(path).permissions(), mode);
  }
}

// A process that has ended and whose number is free again.
pid_t ended_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  int status = 0;
  ::waitpid(child, &status, 0);
  return child;
}

TEST_F(AtomicFileTest, RemovesWhatKilledProcessesLeft) {
  const std::string path = folder_ / "out.txt";
  const std::string dead = std::to_string(ended_process());
  const std::string stale = path + ".0123abcd." + dead + ".tmp";
  const std::string alive = path + ".0123abcd." + std::to_string(::getppid()) + ".tmp";
  const std::string locked = path + ".99999999." + dead + ".tmp";
  // In a container every run may have the same number.
  const std::string our_number = path + ".0123abcd." + std::to_string(::getpid()) + ".tmp";
  const std::string others[] = {path + ".x.tmp",
                                path + "..tmp",
                                path + "." + dead + ".tmp",
                                path + ".0123abcd." + dead + "x.tmp",
                                path + ".0123abcX." + dead + ".tmp",
                                path + "x0123abcd." + dead + ".tmp",
                                folder_ / ("other.txt.0123abcd." + dead + ".tmp"),
                                path + ".checkpoint"};
  for (const std::string& name : {stale, alive, locked, our_number}) std::ofstream(name) << "half";
  for (const std::string& name : others) std::ofstream(name) << "mine";
  const int lock = ::open(locked.c_str(), O_WRONLY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  write_text_file(path, "whole");
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_FALSE(fs::exists(our_number));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_TRUE(fs::exists(locked));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(name)) << name;
  ::close(lock);
  write_text_file(path, "again");
  EXPECT_FALSE(fs::exists(locked));
}

// As two processes of one number, in two containers, would.
TEST_F(AtomicFileTest, TwoThatWriteAtOnceDoNotMixTheirBytes) {
  const std::string path = folder_ / "out.txt";
  AtomicFile first(path);
  first.write("first");
  AtomicFile second(path);
  second.write("the second");
  second.commit();
  EXPECT_EQ(read_text_file(path), "the second");
  first.commit();
  EXPECT_EQ(read_text_file(path), "first");
  EXPECT_EQ(num_files(), 1U);
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
