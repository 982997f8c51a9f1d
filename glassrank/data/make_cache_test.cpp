#include "glassrank/data/make_cache.h"

#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/synth/synthetic.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

class MakeCache : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_);
    data_ = make_synthetic({.queries = 12, .features = 8}, Context{});
    write_svmlight(path("data.txt"), DatasetView(data_), {}, Context{});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  CacheTask task(bool binned, bool streaming) const {
    return {.data = path("data.txt"),
            .out = path(fmt::format("{}{}.cache", binned, streaming)),
            .binned = binned,
            .streaming = streaming};
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("make_cache_{}", ::getpid());
  Dataset data_;
};

TEST_F(MakeCache, ReportsWhatIsInTheFile) {
  for (const bool binned : {false, true}) {
    const CacheTask wanted = task(binned, false);
    const CacheResult result = make_cache(wanted, Context{});
    EXPECT_EQ(result.out, wanted.out);
    EXPECT_EQ(result.kind, binned ? "bins" : "values");
    EXPECT_EQ(result.num_rows, data_.num_rows());
    EXPECT_EQ(result.num_queries, 12U);
    EXPECT_EQ(result.num_features, 8U);
    EXPECT_EQ(result.num_bytes, std::filesystem::file_size(wanted.out));
    EXPECT_EQ(is_binned_cache_file(wanted.out), binned);
  }
}

TEST_F(MakeCache, WritesTheSameBytesWhenItStreams) {
  for (const bool binned : {false, true}) {
    make_cache(task(binned, false), Context{});
    make_cache(task(binned, true), Context{});
    EXPECT_EQ(read_text_file(task(binned, false).out), read_text_file(task(binned, true).out));
  }
}

TEST_F(MakeCache, StreamsValuesOnlyToARegularFile) {
  CacheTask wanted = task(false, true);
  wanted.out = "/dev/null";
  EXPECT_EQ(message_of([&] { make_cache(wanted, Context{}); }),
            "streaming writes the parts of a cache as they come, not in their order; /dev/null is "
            "no regular file");
}

}  // namespace
}  // namespace glassrank
