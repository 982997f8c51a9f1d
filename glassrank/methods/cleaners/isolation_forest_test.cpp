#include "glassrank/methods/cleaners/isolation_forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Rows {
  std::vector<float> values;
  std::size_t num_features = 1;
  MatrixView<const float> view() const {
    return {values.data(), values.size() / num_features, num_features};
  }
};

Rows normal_rows(std::size_t num_rows, std::size_t num_features, std::uint64_t seed = 1) {
  const CounterRandom random(seed, "isolation_forest_test");
  Rows rows{.values = std::vector<float>(num_rows * num_features), .num_features = num_features};
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    rows.values[i] = static_cast<float>(random.normal(i));
  }
  return rows;
}

Context with_threads(int count, std::uint64_t seed = 3) {
  return {.threads = std::make_shared<Threads>(count), .seed = seed};
}

// H(1) = 1: 2 - 2/2; H(2) = 1.5: 3 - 4/3; H(3) = 11/6: 11/3 - 6/4.
TEST(AveragePath, IsThatOfABinarySearchTree) {
  EXPECT_EQ(average_path(0), 0);
  EXPECT_EQ(average_path(1), 0);
  EXPECT_DOUBLE_EQ(average_path(2), 1.0);
  EXPECT_DOUBLE_EQ(average_path(3), 5.0 / 3);
  EXPECT_DOUBLE_EQ(average_path(4), 13.0 / 6);
  // Close to the paper's estimate H(i) = ln i + 0.5772156649.
  EXPECT_NEAR(average_path(256), 2 * (std::log(255.0) + 0.5772156649) - 2 * 255.0 / 256, 0.004);
}

// Root: feature 0 <= 2 goes left to a leaf of 1 sample row, depth 1. Right: feature 1 <= -1,
// missing right; its leaves at depth 2 hold 3 and 4 rows.
IsolationTree hand_made_tree() {
  return {.nodes = {{.threshold = 2, .feature = 0, .left = 1},
                    {.threshold = kInfinity, .left = 1, .path = 1},
                    {.threshold = -1, .feature = 1 | IsolationNode::kMissingRight, .left = 3},
                    {.threshold = kInfinity, .left = 3, .path = 2 + 5.0F / 3},
                    {.threshold = kInfinity, .left = 4, .path = 2 + 13.0F / 6}},
          .depth = 2};
}

TEST(IsolationTree, PathLengthsOfAHandMadeTree) {
  const IsolationTree tree = hand_made_tree();
  EXPECT_NEAR(tree.path_length(std::vector<float>{2, 0}), 1, 1e-6);
  EXPECT_NEAR(tree.path_length(std::vector<float>{2.1F, -1}), 2 + 5.0 / 3, 1e-6);
  EXPECT_NEAR(tree.path_length(std::vector<float>{2.1F, 0}), 2 + 13.0 / 6, 1e-6);
  EXPECT_NEAR(tree.path_length(std::vector<float>{kMissing, 0}), 1, 1e-6);
  EXPECT_NEAR(tree.path_length(std::vector<float>{3, kMissing}), 2 + 13.0 / 6, 1e-6);
}

// Two trees with paths 1 and 2 + 5/3 on samples of 4 rows, c(4) = 13/6: mean 7/3,
// 2^-(7/3 / (13/6)) = 2^-(14/13) = 0.4740388.
TEST(IsolationForest, ScoreIsTwoToTheMeanPathOverTheNormalOne) {
  IsolationTree other{.nodes = {{.threshold = kInfinity, .left = 0, .path = 1}}, .depth = 0};
  const IsolationForest forest({hand_made_tree(), other}, 4);
  EXPECT_NEAR(forest.score(std::vector<float>{5, -2}), 0.4740388, 1e-6);
  const Rows rows{.values = {5, -2}, .num_features = 2};
  EXPECT_FLOAT_EQ(forest.scores(rows.view(), with_threads(1))[0], 0.4740388F);
}

TEST(IsolationTree, WithoutAHeightLimitEveryDifferentRowIsAlone) {
  const Rows rows = normal_rows(40, 3);
  RandomSequence random(CounterRandom(1, "tree"));
  const IsolationTree tree = grow_isolation_tree(rows.view(), 1000, random);
  EXPECT_EQ(tree.nodes.size(), 2 * 40U - 1);
  // Whole path lengths: no leaf has rows that would need the average of a tree below it.
  for (std::size_t r = 0; r < 40; ++r) {
    const double path = tree.path_length(rows.view().row(r));
    EXPECT_EQ(path, std::floor(path));
    EXPECT_GE(path, 1);
  }
}

