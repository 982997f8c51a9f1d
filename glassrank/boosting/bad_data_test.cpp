// Data that has nothing to learn from, or little: boosting ends cleanly and says so.

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/boosting/booster.h"
#include "glassrank/objectives/lambdarank.h"
#include "glassrank/objectives/squared_error.h"
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

BinnedDataset weighted(float weight) {
  return make({.query_sizes = std::vector<std::size_t>(20, 20),
               .num_features = 4,
               .value = row_value,
               .grade = [](std::size_t row) { return row_value(row, 1) > 5 ? row_grade(row) : 0; },
               .weights = std::vector<float>(400, weight)});
}

// Leaf values are quotients: a unit of the weights that is a power of two cancels to the bit.
TEST(BadData, TheUnitOfWeightsDoesNotMatter) {
  for (const Precision precision : {Precision::kFull, Precision::kFast}) {
    for (const double share : {1.0, 0.3}) {
      const Forest expected = train(weighted(1), precision, share).forest;
      EXPECT_GT(expected.trees()[0].num_leaves(), 4U);
      for (const float unit : {0x1p-100F, 0x1p-70F, 0x1p70F, 0x1p100F}) {
        const Forest forest = train(weighted(unit), precision, share).forest;
        ASSERT_EQ(forest.trees().size(), expected.trees().size()) << unit;
        for (std::size_t t = 0; t < forest.trees().size(); ++t) {
          EXPECT_EQ(forest.trees()[t].nodes, expected.trees()[t].nodes) << unit;
          EXPECT_EQ(forest.trees()[t].leaf_values, expected.trees()[t].leaf_values) << unit;
        }
      }
    }
  }
}

// The smallest numbers that float32 has: there is little to learn from, but boosting ends.
TEST(BadData, TheSmallestWeightsEnd) {
  for (const float weight : {1e-38F, 1e-40F, 1e-44F, std::numeric_limits<float>::denorm_min()}) {
    for (const Precision precision : {Precision::kFull, Precision::kFast}) {
      for (const Tree& tree : train(weighted(weight), precision).all_trees.trees()) {
        for (const double value : tree.leaf_values) EXPECT_TRUE(std::isfinite(value)) << weight;
      }
    }
  }
  const Forest expected = train(weighted(1), Precision::kFast).forest;
  const Forest tiny = train(weighted(1e-38F), Precision::kFast).forest;
  ASSERT_EQ(tiny.trees().size(), expected.trees().size());
  EXPECT_EQ(tiny.trees()[0].num_leaves(), expected.trees()[0].num_leaves());
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "no error";
}

TEST(BadData, ScoresThatOverflowAreAnErrorThatNamesTheDocument) {
  const BinnedDataset data = weighted(1);
  Lambdarank objective({});
  const Tree huge{.nodes = {}, .leaf_values = {1.5e308}, .statistics = {}};
  const Forest start({.trees = {huge, huge}, .num_features = 4});
  for (const Precision precision : {Precision::kFull, Precision::kFast}) {
    const std::string message = message_of([&] {
      boost({.train = data, .objective = &objective, .start = start},
            {.num_trees = 4, .precision = precision}, with_threads(2));
    });
    EXPECT_EQ(message,
              "round 3: the score of document 1 of query 0 is inf; scores must be finite: the "
              "model to start from or the learning rate is too large");
  }
}

TEST(BadData, GradientsThatOverflowAreAnErrorThatNamesTheDocument) {
  Table table{.query_sizes = {20, 20},
              .value = row_value,
              .grade = row_grade,
              .weights = std::vector<float>(40, 1.0F)};
  for (const std::size_t row : {23, 24, 27}) table.weights[row] = 3e38F;  // grades 2, 0, 0
  SquaredError objective;
  const std::string message = message_of([&] {
    boost({.train = make(table), .objective = &objective}, {.num_trees = 4}, with_threads(2));
  });
  EXPECT_TRUE(message.starts_with("round 1: document 4 of query 1 has gradient ")) << message;
  EXPECT_NE(message.find("must be finite"), std::string::npos) << message;
}

TEST(BadData, LeavesThatOverflowAreAnError) {
  Lambdarank objective({});
  EXPECT_EQ(message_of([&] {
              boost({.train = weighted(1), .objective = &objective},
                    {.num_trees = 4, .learning_rate = 1.7e308, .min_leaf_rows = 1},
                    with_threads(1));
            }).substr(0, 33),
            "round 1: a leaf would add -inf to");
}

// A minimum that is a good part of the data leaves few splits. None of them is given up because a
// row count was estimated wrongly.
TEST(BadData, LargeMinimaOfRowsCostNoSplits) {
  const BinnedDataset data = testing::make_binned({.num_queries = 30, .query_size = 26});
  Lambdarank objective({});
  const auto num_leaves = [&](Precision precision, std::int64_t min_leaf_rows) {
    const BoosterParams params{
        .num_trees = 20, .num_leaves = 128, .min_leaf_rows = min_leaf_rows, .precision = precision};
    std::size_t count = 0;
    const Forest forest =
        boost({.train = data, .objective = &objective}, params, with_threads(2)).all_trees;
    for (const Tree& tree : forest.trees()) {
      count += tree.num_leaves();
      for (const std::uint64_t rows : tree.statistics.leaf_count) {
        EXPECT_GE(rows, static_cast<std::uint64_t>(min_leaf_rows));
      }
    }
    return count;
  };
  for (const std::int64_t minimum : {4, 20, 100, 200, 300, 380}) {
    const std::size_t full = num_leaves(Precision::kFull, minimum);
    EXPECT_GE(full, 40U) << minimum;
    EXPECT_GE(static_cast<double>(num_leaves(Precision::kFast, minimum)),
              0.95 * static_cast<double>(full))
        << minimum;
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
