#include "glassrank/models/gam/gam_scorer.h"

#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include <gtest/gtest.h>
#define HWY_WANT_AVX3_DL
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "glassrank/models/gam/gam_plan.h"
#include "testing/message_of.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Rows {
  std::vector<float> values;
  std::size_t num_columns = 0;
  std::size_t size() const { return values.size() / num_columns; }
  MatrixView<const float> view() const { return {values.data(), size(), num_columns}; }
};

// With `spare` columns behind those of the model.
Rows rows_for(GamMaker& maker, const Gam& gam, std::size_t num_rows, std::size_t spare) {
  Rows rows{.values = {}, .num_columns = gam.num_features() + spare};
  for (std::size_t r = 0; r < num_rows; ++r) {
    std::vector<float> row = maker.row(gam);
    row.resize(rows.num_columns, 7);
    rows.values.insert(rows.values.end(), row.begin(), row.end());
  }
  return rows;
}

void expect_same_bits(const Gam& gam, const Rows& rows, int threads = 1) {
  Context context;
  context.threads = std::make_shared<Threads>(threads);
  std::vector<double> scores(rows.size());
  GamScorer(gam).score(rows.view(), scores, context);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    ASSERT_EQ(scores[r], gam.score(rows.view().row(r))) << "row " << r << " of " << rows.size();
  }
}

TEST(GamScorer, GivesTheBitsOfThePlainSum) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    GamMaker maker(seed);
    const Gam gam = maker.gam({.most_edges = seed % 4 == 0 ? 400U : 40U});
    expect_same_bits(gam, rows_for(maker, gam, 1 + seed % 300, seed % 5));
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

TEST(GamScorer, GivesTheSameBitsWithAnyInstructionsAndThreads) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    GamMaker maker(seed);
    const Gam gam = maker.gam({.most_edges = 300});
    const Rows rows = rows_for(maker, gam, 9000, 0);
    for (const int threads : {1, 2, 4}) expect_same_bits(gam, rows, threads);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      expect_same_bits(
          gam, {.values = {rows.values.begin(), rows.values.begin() + static_cast<std::ptrdiff_t>(
                                                                          500 * rows.num_columns)},
                .num_columns = rows.num_columns});
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

TEST(GamScorer, TakesFeaturesWithMoreEdgesThanCodes) {
  std::vector<float> edges(65'600);
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = static_cast<float>(i);
  for (const std::size_t num_edges : {std::size_t{65'534}, std::size_t{65'535}}) {
    GamEffect curve{.axes = {{.feature = 0,
                              .edges = {edges.begin(),
                                        edges.begin() + static_cast<std::ptrdiff_t>(num_edges)}}},
                    .values = {},
                    .errors = {},
                    .weights = {}};
    for (std::size_t c = 0; c < curve.num_cells(); ++c) {
      curve.values.push_back(static_cast<double>(c) + 0.5);
    }
    const Gam gam({.effects = {curve}, .num_features = 1});
    EXPECT_EQ(make_gam_plan(gam).fits, num_edges == 65'534);
    expect_same_bits(gam, {.values = {-1, 0, 0.5, 65'533, 65'534, 1e9F, 300,
                                      std::numeric_limits<float>::quiet_NaN()},
                           .num_columns = 1});
  }
}

// Edges 0, 1, 2, ...
GamAxis axis_of(std::uint32_t feature, std::size_t num_edges) {
  GamAxis axis{.feature = feature, .edges = {}};
  for (std::size_t i = 0; i < num_edges; ++i) axis.edges.push_back(static_cast<float>(i));
  return axis;
}

// No two cells have the same value.
GamEffect effect_on(const std::vector<GamAxis>& axes) {
  GamEffect effect{.axes = axes, .values = {}, .errors = {}, .weights = {}};
  for (std::size_t c = 0; c < effect.num_cells(); ++c) {
    effect.values.push_back(std::sqrt(static_cast<double>(c) + 0.5));
  }
  return effect;
}

void expect_same_bits_on_every_target(const Gam& gam, const Rows& rows) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    expect_same_bits(gam, rows);
    hwy::SetSupportedTargetsForTest(0);
  }
}

TEST(GamScorer, MapsAnyNumberOfCodes) {
  // Two more codes than edges; maps have 64, 128, 256, 512 entries, or are too long for registers.
  for (const std::size_t num_edges : {1, 62, 63, 126, 127, 254, 255, 510, 511}) {
    SCOPED_TRACE(num_edges);
    const Gam gam(
        {.effects = {effect_on({axis_of(0, num_edges), axis_of(1, 3)})}, .num_features = 2});
    Rows rows{.values = {}, .num_columns = 2};
    for (std::size_t i = 0; i <= num_edges + 1; ++i) {  // every cell of the first axis
      rows.values.push_back(i > num_edges ? kNan : static_cast<float>(i));
      rows.values.push_back(i % 5 == 4 ? kNan : static_cast<float>(i % 5));
    }
    expect_same_bits_on_every_target(gam, rows);
  }
}

TEST(GamScorer, TakesSurfacesWithMoreCellsThan16BitsCanNumber) {
  const GamEffect narrow = effect_on({axis_of(0, 254), axis_of(1, 254)});  // 65,536 cells
  const GamEffect wide = effect_on({axis_of(1, 255), axis_of(2, 254)});
  const GamEffect small = effect_on({axis_of(0, 7), axis_of(2, 9)});
  const GamEffect wider = effect_on({axis_of(0, 300), axis_of(3, 254)});
  const Gam gam({.effects = {narrow, wide, effect_on({axis_of(2, 100)}), small, wider,
                             effect_on({axis_of(1, 3)})},
                 .num_features = 4});
  const GamPlan plan = make_gam_plan(gam);
  std::vector<bool> is_wide;
  for (const GamLookup& lookup : plan.lookups) is_wide.push_back(lookup.is_wide());
  EXPECT_EQ(is_wide, (std::vector<bool>{false, true, false, false, true, false}));
  Rows rows{.values = {}, .num_columns = 4};
  for (int i = 0; i < 400; ++i) {
    for (const int step : {1, 7, 11, 13}) {
      const int x = i * step % 303;
      rows.values.push_back(x > 300 ? kNan : static_cast<float>(x));
    }
  }
  expect_same_bits_on_every_target(gam, rows);
}

TEST(GamScorer, GivesTheInterceptWithoutEffects) {
  const Gam gam({.effects = {}, .num_features = 2, .intercept = 3});
  expect_same_bits(gam, {.values = {1, 2, 3, 4}, .num_columns = 2});
}

TEST(GamScorer, SaysWhatDoesNotFit) {
  const GamScorer scorer(Gam({.effects = {}, .num_features = 2}));
  const std::vector<float> values(4);
  std::vector<double> scores(3);
  EXPECT_EQ(message_of([&] { scorer.score({values.data(), 4, 1}, scores, {}); }),
            "rows of 1 features for a model of 2");
  EXPECT_EQ(message_of([&] { scorer.score({values.data(), 2, 2}, scores, {}); }),
            "2 rows but room for 3 scores");
}

}  // namespace
}  // namespace glassrank
