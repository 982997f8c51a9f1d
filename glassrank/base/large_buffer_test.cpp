#include "glassrank/base/large_buffer.h"

#include <filesystem>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

Context limited(std::uint64_t memory, std::string scratch) {
  Context context;
  context.memory = memory;
  context.scratch = std::move(scratch);
  return context;
}

std::size_t num_files(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

class LargeBufferTest : public ::testing::Test {
 protected:
  LargeBufferTest() : folder_(::testing::TempDir() + "large_buffer") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  std::string folder_;
};

TEST_F(LargeBufferTest, IsInMemoryWithoutALimit) {
  EXPECT_FALSE(LargeBuffer<int>(1000, Context()).is_in_file());
}

TEST_F(LargeBufferTest, GoesIntoAFileBeyondAQuarterOfTheMemory) {
  const Context context = limited(16'000, folder_);
  EXPECT_FALSE(LargeBuffer<int>(1000, context).is_in_file());
  EXPECT_TRUE(LargeBuffer<int>(1001, context).is_in_file());
}

TEST_F(LargeBufferTest, KeepsWhatIsWrittenAndLeavesNoFile) {
  LargeBuffer<int> moved;
  {
    LargeBuffer<int> made(100'000, limited(1000, folder_));
    std::iota(made.span().begin(), made.span().end(), 0);
    moved = std::move(made);
  }
  ASSERT_TRUE(moved.is_in_file());
  ASSERT_EQ(moved.size(), 100'000);
  EXPECT_EQ(moved.data()[99'999], 99'999);
  EXPECT_EQ(std::accumulate(moved.span().begin(), moved.span().end(), std::int64_t{0}),
            std::int64_t{99'999} * 100'000 / 2);
  EXPECT_EQ(num_files(folder_), 0);
}

TEST_F(LargeBufferTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_TRUE(message_of([&] {
                LargeBuffer<int>(1000, limited(1, folder_ + "/none"));
              }).starts_with(folder_ + "/none: cannot make a file for data that does not fit"));
}

TEST_F(LargeBufferTest, AFullDiskIsAnErrorAndNoCrash) {
  // More than any disk has; the file system refuses.
  const std::string message =
      message_of([&] { LargeBuffer<std::uint8_t>(std::size_t{1} << 60, limited(1, folder_)); });
  EXPECT_TRUE(message.starts_with(folder_ + ": no room for 1152921504606846976 bytes")) << message;
  EXPECT_EQ(num_files(folder_), 0);
}

}  // namespace
}  // namespace glassrank
