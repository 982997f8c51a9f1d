#include "glassrank/models/forest/forest_scorer.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#define HWY_WANT_AVX3_DL
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "glassrank/base/error.h"
#include "glassrank/models/forest/scoring_plan.h"
#include "glassrank/models/forest/sliced_scorer.h"

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

// What random forests and rows are made of.
struct Shape {
  std::size_t num_trees = 1;
  std::size_t num_leaves = 8;  // of each tree; 0: from 1 to 300, another number for each
  std::size_t num_features = 5;
  std::size_t num_thresholds = 20;  // per feature
  bool missing = true;              // NaN, zero_is_missing and both directions
  std::uint32_t seed = 0;
};

// Half of the thresholds are shared by all features; the special ones are always among them.
float threshold(Random& random, const Shape& shape) {
  constexpr float kSpecial[] = {0.0F,   -0.0F,  kInfinity, -kInfinity,
                                1e-35F, 1e-40F, -1e-40F,   std::numeric_limits<float>::max()};
  if (below(random, 8) == 0) return kSpecial[below(random, std::size(kSpecial))];
  const auto step = static_cast<float>(below(random, shape.num_thresholds));
  return (step - static_cast<float>(shape.num_thresholds / 2)) * 0.37F;
}

Tree random_tree(Random& random, const Shape& shape) {
  const std::size_t num_leaves = shape.num_leaves == 0 ? 1 + below(random, 300) : shape.num_leaves;
  Tree tree;
  struct Open {
    std::int32_t node;
    bool right;
  };
  std::vector<Open> open;
  // Splits a random open end, or for lopsided trees always the newest.
  const bool lopsided = below(random, 4) == 0;
  for (std::size_t n = 0; n + 1 < num_leaves; ++n) {
    const auto number = static_cast<std::int32_t>(n);
    if (n > 0) {
      const std::size_t which = lopsided ? open.size() - 1 : below(random, open.size());
      TreeNode& parent = tree.nodes[static_cast<std::size_t>(open[which].node)];
      (open[which].right ? parent.right : parent.left) = number;
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    }
    tree.nodes.push_back({.feature = static_cast<std::uint32_t>(below(random, shape.num_features)),
                          .threshold = threshold(random, shape),
                          .missing_left = shape.missing && below(random, 2) == 0,
                          .zero_is_missing = shape.missing && below(random, 4) == 0});
    open.push_back({number, false});
    open.push_back({number, true});
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    TreeNode& parent = tree.nodes[static_cast<std::size_t>(open[i].node)];
    (open[i].right ? parent.right : parent.left) = ~static_cast<std::int32_t>(i);
  }
  for (std::size_t i = 0; i < num_leaves; ++i) {
    tree.leaf_values.push_back(std::normal_distribution<double>()(random));
  }
  return tree;
}

Forest random_forest(const Shape& shape) {
  Random random(shape.seed);
  ForestParts parts{.trees = {}, .num_features = shape.num_features, .base_score = 0.1};
  for (std::size_t t = 0; t < shape.num_trees; ++t)
    parts.trees.push_back(random_tree(random, shape));
  return Forest(std::move(parts));
}

// Values equal to thresholds, beside them, and everything a float can be.
std::vector<float> random_rows(const Shape& shape, std::size_t num_rows, std::size_t num_columns) {
  Random random(shape.seed + 1);
  std::vector<float> rows(num_rows * num_columns);
  for (float& value : rows) {
    value = threshold(random, shape);
    switch (below(random, 6)) {
      case 0:
        value = std::nextafter(value, kInfinity);
        break;
      case 1:
        value = std::nextafter(value, -kInfinity);
        break;
      case 2:
        value = below(random, 2) == 0 ? kNan : -kNan;
        break;
      default:
        break;
    }
  }
  return rows;
}

Context with_threads(int count) {
  Context context;
  context.threads = std::make_shared<const Threads>(count);
  return context;
}

// The first row whose score differs in any bit from the plain traversal's; empty if none does.
std::string difference(const Forest& forest, const std::vector<float>& values,
                       std::size_t num_columns, const Context& context) {
  const MatrixView<const float> rows(values.data(), values.size() / num_columns, num_columns);
  std::vector<double> scores(rows.num_rows());
  ForestScorer(forest).score(rows, scores, context);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const double expected = forest.score(rows.row(r));
    if (std::bit_cast<std::uint64_t>(scores[r]) != std::bit_cast<std::uint64_t>(expected)) {
      return fmt::format("row {} of {}: {} instead of {}", r, rows.num_rows(), scores[r], expected);
    }
  }
  return "";
}

