#include "glassrank/explain/global/dependence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/explain/global/dependence_axis.h"
#include "glassrank/explain/global/feature_cells.h"
#include "glassrank/explain/global/partial_dependence.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"
#include "testing/random_gams.h"
#include "testing/rows_data.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// x0 <= 1 ? (x1 <= 0 ? 1 : 2) : 5; a missing x0 goes right.
Model two_level_forest() {
  const Tree tree{.nodes = {{.feature = 0, .threshold = 1, .left = 1, .right = ~2},
                            {.feature = 1, .threshold = 0, .left = ~0, .right = ~1}},
                  .leaf_values = {1, 2, 5},
                  .statistics = {}};
  return {.body = Forest({.trees = {tree}, .num_features = 2, .base_score = 10}), .provenance = {}};
}

// The score of every cell, the mean of rows scored one by one.
std::vector<double> slow_means(const Model& model, const Dataset& data, const PointGrid& grid) {
  std::vector<double> means;
  for (std::size_t p = 0; p < grid.num_points(); ++p) {
    double sum = 0;
    double total = 0;
    for (std::size_t r = 0; r < data.num_rows(); ++r) {
      std::vector<float> row(data.row(r).begin(), data.row(r).end());
      grid.set(p, row);
      sum += data.weight(r) * score_row(model, row);
      total += data.weight(r);
    }
    means.push_back(sum / total);
  }
  return means;
}

PointGrid all_cells(const Model& model, const std::vector<std::uint32_t>& features) {
  PointGrid grid{features, {}};
  for (const std::uint32_t f : features) {
    grid.values.push_back(values_in_cells(feature_cells(model, f)));
  }
  return grid;
}

template <typename Maker, typename Body>
void expect_slow_means(Maker& maker, const Body& body, std::uint64_t seed) {
  const Model model{.body = body, .provenance = {}};
  const auto rows = rows_for(maker, body, 1 + seed % 23);
  RandomSequence random(CounterRandom(seed, "weights"));
  std::vector<float> weights;
  for (std::size_t r = 0; r < rows.size() && seed % 2 == 1; ++r) {
    weights.push_back(static_cast<float>(1 + random.below(4)) / 2);
  }
  const Dataset data = data_of_rows(rows, {.weights = weights});
  const auto scorer = make_scorer(model);
  const Subject subject{*scorer, &model, data};
  const WeightedRows all{data.features(), data.weights()};
  for (std::uint32_t f = 0; f < body.num_features(); ++f) {
    std::vector<std::vector<std::uint32_t>> asked = {{f}};
    if (body.num_features() > 1) {
      asked.push_back({f, static_cast<std::uint32_t>((f + 1) % body.num_features())});
    }
    for (const auto& features : asked) {
      const PointGrid grid = all_cells(model, features);
      const std::vector<double> slow = slow_means(model, data, grid);
      const std::vector<double> fast = mean_scores_at(subject, grid, all, {});
      const std::vector<double> plain = plain_mean_scores_at(*scorer, grid, all, {});
      ASSERT_EQ(fast.size(), slow.size());
      for (std::size_t p = 0; p < slow.size(); ++p) {
        ASSERT_NEAR(fast[p], slow[p], 1e-12) << "seed " << seed << " feature " << f;
        ASSERT_NEAR(plain[p], slow[p], 1e-12);
      }
    }
  }
}

TEST(PartialDependence, OfForestsIsTheMeanOfChangedRows) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    ForestMaker maker(seed);
    expect_slow_means(maker, maker.forest({}), seed);
  }
}

TEST(PartialDependence, OfAdditiveModelsIsTheMeanOfChangedRows) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    GamMaker maker(seed);
    expect_slow_means(maker, maker.gam({}), seed);
  }
}

TEST(PartialDependence, IsAsComputedByHand) {
  // x0 up to 1: rows 1 and 2 give 11 and 12, rows 3 (missing x1: right) gives 12. Beyond: 15.
  const Model model = two_level_forest();
  const auto scorer = make_scorer(model);
  const Dataset data = data_of_rows({{0, -1}, {3, 1}, {kNan, kNan}}, {.weights = {2, 1, 1}});
  const Dependence result =
      dependence({*scorer, &model, data}, std::vector<std::uint32_t>{0}, {}, {});
  EXPECT_EQ(result.axes[0].edges, std::vector<float>{1});
  EXPECT_EQ(result.values, (std::vector<double>{(2 * 11 + 12 + 12) / 4.0, 15, 15}));
  EXPECT_EQ(result.axes[0].weights, (std::vector<double>{2, 1, 1}));
  // Its mean over the rows: 2 x 11.5 + 15 + 15, by 4.
  const Dependence centred = dependence({*scorer, &model, data}, std::vector<std::uint32_t>{0},
                                        {.centre = Centring::kMean}, {});
  EXPECT_EQ(centred.values, (std::vector<double>{11.5 - 13.25, 15 - 13.25, 15 - 13.25}));
  // Scores as they are: 11, 15, 15.
  const Dependence by_query = dependence({*scorer, &model, data}, std::vector<std::uint32_t>{0},
                                         {.centre = Centring::kQuery}, {});
  EXPECT_EQ(by_query.values, (std::vector<double>{11.5 - 13, 15 - 13, 15 - 13}));
}

