#include "glassrank/models/gam/monotone.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/models/gam/gam_edit.h"

namespace glassrank {
namespace {

// Feature 0 has a curve, and a surface with each of features 1 and 2.
struct Small {
  std::vector<double> curve;
  std::vector<std::vector<double>> surfaces;  // row-major, x times z
};

Gam make(const Small& small, const std::vector<float>& edges, std::vector<double> weights = {}) {
  GamParts parts;
  parts.num_features = 1 + small.surfaces.size();
  if (!small.curve.empty()) {
    parts.effects.push_back({.axes = {{.feature = 0, .edges = edges}},
                             .values = small.curve,
                             .errors = {},
                             .weights = std::move(weights)});
  }
  for (std::uint32_t j = 0; j < small.surfaces.size(); ++j) {
    parts.effects.push_back(
        {.axes = {{.feature = 0, .edges = edges}, {.feature = j + 1, .edges = {0}}},
         .values = small.surfaces[j],
         .errors = {},
         .weights = {}});
  }
  return Gam(std::move(parts));
}

Gam with(const Gam& gam, std::vector<GamEffect> effects) {
  GamParts parts = gam.parts();
  parts.effects = std::move(effects);
  return Gam(std::move(parts));
}

TEST(Monotone, AddsUpWhatCurveAndSurfacesDo) {
  // One edge. The curve rises by 1; the surface falls by 2 at its first z, rises by 3 at the
  // second, stays at missing z: between -1 and 4 together.
  const Gam gam = make({{0, 1, 9}, {{0, 0, 0, -2, 3, 0, 5, 5, 5}}}, {10});
  const Monotonicity found = monotonicity(gam, 0);
  EXPECT_EQ(found.largest_fall, 1);
  EXPECT_EQ(found.largest_rise, 4);
  EXPECT_EQ(found.fall_edge, 10);
  EXPECT_FALSE(found.never_falls());
  // In the other feature the surface alone: +0 below the edge of x, from -2 to 3 above it.
  EXPECT_EQ(monotonicity(gam, 1).largest_rise, 5);
  EXPECT_TRUE(monotonicity(gam, 1).never_falls());
}

TEST(Monotone, MovesCellsByHand) {
  // One edge: the curve has a rise of 0, the surface -3, 0, 0. All cells weigh alike. Moving a pair
  // of cells apart by m costs m^2 / 2. With the curve apart by a and the first z by b:
  // a + (b - 3) = 0, and a^2 + b^2 is least for a = b = 1.5.
  const Gam gam = make({{0, 0, 0}, {{0, 0, 0, -3, 0, 0, 0, 0, 0}}}, {10});
  // But then z = 2 and 3 rise by 1.5 + 0 >= 0: free. b - 3 = -1.5 is the smallest: as assumed.
  const std::vector<GamEffect> after = nearest_monotone(gam, {.feature = 0});
  EXPECT_NEAR(after[0].values[0], -0.75, 1e-9);
  EXPECT_NEAR(after[0].values[1], 0.75, 1e-9);
  EXPECT_NEAR(after[1].values[0], -0.75, 1e-9);
  EXPECT_NEAR(after[1].values[3], -2.25, 1e-9);
  EXPECT_EQ(after[1].values[1], 0);  // not moved
  EXPECT_EQ(after[0].values[2], 0);
  EXPECT_TRUE(monotonicity(with(gam, after), 0).never_falls());
}

// The same by another way: every combination of other cells is a linear condition of its own, and
// the quadratic program is solved by Hildreth's method, row by row.
std::vector<std::vector<double>> by_hildreth(const Gam& gam, double sign,
                                             const std::vector<std::vector<double>>& weights) {
  struct Row {
    std::vector<std::pair<std::size_t, std::size_t>> up;  // effect and cell
    std::vector<std::pair<std::size_t, std::size_t>> down;
    double multiplier = 0;
  };
  std::vector<Row> rows;
  const std::size_t num_edges = gam.effects()[0].axes[0].edges.size();
  const std::size_t num_z = 3;
  std::size_t combinations = 1;
  for (const GamEffect& effect : gam.effects()) combinations *= effect.is_pair() ? num_z : 1;
  for (std::size_t k = 0; k < num_edges; ++k) {
    for (std::size_t c = 0; c < combinations; ++c) {
      Row row;
      std::size_t rest = c;
      for (std::size_t e = 0; e < gam.effects().size(); ++e) {
        const bool is_pair = gam.effects()[e].is_pair();
        const std::size_t z = is_pair ? rest % num_z : 0;
        if (is_pair) rest /= num_z;
        const std::size_t stride = is_pair ? num_z : 1;
        row.up.emplace_back(e, (k + 1) * stride + z);
        row.down.emplace_back(e, k * stride + z);
      }
      rows.push_back(row);
    }
  }
  std::vector<std::vector<double>> values;
  for (const GamEffect& effect : gam.effects()) values.push_back(effect.values);
  for (int sweep = 0; sweep < 20000; ++sweep) {
    for (Row& row : rows) {
      double rise = 0;
      double norm = 0;
      for (const auto& [e, c] : row.up) rise += sign * values[e][c], norm += 1 / weights[e][c];
      for (const auto& [e, c] : row.down) rise -= sign * values[e][c], norm += 1 / weights[e][c];
      const double change = std::max(-rise / norm, -row.multiplier);
      row.multiplier += change;
      for (const auto& [e, c] : row.up) values[e][c] += sign * change / weights[e][c];
      for (const auto& [e, c] : row.down) values[e][c] -= sign * change / weights[e][c];
    }
  }
  return values;
}

TEST(Monotone, IsTheNearestModel) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomSequence stream(CounterRandom(seed, 7));
    const auto draw = [&] { return 2 * stream.uniform() - 1; };
    const std::vector<float> edges =
        seed % 2 == 0 ? std::vector<float>{1, 2} : std::vector<float>{1, 2, 3, 4};
    const std::size_t n = edges.size() + 2;
    Small small;
    for (std::size_t c = 0; c < n; ++c) small.curve.push_back(draw());
    for (std::size_t j = 0; j < 1 + seed % 3; ++j) {
      std::vector<double>& surface = small.surfaces.emplace_back();
      for (std::size_t c = 0; c < n * 3; ++c) surface.push_back(draw());
    }
    GamParts parts = make(small, edges).parts();
    std::vector<std::vector<double>> weights;
    for (GamEffect& effect : parts.effects) {
      for (std::size_t c = 0; c < effect.num_cells(); ++c) {
        effect.weights.push_back(std::floor(5 * (draw() + 1)) + 1);
      }
      weights.push_back(effect.weights);
    }
    const Gam gam(std::move(parts));
    const double sign = seed % 4 < 2 ? 1 : -1;
    const std::vector<GamEffect> after = nearest_monotone(gam, {.feature = 0, .sign = sign});
    const auto expected = by_hildreth(gam, sign, weights);
    for (std::size_t e = 0; e < after.size(); ++e) {
      for (std::size_t c = 0; c < after[e].values.size(); ++c) {
        EXPECT_NEAR(after[e].values[c], expected[e][c], 1e-6) << e << " " << c;
      }
    }
    const Monotonicity found = monotonicity(with(gam, after), 0);
    EXPECT_TRUE(sign > 0 ? found.never_falls() : found.never_rises());
  }
}

