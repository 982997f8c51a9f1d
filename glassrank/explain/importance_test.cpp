#include "glassrank/explain/importance.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

// Splits on features 2, 0 and 2 with the given gains.
Tree chain(std::vector<double> gains) {
  return {.nodes = {{.feature = 2, .left = 1, .right = ~0},
                    {.feature = 0, .left = 2, .right = ~1},
                    {.feature = 2, .left = ~2, .right = ~3}},
          .leaf_values = {1, 2, 3, 4},
          .statistics = {.node_gain = std::move(gains)}};
}

TEST(SplitImportance, CountsSplitsOfEveryTree) {
  const Forest forest({.trees = {chain({5, 4, 3}), chain({5, 4, 3})}, .num_features = 4});
  EXPECT_EQ(split_importance(forest), (std::vector<std::uint64_t>{2, 0, 4, 0}));
}

TEST(SplitImportance, DoesNotCountSplitsWithoutGainAsLightGbm) {
  const Forest forest({.trees = {chain({5, 0, -1})}, .num_features = 3});
  EXPECT_EQ(split_importance(forest), (std::vector<std::uint64_t>{0, 0, 1}));
}

TEST(SplitImportance, CountsEverySplitWhenGainsAreNotKnown) {
  const Forest forest({.trees = {chain({})}, .num_features = 3});
  EXPECT_EQ(split_importance(forest), (std::vector<std::uint64_t>{1, 0, 2}));
}

TEST(GainImportance, AddsPositiveGains) {
  const Forest forest({.trees = {chain({5, 4, 3}), chain({2, -7, 1})}, .num_features = 4});
  EXPECT_EQ(gain_importance(forest), (std::vector<double>{4, 0, 5 + 3 + 2 + 1, 0}));
}

TEST(GainImportance, IsNothingWhenATreeHasNoGains) {
  EXPECT_EQ(gain_importance(Forest({.trees = {chain({5, 4, 3}), chain({})}, .num_features = 3})),
            std::nullopt);
}

TEST(GainImportance, OfATreeWithoutSplitsIsZero) {
  const Forest forest({.trees = {{.nodes = {}, .leaf_values = {1}}}, .num_features = 2});
  EXPECT_EQ(gain_importance(forest), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace glassrank