TEST(IsolationTree, EndsAtTheHeight) {
  const Rows rows = normal_rows(256, 4);
  RandomSequence random(CounterRandom(1, "tree"));
  const IsolationTree tree = grow_isolation_tree(rows.view(), 3, random);
  EXPECT_EQ(tree.depth, 3);
  EXPECT_LE(tree.nodes.size(), 15U);
}

// Values 1, 2, 3, 10 and a missing one: whatever the threshold, 10 is alone on the right or the
// left side is the smaller one only when the threshold is below 2.
TEST(IsolationTree, MissingValuesFollowTheLargerSide) {
  const Rows rows{.values = {1, 2, 3, 10, kMissing}};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomSequence random(CounterRandom(seed, "tree"));
    const IsolationTree tree = grow_isolation_tree(rows.view(), 1, random);
    ASSERT_EQ(tree.nodes.size(), 3);
    const float missing = kMissing;
    const float threshold = tree.nodes[0].threshold;
    EXPECT_EQ(tree.nodes[0].next(&missing), threshold < 2 ? 2U : 1U) << threshold;
    const double in_larger = tree.path_length(std::vector<float>{kMissing});
    EXPECT_NEAR(in_larger, 1 + average_path(threshold < 2 || threshold >= 3 ? 4 : 3), 1e-6);
  }
}

TEST(IsolationTree, NeverDrawsAFeatureThatDoesNotTellRowsApart) {
  Rows rows{.num_features = 4};
  for (int r = 0; r < 30; ++r) {
    rows.values.insert(rows.values.end(),
                       {7, static_cast<float>(r), kMissing, r % 2 == 0 ? kMissing : 1.0F});
  }
  RandomSequence random(CounterRandom(5, "tree"));
  const IsolationTree tree = grow_isolation_tree(rows.view(), 20, random);
  EXPECT_EQ(tree.nodes.size(), 59);
  for (const IsolationNode& node : tree.nodes) {
    if (node.threshold < kInfinity) {
      EXPECT_EQ(node.feature & ~IsolationNode::kMissingRight, 1U);
    }
  }
}

TEST(IsolationTree, SplitsInfiniteAndNeighbouringValues) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (const auto& values : {std::vector<float>{-kInfinity, kInfinity},
                             {-kInfinity, -kLargest},
                             {kLargest, kInfinity},
                             {-kLargest, kLargest},
                             {1.0F, std::nextafter(1.0F, 2.0F)},
                             {0.0F, 1e-45F}}) {
    const Rows rows{.values = values};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      RandomSequence random(CounterRandom(seed, "tree"));
      const IsolationTree tree = grow_isolation_tree(rows.view(), 5, random);
      EXPECT_EQ(tree.path_length(std::vector<float>{values[0]}), 1);
      EXPECT_EQ(tree.path_length(std::vector<float>{values[1]}), 1);
    }
  }
}

TEST(IsolationForest, FindsPlantedAnomalies) {
  Rows rows = normal_rows(5000, 10);
  std::vector<std::uint32_t> planted;
  for (std::uint32_t r = 7; r < 5000; r += 250) {
    planted.push_back(r);
    for (std::size_t f = 0; f < 4; ++f) {
      rows.values[r * 10 + (r + f) % 10] += f % 2 == 0 ? 7.0F : -7.0F;
    }
  }
  const IsolationForest forest(rows.view(), {}, with_threads(2));
  const auto scores = forest.scores(rows.view(), with_threads(2));
  const double share = static_cast<double>(planted.size()) / 5000;
  EXPECT_EQ(anomalous_rows(scores, {.contamination = share}), planted);
}

RC_GTEST_PROP(IsolationForest, FastScoresAreThoseOfTheDefinition, ()) {
  const auto num_rows = *rc::gen::inRange<std::size_t>(1, 120);
  const auto num_features = *rc::gen::inRange<std::size_t>(1, 5);
  Rows rows = normal_rows(num_rows, num_features, *rc::gen::arbitrary<std::uint64_t>());
  for (float& value : rows.values) {
    value = value > 1.5F ? kMissing : std::round(2 * value);
  }
  const IsolationForestParams params{.num_trees = 7, .sample_rows = 33};
  const IsolationForest forest(rows.view(), params, with_threads(1));
  const auto scores = forest.scores(rows.view(), with_threads(1));
  for (std::size_t r = 0; r < num_rows; ++r) {
    RC_ASSERT(scores[r] > 0 && scores[r] < 1);
    RC_ASSERT(std::abs(scores[r] - forest.score(rows.view().row(r))) < 1e-7);
  }
}

