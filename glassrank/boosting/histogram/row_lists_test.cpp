#include "glassrank/boosting/histogram/row_lists.h"

#include <cmath>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "testing/boosting_fixture.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

using testing::binned_values;
using testing::with_threads;

// The first `num_sparse` features are 0 in `share` of the rows.
BinnedDataset sparse_data(std::size_t num_rows, std::size_t num_features, std::size_t num_sparse,
                          double share) {
  const CounterRandom random(1, "sparse_data");
  return binned_values(num_rows, num_features, [&](std::size_t row, std::size_t f) {
    const std::uint64_t at = row * 1000 + f;
    if (f < num_sparse && random.uniform(at) < share) return 0.0;
    return random.uniform(at + 500);
  });
}

std::vector<ListPlan> plan_all(const BinnedDataset& data) {
  std::vector<std::uint32_t> features(data.num_features());
  std::iota(features.begin(), features.end(), 0);
  return plan_lists(data, features);
}

// A list of features 0, 1, ..., whose commonest code is 0.
ListPlan zeros_plan(std::uint32_t num_features, std::size_t width) {
  ListPlan plan{.width = width};
  for (std::uint32_t f = 0; f < num_features; ++f) {
    plan.features.push_back(f);
    plan.commonest.push_back(0);
  }
  return plan;
}

// 32 independent features, 6.4 codes a row on average: room for about 12.
TEST_ON_EVERY_TARGET(RowLists, TakeTheSparseFeatures) {
  const std::vector<ListPlan> plans = plan_all(sparse_data(10'000, 50, 40, 0.8));
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].features.size(), kListFields);
  for (const std::uint32_t feature : plans[0].features) EXPECT_LT(feature, 40U);
  EXPECT_GT(plans[0].width, 8U);
  EXPECT_LT(plans[0].width, 16U);
}

TEST_ON_EVERY_TARGET(RowLists, AreSeveralIfFeaturesAreMany) {
  const std::vector<ListPlan> plans = plan_all(sparse_data(5'000, 70, 70, 0.9));
  ASSERT_EQ(plans.size(), 2U);
  std::vector<std::uint32_t> taken = plans[0].features;
  taken.insert(taken.end(), plans[1].features.begin(), plans[1].features.end());
  std::ranges::sort(taken);
  EXPECT_EQ(std::ranges::adjacent_find(taken), taken.end());
}

TEST_ON_EVERY_TARGET(RowLists, AreNotWorthItForDenseFeaturesFewRowsOrAFewFeatures) {
  EXPECT_TRUE(plan_all(sparse_data(10'000, 20, 20, 0.3)).empty());
  EXPECT_TRUE(plan_all(sparse_data(1'000, 40, 40, 0.9)).empty());
  EXPECT_TRUE(plan_all(sparse_data(10'000, 20, 5, 0.9)).empty());
}

// Two rows in five have every code: places for all of them would save nothing.
TEST_ON_EVERY_TARGET(RowLists, AreNotWorthItIfFeaturesAreAbsentTogether) {
  const CounterRandom random(2, "together");
  const BinnedDataset data = binned_values(10'000, 30, [&](std::size_t row, std::size_t f) {
    return random.uniform(row) < 0.6 ? 0.0 : random.uniform(row * 100 + 50 + f);
  });
  EXPECT_TRUE(plan_all(data).empty());
}

// Whatever the width: places and extras together say every code.
TEST_ON_EVERY_TARGET(RowLists, HoldEveryCodeThatIsNotTheCommonest) {
  const BinnedDataset data = sparse_data(9'000, 20, 20, 0.7);
  for (const std::size_t width : {1, 4, 16}) {
    const ListPlan plan = zeros_plan(20, width);
    constexpr std::size_t kStride = 64;
    for (const int threads : {1, 3}) {
      std::vector<std::uint8_t> rows(data.num_rows() * kStride);
      const ListExtras extras =
          write_list(data, plan, rows.data() + 2, kStride, with_threads(threads));
      for (std::size_t row = 0; row < data.num_rows(); ++row) {
        std::vector<std::uint16_t> entries(width);
        std::memcpy(entries.data(), rows.data() + row * kStride + 2, 2 * width);
        if (extras.has(row)) {
          const auto more = extras.of(row);
          ASSERT_FALSE(more.empty());
          entries.insert(entries.end(), more.begin(), more.end());
        }
        std::vector<std::size_t> codes(20, 0);
        std::vector<int> times(20, 0);
        for (const std::uint16_t entry : entries) {
          const std::size_t field = entry / kTableStride;
          const std::size_t code = entry % kTableStride;
          if (code != 0) codes[field] = code;
          ++times[field];
        }
        for (std::size_t f = 0; f < 20; ++f) {
          ASSERT_EQ(codes[f], data.column(f)[row]);
          ASSERT_LE(times[f], codes[f] == 0 ? 1 : 2);
        }
      }
    }
  }
}

// A thousand scattered rows, so several steps of it.
TEST_ON_EVERY_TARGET(RowLists, AddExtrasLikeALoopOverTheRows) {
  const BinnedDataset data = sparse_data(9'000, 20, 20, 0.7);
  const ListPlan plan = zeros_plan(20, 6);
  std::vector<std::uint8_t> places(data.num_rows() * 16);
  const ListExtras extras = write_list(data, plan, places.data(), 16, with_threads(1));
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> packed;
  for (std::uint32_t row = 3; row < data.num_rows(); row += 9) {
    rows.push_back(row);
    packed.push_back(static_cast<std::int32_t>(row) - 2'000);
  }
  std::vector<std::int32_t> expected(20 * kTableStride);
  std::size_t num_without = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!extras.has(rows[i])) {
      ++num_without;
      continue;
    }
    for (const std::uint16_t entry : extras.of(rows[i])) expected[entry] += packed[i];
  }
  ASSERT_GT(num_without, 100U);
  ASSERT_LT(num_without, 900U);
  std::vector<std::int32_t> table(expected.size());
  extras.add(rows, packed.data(), table.data());
  EXPECT_EQ(table, expected);
}

TEST_ON_EVERY_TARGET(RowLists, HaveNoExtrasIfThereAreEnoughPlaces) {
  const BinnedDataset data = sparse_data(5'000, 10, 10, 0.7);
  const ListPlan plan = zeros_plan(10, 10);
  std::vector<std::uint8_t> rows(data.num_rows() * 32);
  EXPECT_TRUE(write_list(data, plan, rows.data(), 32, with_threads(1)).empty());
}

}  // namespace
}  // namespace glassrank
