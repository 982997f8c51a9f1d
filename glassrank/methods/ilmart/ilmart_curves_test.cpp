// The curves ILMART learns, against those the data were made of.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/methods/ilmart/ilmart.h"
#include "glassrank/models/gam/distil.h"
#include "testing/additive_fixture.h"

namespace glassrank {
namespace {

// The true curves of additive(), each with mean 0.
double true_value(std::size_t feature, float x) {
  if (feature == 0) return x > 0 ? 1 : -1;
  if (feature == 1) return 2 * std::abs(x) - 1;
  return feature == 2 ? x : 0;
}

// A ranking says nothing about the scale of scores, so one factor, the same for all curves, is
// free.
TEST(Ilmart, RecoversTheCurvesOfAnAdditiveTruth) {
  const Dataset train = testing::additive(300, 3);
  const Dataset valid = testing::additive(100, 4);
  IlmartParams params;
  params.trees.boosting.num_trees = 300;
  params.trees.boosting.num_leaves = 4;
  params.trees.boosting.learning_rate = 0.1;
  params.num_interactions = 0;
  const Forest forest = train_ilmart(train, &valid, params, Context{}).forest;
  const Gam gam = centred(with_weights(distil(forest), train));
  const auto value = [&](std::size_t feature, float x) {
    for (const GamEffect& effect : gam.effects()) {
      if (effect.axes[0].feature == feature) return effect.values[effect.axes[0].cell(x)];
    }
    return 0.0;
  };
  std::vector<float> grid;
  for (int i = 0; i < 20; ++i) grid.push_back(-0.95F + 0.1F * static_cast<float>(i));
  double product = 0;
  double squares = 0;
  for (std::size_t f = 0; f < 4; ++f) {
    for (const float x : grid) {
      product += true_value(f, x) * value(f, x);
      squares += true_value(f, x) * true_value(f, x);
    }
  }
  const double scale = product / squares;
  ASSERT_GT(scale, 0);
  for (std::size_t f = 0; f < 4; ++f) {
    for (const float x : grid) {
      EXPECT_NEAR(value(f, x) / scale, true_value(f, x), f == 3 ? 0.06 : 0.2) << f << " at " << x;
    }
  }
}

}  // namespace
}  // namespace glassrank