// Every pair of neighbouring cells, whatever the other features: by the scores themselves.
TEST(Monotone, ScoresNeverFall) {
  const Gam gam =
      make({{2, 1, 0, 3, 7}, {{0, 2, 1, 4, 0, 2, 1, 1, 1, 0, 5, 0, 3, 3, 3}}}, {1, 2, 3});
  const Model edited_model =
      edited(Model{.body = gam, .provenance = {}}, parse_edit("monotone up feature 1"));
  for (const float z : {-1.0F, 1.0F, std::nanf("")}) {
    double before = -1e9;
    for (const float x : {0.5F, 1.5F, 2.5F, 3.5F}) {
      const double score = score_row(edited_model, std::vector<float>{x, z});
      EXPECT_GE(score, before - 1e-12);
      before = score;
    }
  }
  // Only between 1 and 3: the edges 1 and 2; the third may fall.
  const Model part =
      edited(Model{.body = gam, .provenance = {}}, parse_edit("monotone up feature 1 1..3"));
  EXPECT_NEAR(require_gam(part, "test").effects()[0].values[3], 3, 1e-9);
}

TEST(Monotone, WorksWithoutACurve) {
  const Gam gam = make({{}, {{0, 2, 1, -4, 0, 2, 3, 3, 3}}}, {1});
  EXPECT_FALSE(monotonicity(gam, 0).never_falls());
  const Gam after = edited(gam, parse_edit("monotone up feature 1"));
  EXPECT_TRUE(monotonicity(after, 0).never_falls());
}

}  // namespace
}  // namespace glassrank
