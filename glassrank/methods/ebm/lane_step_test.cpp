#include "glassrank/methods/ebm/lane_step.h"

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/methods/ebm/step.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

// Of the lanes' gradients and steps.
constexpr double kUnit = 0x1p-20;

// Cells of every lane, some without rows; the last lane has no bag.
std::vector<std::vector<CellSum>> random_cells(std::size_t num_cells, bool has_weights,
                                               RandomSequence& random) {
  std::vector<std::vector<CellSum>> lanes(kBagLanes, std::vector<CellSum>(num_cells));
  for (std::size_t lane = 0; lane + 1 < kBagLanes; ++lane) {
    for (CellSum& cell : lanes[lane]) {
      cell.rows = static_cast<double>(random.below(6));
      cell.hessian = has_weights ? cell.rows * random.uniform() : cell.rows;
      if (cell.rows > 0) cell.gradient = random.normal();
    }
  }
  return lanes;
}

void expect_steps_of_one_bag(const EffectShape& shape, const StepRules& rules, bool has_weights,
                             RandomSequence& random) {
  const std::size_t n = shape.num_cells();
  const std::vector<std::vector<CellSum>> lanes = random_cells(n, has_weights, random);
  std::vector<double> gradients(n * kBagLanes);
  std::vector<double> hessians(n * kBagLanes);
  std::vector<double> rows(n * kBagLanes);
  for (std::size_t i = 0; i < n * kBagLanes; ++i) {
    const CellSum& cell = lanes[i % kBagLanes][i / kBagLanes];
    gradients[i] = cell.gradient / kUnit;
    hessians[i] = cell.hessian;
    rows[i] = cell.rows;
  }
  if (!has_weights) rows.clear();
  LaneStep step;
  const LaneEffect effect(shape, hessians, rows);
  std::vector<double> scratch(effect.num_sums());
  effect.fit(gradients, rules, scratch, step);
  for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
    std::vector<float> one(n);
    StepScratch one_scratch;
    const bool has_step =
        shape.is_surface()
            ? fit_surface({.cells = lanes[lane], .height = shape.height, .width = shape.width},
                          rules, one_scratch, one)
            : fit_curve(lanes[lane], rules, one_scratch, one);
    EXPECT_EQ(step.has_step[lane], has_step) << lane;
    for (std::size_t c = 0; c < n; ++c) {
      EXPECT_NEAR(kUnit * step.values[c * kBagLanes + lane], one[c], 1e-6) << lane << ' ' << c;
    }
  }
  on_every_target([&] {
    LaneStep other;
    effect.fit(gradients, rules, scratch, other);
    EXPECT_EQ(other.has_step, step.has_step);
    EXPECT_EQ(other.values, step.values);
  });
}

TEST(LaneStep, CurvesHaveTheStepsOfEveryBagAlone) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomSequence random(CounterRandom(seed, "lane curve"));
    const StepRules rules{.max_leaves = 2 + random.below(4),
                          .min_leaf_rows = static_cast<double>(random.below(8)),
                          .min_leaf_hessian = seed % 4 == 0 ? 0.0 : 1e-3,
                          .learning_rate = 0.5};
    expect_steps_of_one_bag({.height = 2 + random.below(40)}, rules, seed % 2 == 0, random);
  }
}

TEST(LaneStep, SurfacesHaveTheStepsOfEveryBagAlone) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomSequence random(CounterRandom(seed, "lane surface"));
    const StepRules rules{.min_leaf_rows = static_cast<double>(random.below(8)),
                          .min_leaf_hessian = seed % 4 == 0 ? 0.0 : 1e-3,
                          .learning_rate = 0.5};
    expect_steps_of_one_bag({.height = 2 + random.below(8), .width = 2 + random.below(8)}, rules,
                            seed % 2 == 0, random);
  }
}

TEST(LaneStep, StepsKeepWithinTheirBits) {
  const std::vector<double> hessians(2 * kBagLanes, 1.0);
  std::vector<double> gradients(2 * kBagLanes);
  gradients[0] = 1e15;
  gradients[kBagLanes] = -1e15;
  const LaneEffect effect({.height = 2}, hessians, {});
  std::vector<double> scratch(effect.num_sums());
  LaneStep step;
  effect.fit(gradients, {.min_leaf_rows = 1}, scratch, step);
  EXPECT_EQ(step.values[0], -kMostStep);
  EXPECT_EQ(step.values[kBagLanes], kMostStep);
}

TEST(LaneStep, OneLeafIsNoStep) {
  RandomSequence random(CounterRandom(1, "lane leaf"));
  expect_steps_of_one_bag({.height = 9}, {.max_leaves = 1}, false, random);
  expect_steps_of_one_bag({.height = 9}, {.min_leaf_rows = 1000}, false, random);
}

}  // namespace
}  // namespace glassrank
