#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/data/io/cache/cache.h"
#include "testing/bin_test_data.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

TEST(BinnedCache, KnowsWhatItsBinsWereMadeWith) {
  const Context context;
  const std::string path = ::testing::TempDir() + "binned_cache_test.bins";
  const BinParams params{.max_bins = 31, .sample_rows = 500, .min_bin_rows = 2};
  const Dataset data = test_data({.num_rows = 300});
  write_cache(path, data, context);
  EXPECT_TRUE(is_cache_file(path));
  EXPECT_FALSE(is_binned_cache_file(path));
  write_binned_cache(path, bin_dataset(data, params, context), params, context);
  EXPECT_TRUE(is_binned_cache_file(path));
  EXPECT_FALSE(is_binned_cache_file(path + ".none"));
  BinnedCache cache = open_bins(path, context);
  EXPECT_EQ(message_of([&] { check_bin_params(cache, params, "t.bins"); }), "no error");
  BinParams other = params;
  other.max_bins = 63;
  EXPECT_EQ(message_of([&] { check_bin_params(cache, other, "t.bins"); }),
            "t.bins: the bins were made with max_bins = 31, and 63 is asked for; ask for the same, "
            "or make the cache again");
  other = params;
  other.min_bin_rows = 3;
  EXPECT_EQ(message_of([&] { check_bin_params(cache, other, "t.bins"); }),
            "t.bins: the bins were made with min_bin_rows = 2, and 3 is asked for; ask for the "
            "same, or make the cache again");
  // As an early version wrote it: only too many bins can be told.
  cache.params.reset();
  EXPECT_EQ(message_of([&] { check_bin_params(cache, other, "t.bins"); }), "no error");
  other.max_bins = 2;
  EXPECT_NE(message_of([&] {
              check_bin_params(cache, other, "t.bins");
            }).find("bins, and max_bins = 2 is asked for"),
            std::string::npos);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace glassrank