TEST(PartialDependence, IsTheSameForAnyNumberOfThreads) {
  ForestMaker maker(4);
  const Forest forest = maker.forest({});
  const Model model{.body = forest, .provenance = {}};
  const Dataset data = data_of_rows(rows_for(maker, forest, 5000));
  const auto scorer = make_scorer(model);
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 4}) {
    const Context context{.threads = std::make_shared<const Threads>(threads)};
    results.push_back(
        dependence({*scorer, &model, data}, std::vector<std::uint32_t>{0}, {}, context).values);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(PartialDependence, OfAPairHoldsInEveryCell) {
  const Model model = two_level_forest();
  const auto scorer = make_scorer(model);
  const Dataset data = data_of_rows({{0, -1}, {3, 1}});
  const Dependence result =
      dependence({*scorer, &model, data}, std::vector<std::uint32_t>{1, 0}, {}, {});
  // x1 up to 0, above, missing; x0 up to 1, above, missing.
  EXPECT_EQ(result.values, (std::vector<double>{11, 15, 15, 12, 15, 15, 12, 15, 15}));
  EXPECT_EQ(dependence_table(result).rows().size(), 9U);
}

TEST(PartialDependence, OfABlackBoxIsTakenAtValuesThatOccur) {
  const auto scorer = make_function_scorer(2, [](MatrixView<const float> rows, auto scores) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) scores[r] = rows(r, 0) * rows(r, 1);
  });
  const Dataset data = data_of_rows({{1, 2}, {3, 4}, {5, 9}});
  const Dependence result =
      dependence({*scorer, nullptr, data}, std::vector<std::uint32_t>{0}, {}, {});
  EXPECT_FALSE(result.axes[0].is_exact);
  EXPECT_FALSE(result.axes[0].has_missing);
  EXPECT_EQ(result.axes[0].points, (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(result.values, (std::vector<double>{5, 15, 25}));
}

TEST(QuantileAxis, HasTheEndsAndTheMiddle) {
  const auto scorer = make_function_scorer(1, [](auto, auto) {});
  std::vector<std::vector<float>> rows;
  for (int i = 0; i <= 100; ++i) rows.push_back({static_cast<float>(i)});
  const Dataset data = data_of_rows(rows);
  const WeightedRows all{data.features(), data.weights()};
  const DependenceAxis axis = quantile_axis({*scorer, nullptr, data}, 0, all, 3, true);
  EXPECT_EQ(axis.points, (std::vector<float>{0, 50, 100}));
  EXPECT_EQ(axis.weights, (std::vector<double>{1, 50, 50}));
}

TEST(QuantileAxis, DoesNotCrowdBehindAValueOfManyRows) {
  const auto scorer = make_function_scorer(1, [](auto, auto) {});
  std::vector<std::vector<float>> rows(50, {0});
  for (int i = 1; i <= 50; ++i) rows.push_back({static_cast<float>(i)});
  const Dataset data = data_of_rows(rows);
  const WeightedRows all{data.features(), data.weights()};
  // Half of the rows are 0: the points due at 25 and 50 of 100 rows are it too.
  EXPECT_EQ(quantile_axis({*scorer, nullptr, data}, 0, all, 5, true).points,
            (std::vector<float>{0, 25, 50}));
}

TEST(IndividualCurves, AreTheScoresOfTheChangedDocument) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({});
    const Model model{.body = forest, .provenance = {}};
    const Dataset data = data_of_rows(rows_for(maker, forest, 12), {.sizes = {5, 7}});
    const auto scorer = make_scorer(model);
    for (const Centring centre : {Centring::kNone, Centring::kQuery}) {
      const Dependence result =
          dependence({*scorer, &model, data}, std::vector<std::uint32_t>{0},
                     {.kind = DependenceKind::kIce, .centre = centre, .documents = 100}, {});
      ASSERT_EQ(result.curves.size(), 12U);
      const std::vector<float> values = result.axes[0].values();
      for (std::size_t r = 0; r < 12; ++r) {
        double off = 0;
        const RowRange range = data.queries().rows(r < 5 ? 0 : 1);
        for (std::size_t d = range.begin; d < range.end; ++d) {
          off += score_row(model, data.row(d)) / static_cast<double>(range.size());
        }
        if (centre == Centring::kNone) off = 0;
        for (std::size_t p = 0; p < values.size(); ++p) {
          std::vector<float> row(data.row(r).begin(), data.row(r).end());
          row[0] = values[p];
          EXPECT_NEAR(result.curves[r].values[p], score_row(model, row) - off, 1e-12);
        }
        // At its own value the curve has the document's score.
        EXPECT_NEAR(result.curves[r].values[place_on(result.axes[0], data.row(r)[0])],
                    result.curves[r].score, 1e-12);
      }
    }
  }
}

