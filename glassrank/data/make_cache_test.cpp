#include "glassrank/data/make_cache.h"

#include <filesystem>
#include <numeric>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/shared_files.h"
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

std::string rows_of(const Dataset& data, std::size_t first, std::size_t last,
                    const std::string& out) {
  std::vector<std::size_t> queries(last - first);
  std::iota(queries.begin(), queries.end(), first);
  write_svmlight(out, select_queries(data, queries), {}, Context{});
  return out;
}

TEST_F(MakeCache, ANameWithWildcardsIsOneDataSet) {
  rows_of(data_, 0, 5, path("part-1.txt"));
  rows_of(data_, 5, 12, path("part-2.txt"));
  for (const bool binned : {false, true}) {
    make_cache(task(binned, false), Context{});
    for (const bool streaming : {false, true}) {
      CacheTask parts = task(binned, streaming);
      parts.data = path("part-*.txt");
      parts.out = path("parts.cache");
      make_cache(parts, Context{});
      EXPECT_EQ(read_text_file(parts.out), read_text_file(task(binned, false).out));
    }
  }
}

// Parts that are cached one by one, and the whole in the bins of the first.
TEST_F(MakeCache, PartsTakeTheBinsOfAnother) {
  CacheTask first = task(true, false);
  first.data = rows_of(data_, 0, 5, path("1.txt"));
  first.out = path("part-1.bins");
  first.bins = {.max_bins = 7};
  make_cache(first, Context{});
  CacheTask second = task(true, false);
  second.data = rows_of(data_, 5, 12, path("2.txt"));
  second.out = path("part-2.bins");
  second.bins_like = first.out;
  make_cache(second, Context{});
  const std::string bytes = read_text_file(second.out);
  second.streaming = true;
  make_cache(second, Context{});
  EXPECT_EQ(read_text_file(second.out), bytes);
  CacheTask whole = task(true, false);
  whole.bins_like = first.out;
  make_cache(whole, Context{});
  const BinnedCache expected = open_bins(whole.out, Context{});
  const BinnedCache joined = open_shared_bins(path("part-*.bins"), Context{});
  EXPECT_EQ(joined.params->max_bins, 7);
  EXPECT_EQ(joined.data.edges(), expected.data.edges());
  EXPECT_EQ(dataset_digest(joined.data, Context{}), dataset_digest(expected.data, Context{}));
}

TEST_F(MakeCache, PartsTakeTheColumnsAndCategoriesOfAnother) {
  write_text_file(path("1.csv"), "grade,qid,colour,x\n1,1,red,2\n0,1,blue,3\n2,1,red,4\n");
  write_text_file(path("2.csv"), "qid,grade,x,colour\n2,1,2,blue\n2,0,5,green\n");
  CacheTask first = task(true, false);
  first.data = path("1.csv");
  first.out = path("part-1.bins");
  first.read.categorical = {"colour"};
  first.bins = {.min_bin_rows = 1};
  make_cache(first, Context{});
  CacheTask second = first;
  second.data = path("2.csv");
  second.out = path("part-2.bins");
  second.bins_like = first.out;
  second.read.categorical = {};
  make_cache(second, Context{});
  const BinnedDataset joined = open_shared_bins(path("part-*.bins"), Context{}).data;
  EXPECT_EQ(joined.table().schema.feature(0).categories, (std::vector<std::string>{"red", "blue"}));
  EXPECT_EQ(joined.column(0)[3], joined.column(0)[1]);  // blue
  EXPECT_NE(joined.column(0)[4], joined.column(0)[0]);
  EXPECT_NE(joined.column(0)[4], joined.column(0)[1]);
  second.streaming = true;
  EXPECT_EQ(message_of([&] { make_cache(second, Context{}); }),
            second.data + " has columns or categories in another order than " + first.out +
                "; without --streaming they are put in its order");
}

TEST_F(MakeCache, BinsOfAnotherAreForBins) {
  CacheTask values = task(false, false);
  values.bins_like = path("data.txt");
  EXPECT_EQ(message_of([&] { make_cache(values, Context{}); }),
            "--bins-like is for caches of bins: give --binned too");
}

}  // namespace
}  // namespace glassrank
