#include "glassrank/methods/ebm/step.h"

#include <cmath>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

constexpr StepRules kRules{
    .max_leaves = 3, .min_leaf_rows = 1, .min_leaf_hessian = 0, .learning_rate = 0.5};

// One row a cell, hessian 1.
std::vector<CellSum> cells_of(std::initializer_list<double> gradients) {
  std::vector<CellSum> cells;
  for (const double g : gradients) cells.push_back({.gradient = g, .hessian = 1, .rows = 1});
  return cells;
}

std::vector<float> curve(std::span<const CellSum> cells, const StepRules& rules) {
  std::vector<float> step(cells.size(), 7);
  StepScratch scratch;
  fit_curve(cells, rules, scratch, step);
  return step;
}

TEST(CurveStep, CutsWhereTheGainIsLargestAndMovesAgainstTheGradient) {
  // Cells in order, missing (last) first: 0 | 6 6 | -3 -3. Cutting after the second 6 gains
  // 12^2/3 + 36/2 - 36/5 = 58.8, the largest. Then 0 | 6 6 gains 0 + 144/2 - 144/3 = 24.
  // Leaves: 0 -> 0; 12/2 -> -.5 * 6 = -3; -6/2 -> 1.5.
  const std::vector<CellSum> cells = cells_of({6, 6, -3, -3, 0});
  EXPECT_EQ(curve(cells, kRules), (std::vector<float>{-3, -3, 1.5F, 1.5F, 0}));
}

TEST(CurveStep, HasTwoLeavesWhenTwoAreAllowed) {
  const std::vector<CellSum> cells = cells_of({6, 6, -3, -3, 0});
  StepRules rules = kRules;
  rules.max_leaves = 2;
  // 0 6 6 -> -.5 * 12/3 = -2.
  EXPECT_EQ(curve(cells, rules), (std::vector<float>{-2, -2, 1.5F, 1.5F, -2}));
}

TEST(CurveStep, LeavesHaveTheRowsAndHessianAskedFor) {
  const std::vector<CellSum> cells = cells_of({9, 0, 0, 0, 0});
  StepRules rules = kRules;
  rules.min_leaf_rows = 2;
  // Missing and 9 must stay together: 9/2 -> -2.25; the rest may still be cut but gains nothing.
  EXPECT_EQ(curve(cells, rules), (std::vector<float>{-2.25F, 0, 0, 0, -2.25F}));
  rules.min_leaf_rows = 1;
  rules.min_leaf_hessian = 3;
  EXPECT_EQ(curve(cells, rules), (std::vector<float>(5, 0)));
}

TEST(CurveStep, IsNothingWithoutAGain) {
  std::vector<float> step(3, 7);
  StepScratch scratch;
  EXPECT_FALSE(fit_curve(cells_of({2, 2, 2}), kRules, scratch, step));
  EXPECT_EQ(step, (std::vector<float>(3, 0)));
}

TEST(CurveStep, WeighsByHessians) {
  // 4/8 and -2/1: the step of the first leaf is small though its gradient is large.
  const std::vector<CellSum> cells = {
      {.gradient = 4, .hessian = 8, .rows = 3}, {.gradient = -2, .hessian = 1, .rows = 1}, {}};
  EXPECT_EQ(curve(cells, kRules), (std::vector<float>{-0.25F, 1, -0.25F}));
}

std::vector<float> surface(std::span<const CellSum> cells, std::size_t height, std::size_t width,
                           const StepRules& rules) {
  std::vector<float> step(cells.size(), 7);
  StepScratch scratch;
  fit_surface({.cells = cells, .height = height, .width = width}, rules, scratch, step);
  return step;
}

