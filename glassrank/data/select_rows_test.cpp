#include "glassrank/data/select_rows.h"

#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "testing/bin_test_data.h"

namespace glassrank {
namespace {

// The slow way: the rows as floats, coded again with the same cut points.
BinnedDataset oracle(const Dataset& data, const BinnedDataset& binned,
                     std::vector<std::uint32_t> rows) {
  return bin_with(DatasetView(data, std::move(rows)).materialise(), binned.shared_edges(), {});
}

void expect_equal(const BinnedDataset& a, const BinnedDataset& b) {
  ASSERT_EQ(a.num_rows(), b.num_rows());
  EXPECT_EQ(std::vector(a.codes().begin(), a.codes().end()),
            std::vector(b.codes().begin(), b.codes().end()));
  EXPECT_EQ(a.table().grades, b.table().grades);
  EXPECT_EQ(a.table().weights, b.table().weights);
  EXPECT_TRUE(std::ranges::equal(a.feature_names(), b.feature_names()));
  EXPECT_TRUE(std::ranges::equal(a.queries().offsets(), b.queries().offsets()));
  EXPECT_TRUE(std::ranges::equal(a.queries().ids(), b.queries().ids()));
  EXPECT_TRUE(std::ranges::equal(a.missing_counts(), b.missing_counts()));
  ASSERT_EQ(a.table().document_ids.size(), b.table().document_ids.size());
  for (std::size_t r = 0; r < a.table().document_ids.size(); ++r) {
    EXPECT_EQ(a.table().document_ids[r], b.table().document_ids[r]);
  }
}

std::vector<std::uint32_t> some_rows(std::size_t num_rows, double share, std::uint64_t seed) {
  const CounterRandom random(seed, "select_rows_test");
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = 0; r < num_rows; ++r) {
    if (random.uniform(r) < share) rows.push_back(r);
  }
  return rows;
}

TEST(KeepRows, IsTheSameAsCodingTheRowsAgain) {
  for (const int max_bins : {16, 255, 600}) {  // bytes, and two bytes
    const Dataset data = test_data({.num_rows = 1500});
    const BinnedDataset binned = bin_dataset(data, {.max_bins = max_bins, .min_bin_rows = 1}, {});
    const std::vector<std::uint32_t> rows = some_rows(1500, 0.3, 5);
    const BinnedDataset kept = select_rows(binned, rows, {});
    EXPECT_EQ(kept.shared_edges(), binned.shared_edges());
    EXPECT_EQ(kept.column(2).is_wide(), max_bins == 600);
    expect_equal(kept, oracle(data, binned, rows));
  }
}

TEST(KeepRows, AllRowsAreTheDataItself) {
  const Dataset data = test_data();
  const BinnedDataset binned = bin_dataset(data, {}, {});
  std::vector<std::uint32_t> rows(data.num_rows());
  std::iota(rows.begin(), rows.end(), 0);
  expect_equal(select_rows(binned, rows, {}), binned);
}

TEST(KeepRows, QueriesThatLoseEveryRowDisappear) {
  // Sizes 2, 3, 4, ...: rows 2 to 4 are the second query.
  const BinnedDataset binned = bin_dataset(test_data({.num_rows = 9}), {}, {});
  ASSERT_EQ(binned.num_queries(), 3U);
  const std::vector<std::uint32_t> rows = {1, 5, 6};
  const BinnedDataset kept = select_rows(binned, rows, {});
  ASSERT_EQ(kept.num_queries(), 2U);
  EXPECT_EQ(kept.queries().id(0), "q0");
  EXPECT_EQ(kept.queries().id(1), "q2");
  EXPECT_EQ(kept.queries().rows(1).size(), 2U);
}

TEST(KeepRows, WithoutIdsAndWeightsThereAreNoneAfterwards) {
  const Dataset data = test_data({.num_rows = 50, .with_ids_and_weights = false});
  const BinnedDataset binned = bin_dataset(data, {}, {});
  const std::vector<std::uint32_t> rows = {0, 7, 49};
  const BinnedDataset kept = select_rows(binned, rows, {});
  EXPECT_TRUE(kept.weights().empty());
  EXPECT_TRUE(kept.table().document_ids.empty());
  expect_equal(kept, oracle(data, binned, rows));
}

RC_GTEST_PROP(KeepRows, AnyRowsForAnyThreads, (std::uint64_t seed)) {
  const auto num_rows = *rc::gen::inRange<std::size_t>(1, 300);
  const auto share = *rc::gen::inRange(0, 101);
  const Dataset data = test_data({.num_rows = num_rows, .num_features = 7});
  const BinnedDataset binned = bin_dataset(data, {}, {});
  const std::vector<std::uint32_t> rows = some_rows(num_rows, share / 100.0, seed);
  for (const int threads : {1, 2, 4}) {
    Context context;
    context.threads = std::make_shared<const Threads>(threads);
    expect_equal(select_rows(binned, rows, context), oracle(data, binned, rows));
  }
}

TEST(KeepRows, RefusesRowsOutOfOrderOrBeyondTheData) {
  const BinnedDataset binned = bin_dataset(test_data({.num_rows = 9}), {}, {});
  for (const std::vector<std::uint32_t>& rows :
       {std::vector<std::uint32_t>{3, 3}, {4, 2}, {1, 9}}) {
    try {
      select_rows(binned, rows, {});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(
          error.message(),
          fmt::format("row {} to keep is out of order or beyond the 9 rows of the data", rows[1]));
    }
  }
}

}  // namespace
}  // namespace glassrank
