#include "glassrank/boosting/tree/row_partition.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "glassrank/boosting/tree/partition_kernel.h"
#include "testing/boosting_fixture.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::with_threads;

TEST_ON_EVERY_TARGET(PartitionRows, EqualsThePlainLoopForAnySize) {
  const BinnedDataset data = make_binned({});
  for (const std::uint32_t feature : {0U, 3U, 5U}) {
    const auto missing = static_cast<std::uint32_t>(data.missing_bin(feature));
    const auto bin = static_cast<std::uint32_t>(data.num_value_bins(feature) / 2);
    for (const std::uint32_t also : {bin, missing}) {
      for (const std::size_t size : {0, 1, 15, 16, 17, 100, 999}) {
        const PartitionRule rule{.column = data.column(feature), .bin = bin, .also_left = also};
        std::vector<std::uint32_t> rows;
        for (std::size_t i = 0; i < size; ++i) rows.push_back(static_cast<std::uint32_t>(999 - i));
        std::vector<std::uint32_t> left(size), right(size), plain_left(size), plain_right(size);
        const std::size_t n =
            partition_rows_plain(rule, rows, plain_left.data(), plain_right.data());
        ASSERT_EQ(partition_rows(rule, rows, left.data(), right.data()), n);
        EXPECT_TRUE(std::equal(left.begin(), left.begin() + n, plain_left.begin()));
        EXPECT_TRUE(std::equal(right.begin(), right.begin() + (size - n), plain_right.begin()));
        // In place.
        ASSERT_EQ(partition_rows(rule, rows, rows.data(), right.data()), n);
        EXPECT_TRUE(std::equal(rows.begin(), rows.begin() + n, plain_left.begin()));
      }
    }
  }
}

TEST_ON_EVERY_TARGET(RowPartition, IsStableAndTheSameForAnyThreads) {
  const BinnedDataset data = make_binned({.num_queries = 2000, .num_features = 2});
  std::vector<std::vector<std::uint32_t>> results;
  for (const int threads : {1, 2, 4}) {
    RowPartition partition(data, with_threads(threads));
    const auto rows = partition.start_all();
    // The last thousand rows are idle.
    const std::size_t n = rows.size();
    const LeafRows leaf{.active = {0, n - 1000}, .idle = {n - 1000, n}};
    const auto [left, right] = partition.split(leaf, {.gain = 1, .feature = 0, .bin = 99});
    EXPECT_EQ(left.size() + right.size(), n);
    for (const RowRange range : {left.active, left.idle, right.active, right.idle}) {
      EXPECT_TRUE(std::ranges::is_sorted(partition.rows(range)));
    }
    for (const std::uint32_t row : partition.rows(left.active)) {
      ASSERT_LE(data.column(0)[row], 99U);
    }
    for (const std::uint32_t row : partition.rows(right.idle)) {
      ASSERT_GT(data.column(0)[row], 99U);
      ASSERT_GE(row, n - 1000);
    }
    results.emplace_back(rows.begin(), rows.end());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace glassrank