TEST(SurfaceStep, FindsAnExclusiveOr) {
  // 2 x 2 values and missing cells without rows.
  std::vector<CellSum> cells(9);
  cells[0] = cells[4] = {.gradient = 2, .hessian = 1, .rows = 1};
  cells[1] = cells[3] = {.gradient = -4, .hessian = 1, .rows = 1};
  const std::vector<float> step = surface(cells, 3, 3, kRules);
  EXPECT_EQ(step[0], -1);
  EXPECT_EQ(step[1], 2);
  EXPECT_EQ(step[3], 2);
  EXPECT_EQ(step[4], -1);
  EXPECT_EQ(step[8], -1);  // missing is below the first value
}

TEST(SurfaceStep, CutsTheTwoSidesOfTheFirstCutAtDifferentPlaces) {
  // Rows: first 1 | 9 9, second 9 9 | 1 (columns); no single grid fits both, two inner cuts do.
  std::vector<CellSum> cells(3 * 4);
  const double gradients[2][3] = {{1, 9, 9}, {9, 9, 1}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      cells[i * 4 + j] = {.gradient = gradients[i][j], .hessian = 1, .rows = 1};
    }
  }
  const std::vector<float> step = surface(cells, 3, 4, kRules);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(step[i * 4 + j], -0.5 * gradients[i][j]);
  }
}

TEST(SurfaceStep, IsNothingWhenAQuadrantWouldBeTooSmall) {
  std::vector<CellSum> cells(9);
  cells[0] = cells[4] = {.gradient = 2, .hessian = 1, .rows = 1};
  cells[1] = cells[3] = {.gradient = -4, .hessian = 1, .rows = 1};
  StepRules rules = kRules;
  rules.min_leaf_rows = 2;
  EXPECT_EQ(surface(cells, 3, 3, rules), (std::vector<float>(9, 0)));
}

// By trying everything with sums from scratch.
double best_surface_strength(std::span<const CellSum> cells, std::size_t height, std::size_t width,
                             const StepRules& rules) {
  const auto place = [](std::size_t cell, std::size_t n) { return cell == n - 1 ? 0 : cell + 1; };
  double best = 0;
  for (const bool turned : {false, true}) {
    const std::size_t outer_size = turned ? width : height;
    const std::size_t inner_size = turned ? height : width;
    for (std::size_t outer = 1; outer < outer_size; ++outer) {
      for (std::size_t below = 1; below < inner_size; ++below) {
        for (std::size_t above = 1; above < inner_size; ++above) {
          CellSum quadrants[4];
          for (std::size_t i = 0; i < height; ++i) {
            for (std::size_t j = 0; j < width; ++j) {
              const std::size_t o = turned ? place(j, width) : place(i, height);
              const std::size_t n = turned ? place(i, height) : place(j, width);
              const bool is_high = o >= outer;
              quadrants[2 * is_high + (n >= (is_high ? above : below))] += cells[i * width + j];
            }
          }
          double sum = 0;
          for (const CellSum& q : quadrants) {
            sum = q.rows < rules.min_leaf_rows ? -std::numeric_limits<double>::infinity()
                                               : sum + q.gradient * q.gradient / q.hessian;
          }
          best = std::max(best, sum);
        }
      }
    }
  }
  return best;
}

TEST(SurfaceStep, IsTheBestOfAllCutsTriedOneByOne) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomSequence random(CounterRandom(seed, "surfaces"));
    const std::size_t height = 3 + random.below(4);
    const std::size_t width = 3 + random.below(4);
    std::vector<CellSum> cells(height * width);
    for (CellSum& cell : cells) {
      cell.rows = static_cast<double>(random.below(4));
      cell.hessian = cell.rows;
      cell.gradient = cell.rows > 0 ? std::floor(20 * random.uniform()) - 10 : 0;
    }
    StepRules rules = kRules;
    rules.min_leaf_rows = 2;
    const std::vector<float> step = surface(cells, height, width, rules);
    // With steps -G/H / 2 the sum of -2 * step * gradient is the strength.
    double found = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) found -= 2 * step[c] * cells[c].gradient;
    EXPECT_NEAR(found, best_surface_strength(cells, height, width, rules), 1e-4) << seed;
  }
}

}  // namespace
}  // namespace glassrank