TEST(IsolationForest, SameScoresForAnyNumberOfThreads) {
  const Rows rows = normal_rows(6000, 5);
  const auto scores = [&](int threads, std::uint64_t seed) {
    const Context context = with_threads(threads, seed);
    return IsolationForest(rows.view(), {}, context).scores(rows.view(), context);
  };
  const std::vector<float> one = scores(1, 3);
  EXPECT_EQ(one, scores(2, 3));
  EXPECT_EQ(one, scores(4, 3));
  EXPECT_NE(one, scores(1, 4));
}

TEST(IsolationForest, SamplesDifferentRowsUpToTheHeightOfTheirLogarithm) {
  const Rows rows = normal_rows(1000, 3);
  const IsolationForest forest(rows.view(), {}, with_threads(1));
  ASSERT_EQ(forest.trees().size(), 100);
  for (const IsolationTree& tree : forest.trees()) EXPECT_EQ(tree.depth, 8);
  // A sample of every row without replacement holds each once: alone, each at a whole depth.
  const IsolationForest whole(rows.view(), {.num_trees = 1, .sample_rows = 1000, .height = 500},
                              with_threads(1));
  EXPECT_EQ(whole.trees()[0].nodes.size(), 1999);
}

TEST(IsolationForest, RowsThatDoNotDifferAreNotOdd) {
  for (const Rows& rows : {Rows{.values = std::vector<float>(600, 2.5F), .num_features = 2},
                           Rows{.values = std::vector<float>(40, kMissing), .num_features = 2},
                           Rows{.values = {1, 2}, .num_features = 2}}) {
    const IsolationForest forest(rows.view(), {}, with_threads(1));
    const auto scores = forest.scores(rows.view(), with_threads(1));
    for (const float score : scores) EXPECT_FLOAT_EQ(score, 0.5F);
    EXPECT_NEAR(forest.score(rows.view().row(0)), 0.5, 1e-7);
    EXPECT_TRUE(anomalous_rows(scores, {}).empty());
  }
}

TEST(IsolationForest, RefusesNothingToLearnFromAndParametersBelowOne) {
  const Rows rows = normal_rows(10, 2);
  const auto message = [&](MatrixView<const float> view, const IsolationForestParams& params) {
    return message_of([&] { IsolationForest(view, params, with_threads(1)); });
  };
  EXPECT_EQ(message({}, {}), "an isolation forest needs rows and features; there are 0 x 0");
  EXPECT_EQ(message(rows.view(), {.num_trees = 0}),
            "an isolation forest of 0 trees on 256 rows with height 0: trees and rows are at least "
            "1, height at least 0");
}

TEST(AnomalousRows, AreAboveTheThresholdOrTheFirstOfTheHighest) {
  const std::vector<float> scores = {0.5F, 0.7F, 0.6F, 0.7F, 0.4F, 0.7F};
  using Found = std::vector<std::uint32_t>;
  EXPECT_EQ(anomalous_rows(scores, {}), (Found{1, 2, 3, 5}));
  EXPECT_EQ(anomalous_rows(scores, {.threshold = 0.6}), (Found{1, 2, 3, 5}))
      << "0.6F lies above 0.6";
  EXPECT_EQ(anomalous_rows(scores, {.threshold = 0.65}), (Found{1, 3, 5}));
  // 2 of 6: rows 1 and 3 of the three with 0.7; 1/12 of 6 rounds to 1, 1/13 to 0.
  EXPECT_EQ(anomalous_rows(scores, {.contamination = 1.0 / 3}), (Found{1, 3}));
  EXPECT_EQ(anomalous_rows(scores, {.contamination = 1.0 / 12}), (Found{1}));
  EXPECT_EQ(anomalous_rows(scores, {.contamination = 1.0 / 13}), Found{});
  EXPECT_EQ(anomalous_rows(scores, {.contamination = 1}).size(), 6);
}

}  // namespace
}  // namespace glassrank