TEST(IndividualCurves, HaveThePartialDependenceAsTheirMean) {
  ForestMaker maker(11);
  const Forest forest = maker.forest({});
  const Model model{.body = forest, .provenance = {}};
  const Dataset data = data_of_rows(rows_for(maker, forest, 40));
  const auto scorer = make_scorer(model);
  const std::vector<std::uint32_t> feature = {0};
  const Dependence ice = dependence({*scorer, &model, data}, feature,
                                    {.kind = DependenceKind::kIce, .documents = 40}, {});
  const Dependence pdp = dependence({*scorer, &model, data}, feature, {}, {});
  for (std::size_t p = 0; p < pdp.values.size(); ++p) {
    EXPECT_NEAR(ice.values[p], pdp.values[p], 1e-12);
  }
  const Dependence some = dependence({*scorer, &model, data}, feature,
                                     {.kind = DependenceKind::kIce, .documents = 7}, {.seed = 3});
  EXPECT_EQ(some.curves.size(), 7U);
}

TEST(AccumulatedEffects, AreAsComputedByHand) {
  // f = x0 x1 at points 0, 1, 3: rows 0 and 1 are in the first bin (step 1 x their x1), row 2 in
  // the second (step 2 x 10). ale = 0, (2 + 4) / 2 = 3, 3 + 20.
  const auto scorer = make_function_scorer(2, [](MatrixView<const float> rows, auto scores) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) scores[r] = rows(r, 0) * rows(r, 1);
  });
  const Dataset data = data_of_rows({{0, 2}, {1, 4}, {3, 10}, {kNan, 1}});
  const Subject subject{*scorer, nullptr, data};
  const std::vector<std::uint32_t> feature = {0};
  const Dependence ale = dependence(subject, feature, {.kind = DependenceKind::kAle}, {});
  EXPECT_EQ(ale.values, (std::vector<double>{0, 3, 23}));
  EXPECT_EQ(ale.num_left_out, 1U);
  EXPECT_EQ(ale.num_rows, 3U);
  // Rows stand half-way: (2 x 1.5 + 13) / 3.
  const Dependence centred =
      dependence(subject, feature, {.kind = DependenceKind::kAle, .centre = Centring::kMean}, {});
  EXPECT_NEAR(centred.values[0], -16.0 / 3, 1e-14);
}

TEST(AccumulatedEffects, OfAnAdditiveModelAreItsCurve) {
  // Without pairs a step is the same for every row: ale is the table at the points, from 0.
  const Model model = small_gam();
  const auto scorer = make_scorer(model);
  const Dataset data = data_of_rows({{0, 0, 0}, {0, 0, 1}, {5, 0, 2}, {0, 7, 3}});
  const Dependence ale = dependence({*scorer, &model, data}, std::vector<std::uint32_t>{2},
                                    {.kind = DependenceKind::kAle}, {});
  EXPECT_EQ(ale.values, (std::vector<double>{0, 0, 10, 10}));
}

TEST(Dependence, SaysWhatDoesNotFit) {
  const Model model = two_level_forest();
  const auto scorer = make_scorer(model);
  const Dataset data = data_of_rows({{0, -1}, {0, 1}});
  const auto message = [&](const std::vector<std::uint32_t>& features,
                           const DependenceParams& params) {
    return message_of([&] { dependence({*scorer, &model, data}, features, params, {}); });
  };
  EXPECT_EQ(message({2}, {}), "feature 3 of a model with 2");
  EXPECT_EQ(message({1, 1}, {}), "feature 2 twice; a pair needs two features");
  EXPECT_EQ(message({}, {}), "0 features; dependence is shown on one or two");
  EXPECT_EQ(message({0, 1}, {.kind = DependenceKind::kAle}),
            "ale is of one feature; two together have pdp only");
  EXPECT_EQ(message({0}, {.kind = DependenceKind::kAle}),
            "f0 has the same value in all rows; accumulated effects need two or more to go from "
            "one to the next");
  const Dataset weightless = data_of_rows({{0, -1}}, {.weights = {0}});
  EXPECT_EQ(message_of([&] {
              dependence({*scorer, &model, weightless}, std::vector<std::uint32_t>{0}, {}, {});
            }),
            "the weights of all 1 rows are 0");
}

}  // namespace
}  // namespace glassrank
