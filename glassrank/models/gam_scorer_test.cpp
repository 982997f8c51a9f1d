#include "glassrank/models/gam_scorer.h"

#include <memory>
#include <set>

#include <gtest/gtest.h>
#define HWY_WANT_AVX3_DL
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "glassrank/base/message_of.h"
#include "glassrank/models/gam_plan.h"
#include "glassrank/models/io/random_gams.h"

namespace glassrank {
namespace {

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

TEST(GamScorer, TakesSurfacesWithMoreCellsThan16BitsCanNumber) {
  for (const std::size_t num_edges : {254, 255}) {  // x 256 cells: 65,536 and more
    GamEffect surface{.axes = {{.feature = 0, .edges = {}}, {.feature = 1, .edges = {}}},
                      .values = {},
                      .errors = {},
                      .weights = {}};
    for (std::size_t i = 0; i < num_edges; ++i) {
      surface.axes[0].edges.push_back(static_cast<float>(i));
      if (i < 254) surface.axes[1].edges.push_back(static_cast<float>(i));
    }
    for (std::size_t c = 0; c < surface.num_cells(); ++c) {
      surface.values.push_back(static_cast<double>(c) + 0.5);
    }
    const Gam gam({.effects = {surface}, .num_features = 2});
    EXPECT_EQ(make_gam_plan(gam).lookups[0].is_wide(), num_edges == 255);
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    expect_same_bits(gam, {.values = {-1, -1,   0,    253, 253,  0,   254, 253,  300,  300,
                                      1,  kNan, kNan, 1,   kNan, 300, 300, kNan, kNan, kNan},
                           .num_columns = 2});
  }
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