// Runs a check once for every instruction set of this machine.
void on_every_target(const std::function<void()>& check) {
  std::vector<std::int64_t> targets = {HWY_AVX3_DL, HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_SCALAR};
  const std::int64_t supported = hwy::SupportedTargets() | HWY_SCALAR;
  for (const std::int64_t target : targets) {
    if ((supported & target) == 0) continue;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

void expect_same_bits(const Shape& shape, std::size_t num_rows) {
  const Forest forest = random_forest(shape);
  const std::vector<float> rows = random_rows(shape, num_rows, shape.num_features);
  on_every_target(
      [&] { EXPECT_EQ(difference(forest, rows, shape.num_features, with_threads(1)), ""); });
}

TEST(ForestScorer, SlicesOnEveryTargetWithVectors) {
  std::vector<bool> slices;
  on_every_target([&] { slices.push_back(can_slice()); });
  EXPECT_FALSE(slices.back());  // the plain one
  slices.pop_back();
  EXPECT_EQ(slices, std::vector<bool>(slices.size(), true));
}

TEST(ForestScorer, GivesTheSumOfAHandMadeForest) {
  // x0 <= 1 ? 10 : 20, then a constant 0.5, after a base of 100.
  const Tree stump{.nodes = {{.feature = 0, .threshold = 1, .left = ~0, .right = ~1}},
                   .leaf_values = {10, 20},
                   .statistics = {}};
  const Tree constant{.nodes = {}, .leaf_values = {0.5}, .statistics = {}};
  const Forest forest({.trees = {stump, constant}, .num_features = 1, .base_score = 100});
  const std::vector<float> rows = {1.0F, 1.5F, kNan};  // NaN goes right: missing_left is false
  std::vector<double> scores(3);
  ForestScorer(forest).score({rows.data(), 3, 1}, scores, with_threads(1));
  EXPECT_EQ(scores, (std::vector<double>{110.5, 120.5, 120.5}));
}

TEST(ForestScorer, GivesTheBaseScoreWithoutTrees) {
  const Forest forest({.trees = {}, .num_features = 2, .base_score = -0.0});
  for (const std::size_t n : {1, 40}) {
    EXPECT_EQ(difference(forest, std::vector<float>(2 * n), 2, with_threads(1)), "");
  }
}

TEST(ForestScorer, KeepsTheSignOfAZeroSum) {
  // -0 + -0 = -0, but -0 + 0 = 0: a padding tree must not be added.
  const Tree zero{.nodes = {}, .leaf_values = {-0.0}, .statistics = {}};
  const Forest forest({.trees = {zero, zero, zero}, .num_features = 1, .base_score = -0.0});
  EXPECT_EQ(difference(forest, std::vector<float>(50), 1, with_threads(1)), "");
}

TEST(ForestScorer, GivesTheSameBitsForEveryNumberOfLeaves) {
  for (const std::size_t num_leaves :
       {1,  2,   3,   8,   9,   16,  17,  31,  32,  33,   63,   64,
        65, 127, 128, 129, 192, 193, 255, 256, 257, 1000, 4096, 4097}) {
    SCOPED_TRACE(num_leaves);
    expect_same_bits({.num_trees = 3, .num_leaves = num_leaves, .seed = 1}, 140);
  }
}

TEST(ForestScorer, GivesTheSameBitsForTreesOfUnequalSize) {
  expect_same_bits({.num_trees = 21, .num_leaves = 0, .seed = 2}, 520);
}

TEST(ForestScorer, GivesTheSameBitsForEveryNumberOfCuts) {
  for (const std::size_t num_thresholds : {1, 2, 3, 4, 7, 8, 15, 16, 31, 63, 127, 255, 256, 2000}) {
    SCOPED_TRACE(num_thresholds);
    expect_same_bits({.num_trees = 12,
                      .num_leaves = 400,
                      .num_features = 2,
                      .num_thresholds = num_thresholds,
                      .missing = num_thresholds % 2 == 0,
                      .seed = 3},
                     200);
  }
}

TEST(ForestScorer, GivesTheSameBitsWhetherConditionsFit16BitsOrNot) {
  for (const std::size_t num_conditions : {32767, 32768}) {
    SCOPED_TRACE(num_conditions);
    // Chains of nodes that send rows above 0, 1, 2, ... to the right.
    std::vector<Tree> trees(1);
    for (std::size_t i = 0; i < num_conditions; ++i) {
      if (trees.back().nodes.size() == ScoringPlan::kMaxSlicedLeaves - 1) trees.emplace_back();
      const auto n = static_cast<std::int32_t>(trees.back().nodes.size());
      trees.back().nodes.push_back(
          {.threshold = static_cast<float>(i), .left = ~n, .right = n + 1});
    }
    for (Tree& tree : trees) {
      tree.nodes.back().right = ~static_cast<std::int32_t>(tree.nodes.size());
      for (std::size_t i = 0; i <= tree.nodes.size(); ++i) {
        tree.leaf_values.push_back(std::sqrt(static_cast<double>(i)));
      }
    }
    const Forest forest({.trees = trees, .num_features = 1});
    EXPECT_EQ(make_scoring_plan(forest).narrow_conditions.empty(), num_conditions > 32767);
    Random random(8);
    for (const std::size_t num_rows : {100, 140, 520}) {  // blocks of 128, 256 and 512
      std::vector<float> rows(num_rows);
      for (float& x : rows) x = static_cast<float>(below(random, num_conditions + 1));
      on_every_target([&] { EXPECT_EQ(difference(forest, rows, 1, with_threads(1)), ""); });
    }
  }
}

TEST(ForestScorer, GivesTheSameBitsForEveryNumberOfFeatures) {
  for (std::size_t num_features = 1; num_features < 40; ++num_features) {
    SCOPED_TRACE(num_features);
    expect_same_bits({.num_trees = 4, .num_leaves = 64, .num_features = num_features, .seed = 4},
                     30);
  }
}

TEST(ForestScorer, GivesTheSameBitsForEveryNumberOfRows) {
  const Shape shape{.num_trees = 5, .num_leaves = 20, .seed = 5};
  const Forest forest = random_forest(shape);
  on_every_target([&] {
    for (std::size_t num_rows = 1; num_rows <= 300; ++num_rows) {
      const std::vector<float> rows = random_rows(shape, num_rows, shape.num_features);
      ASSERT_EQ(difference(forest, rows, shape.num_features, with_threads(1)), "");
    }
  });
}

TEST(ForestScorer, ReadsRowsWiderThanTheModel) {
  for (const std::size_t num_columns : {6, 7, 8, 9, 21}) {
    const Shape shape{.num_trees = 5, .num_leaves = 30, .num_features = 5, .seed = 6};
    const std::vector<float> rows = random_rows(shape, 150, num_columns);
    on_every_target([&] {
      EXPECT_EQ(difference(random_forest(shape), rows, num_columns, with_threads(1)), "");
    });
  }
}

TEST(ForestScorer, GivesTheSameBitsForAnyNumberOfThreads) {
  const Shape shape{.num_trees = 9, .num_leaves = 64, .num_features = 30, .seed = 7};
  const Forest forest = random_forest(shape);
  const std::vector<float> rows = random_rows(shape, 3001, shape.num_features);
  for (const int count : {1, 2, 4}) {
    EXPECT_EQ(difference(forest, rows, shape.num_features, with_threads(count)), "") << count;
  }
}

TEST(ForestScorer, GivesTheSameBitsForRandomShapes) {
  EXPECT_TRUE(rc::check([] {
    const Shape shape{
        .num_trees = *rc::gen::inRange<std::size_t>(0, 12),
        .num_leaves = *rc::gen::inRange<std::size_t>(0, 90),
        .num_features = *rc::gen::inRange<std::size_t>(1, 40),
        .num_thresholds = *rc::gen::inRange<std::size_t>(1, 300),
        .missing = *rc::gen::arbitrary<bool>(),
        .seed = *rc::gen::arbitrary<std::uint32_t>(),
    };
    const auto num_rows = *rc::gen::inRange<std::size_t>(0, 300);
    const auto rows = random_rows(shape, num_rows, shape.num_features);
    RC_ASSERT(difference(random_forest(shape), rows, shape.num_features, with_threads(1)) == "");
  }));
}

TEST(ForestScorer, RefusesRowsThatDoNotFit) {
  const ForestScorer scorer(random_forest({.num_features = 3}));
  const std::vector<float> values(12);
  std::vector<double> scores(4);
  const auto message = [&](std::size_t num_rows, std::size_t num_columns) -> std::string {
    try {
      scorer.score({values.data(), num_rows, num_columns}, scores, with_threads(1));
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kUsage ? error.what() : "wrong kind";
    }
    return "no error";
  };
  EXPECT_EQ(message(4, 3), "no error");
  EXPECT_EQ(message(4, 2), "rows of 2 features for a model of 3");
  EXPECT_EQ(message(3, 4), "3 rows but room for 4 scores");
}

}  // namespace
}  // namespace glassrank
