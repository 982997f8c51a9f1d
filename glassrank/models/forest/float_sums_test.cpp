#include "glassrank/models/forest/float_sums.h"

#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

// 2^24 + 1 is no float32: adding 1 twice to 2^24 stays there, adding 2 at once does not.
TEST(FloatSums, RoundAfterEachTree) {
  ForestParts parts{.num_features = 1, .base_score = 16'777'216};
  for (int t = 0; t < 2; ++t) {
    parts.trees.push_back({.nodes = {{.feature = 0, .threshold = 0, .left = ~0, .right = ~1}},
                           .leaf_values = {1, 2},
                           .statistics = {}});
  }
  const Forest forest(std::move(parts));
  const std::vector<float> values = {-1, 1};
  std::vector<double> scores(2);
  make_float_sum_scorer(forest)->score({values.data(), 2, 1}, scores, Context{});
  EXPECT_EQ(scores, (std::vector<double>{16'777'216, 16'777'220}));
  EXPECT_EQ(forest.score(std::span(values).first(1)), 16'777'218);
}

}  // namespace
}  // namespace glassrank
