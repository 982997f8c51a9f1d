// Data that has nothing to learn from, or little: boosting ends cleanly and says so.

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/boosting/booster.h"
#include "glassrank/objectives/lambdarank.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::with_threads;

struct Table {
  std::vector<std::size_t> query_sizes;
  std::size_t num_features = 2;
  std::function<float(std::size_t row, std::size_t feature)> value;
  std::function<float(std::size_t row)> grade;
  std::vector<float> weights = {};
};

BinnedDataset make(const Table& table) {
  DatasetParts parts;
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < table.query_sizes.size(); ++q) ids.push_back(fmt::format("{}", q));
  parts.queries = QueryGroups(ids, table.query_sizes);
  const std::size_t n = parts.queries.num_rows();
  parts.features = Buffer<float>(n * table.num_features);
  for (std::size_t r = 0; r < n; ++r) {
    parts.grades.push_back(table.grade(r));
    for (std::size_t f = 0; f < table.num_features; ++f) {
      parts.features[r * table.num_features + f] = table.value(r, f);
    }
  }
  for (std::size_t f = 0; f < table.num_features; ++f) {
    parts.schema.add_feature(fmt::format("f{}", f));
  }
  parts.weights = table.weights;
  return bin_dataset(Dataset(std::move(parts)), {.min_bin_rows = 1}, with_threads(1));
}

float row_value(std::size_t row, std::size_t feature) {
  return static_cast<float>((row * 7 + feature * 3) % 11);
}
float row_grade(std::size_t row) { return static_cast<float>(row % 3); }

BoostingResult train(const BinnedDataset& data, Precision precision, double active_share = 1) {
  Lambdarank objective({});
  return boost({.train = data, .objective = &objective},
               {.num_trees = 4,
                .num_leaves = 8,
                .min_leaf_rows = 1,
                .min_leaf_hessian = 0,
                .precision = precision,
                .active = active_share < 1 ? ActiveRows::kSome : ActiveRows::kAll,
                .active_share = active_share},
               with_threads(2));
}

// No tree of the forest splits or moves a score.
void expect_nothing_learnt(const BinnedDataset& data) {
  EXPECT_TRUE(train(data, Precision::kFull).forest.trees().empty());
  EXPECT_TRUE(train(data, Precision::kFast).forest.trees().empty());
  // Drawing rows is another matter: the next round might find something.
  const Forest drawn = train(data, Precision::kFast, 0.5).forest;
  EXPECT_EQ(drawn.trees().size(), 4U);
  for (const Tree& tree : drawn.trees()) {
    EXPECT_TRUE(tree.nodes.empty());
    EXPECT_LT(std::abs(tree.leaf_values[0]), 1e-3);
  }
}

TEST(BadData, ConstantFeaturesTeachNothing) {
  expect_nothing_learnt(make(
      {.query_sizes = {20, 20}, .value = [](auto, auto) { return 3.0F; }, .grade = row_grade}));
}

TEST(BadData, AllMissingColumnsTeachNothing) {
  const auto nan = [](auto, auto) { return std::numeric_limits<float>::quiet_NaN(); };
  expect_nothing_learnt(make({.query_sizes = {20, 20}, .value = nan, .grade = row_grade}));
}

TEST(BadData, OneDocumentQueriesTeachNothing) {
  expect_nothing_learnt(make(
      {.query_sizes = std::vector<std::size_t>(40, 1), .value = row_value, .grade = row_grade}));
}

TEST(BadData, OneGradeTeachesNothing) {
  expect_nothing_learnt(
      make({.query_sizes = {20, 20}, .value = row_value, .grade = [](auto) { return 2.0F; }}));
}

TEST(BadData, ZeroWeightsTeachNothing) {
  expect_nothing_learnt(make({.query_sizes = {20, 20},
                              .value = row_value,
                              .grade = row_grade,
                              .weights = std::vector<float>(40, 0.0F)}));
}

TEST(BadData, BoostingStopsWhereNoSplitIsLeftUnlessRowsAreDrawn) {
  const BinnedDataset data =
      make({.query_sizes = {20, 20}, .value = [](auto, auto) { return 3.0F; }, .grade = row_grade});
  for (const Precision precision : {Precision::kFull, Precision::kFast}) {
    const BoostingResult result = train(data, precision);
    EXPECT_EQ(result.end, BoostingEnd::kNoSplitLeft);
    EXPECT_EQ(result.num_rounds, 0U);
  }
  EXPECT_EQ(train(data, Precision::kFast, 0.5).num_rounds, 4U);
}

TEST(BadData, FewerRowsThanLeavesIsFine) {
  const BinnedDataset data = make({.query_sizes = {4}, .value = row_value, .grade = row_grade});
  for (const Precision precision : {Precision::kFull, Precision::kFast}) {
    const BoostingResult result = train(data, precision);
    EXPECT_EQ(result.num_rounds, 4U);
    for (const Tree& tree : result.forest.trees()) {
      EXPECT_LE(tree.num_leaves(), 4U);
      for (const double value : tree.leaf_values) EXPECT_TRUE(std::isfinite(value));
    }
  }
}

TEST(BadData, ExactMinimumOfRowsHoldsWithFewActiveRows) {
  const BinnedDataset data = testing::make_binned({.num_queries = 100});
  Lambdarank objective({});
  const BoosterParams params{.num_trees = 10,
                             .num_leaves = 31,
                             .min_leaf_rows = 60,
                             .active = ActiveRows::kSome,
                             .active_share = 0.1};
  const Forest forest =
      boost({.train = data, .objective = &objective}, params, with_threads(2)).forest;
  std::size_t num_leaves = 0;
  for (const Tree& tree : forest.trees()) {
    num_leaves += tree.num_leaves();
    for (const std::uint64_t count : tree.statistics.leaf_count) EXPECT_GE(count, 60U);
  }
  EXPECT_GT(num_leaves, 100U);
}

}  // namespace
}  // namespace glassrank
