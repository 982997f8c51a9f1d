// The rankers that are no boosted trees: what they solve, and data they cannot use.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/methods/coordinate_ascent/coordinate_ascent.h"
#include "glassrank/methods/linear/ridge_rows.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/check_training.h"
#include "testing/bin_test_data.h"
#include "testing/message_of.h"
#include "testing/model_bodies.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Values {
  std::vector<std::vector<float>> rows;
  std::vector<float> grades;
  std::vector<std::size_t> sizes;  // of the queries
};

Dataset data_with(const Values& values, std::vector<float> weights = {}) {
  DatasetParts parts;
  parts.weights = std::move(weights);
  const std::size_t width = values.rows.front().size();
  parts.features = Buffer<float>(values.rows.size() * width);
  for (std::size_t r = 0; r < values.rows.size(); ++r) {
    std::ranges::copy(values.rows[r], parts.features.data() + r * width);
  }
  parts.grades = values.grades;
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < values.sizes.size(); ++q) ids.push_back(fmt::format("q{}", q));
  parts.queries = QueryGroups(ids, values.sizes);
  for (std::size_t f = 0; f < width; ++f) parts.schema.add_feature(fmt::format("x{}", f));
  return Dataset(std::move(parts));
}

const Linear& linear_of(const Model& model) {
  const Linear* found = nullptr;
  match(model, [&](const Linear& linear) { found = &linear; }, [](const auto&) {});
  return *found;
}

// At the least sum of squares its slope by every weight and by the intercept is 0:
//   sum of w (grade - prediction) z_f = l2 * weight_f.
TEST(Ridge, SolvesTheNormalEquations) {
  const Dataset data = test_data({.num_rows = 400, .num_features = 6});
  for (const Normalise normalise : {Normalise::kStandardise, Normalise::kNone}) {
    for (const double l2 : {1e-10, 5.0}) {
      const FeatureScaling scaling = find_scaling(data, normalise, {});
      const RidgeFit fit = fit_ridge_rows(data, scaling, l2, {});
      EXPECT_EQ(fit.l2, l2);
      std::vector<double> slopes(7, 0.0);
      double size = 0;
      std::vector<double> z(6);
      for (std::size_t r = 0; r < data.num_rows(); ++r) {
        scaling.apply(data.row(r), z);
        double rest = data.grades()[r] - fit.intercept;
        for (std::size_t f = 0; f < z.size(); ++f) rest -= fit.weights[f] * z[f];
        for (std::size_t f = 0; f < z.size(); ++f) {
          slopes[f] += data.weight(r) * rest * z[f];
          size = std::max(size, std::abs(data.weight(r) * z[f]));
        }
        slopes[6] += data.weight(r) * rest;
      }
      for (std::size_t f = 0; f < z.size(); ++f) slopes[f] -= l2 * fit.weights[f];
      for (const double slope : slopes) EXPECT_NEAR(slope, 0, 1e-7 * (1 + size));
      EXPECT_EQ(fit.weights[4], 0) << "a constant column";
    }
  }
}

// grade = 1 + 2 x0 - 3 x1, to the last digits.
TEST(Ridge, FindsTheLineThatIsThere) {
  Values values;
  for (int i = 0; i < 20; ++i) {
    const float a = static_cast<float>(i % 5);
    const float b = static_cast<float>(i % 3) / 8;
    values.rows.push_back({a, b});
    values.grades.push_back(1 + 2 * a - 3 * b);
  }
  values.sizes = {20};
  const TrainResult result = testing::train(*make_linear({}), data_with(values), nullptr);
  const Linear& linear = linear_of(result.model);
  EXPECT_NEAR(linear.weights()[0], 2, 1e-9);
  EXPECT_NEAR(linear.weights()[1], -3, 1e-9);
  EXPECT_NEAR(linear.intercept(), 1, 1e-9);
}

TEST(Ridge, AColumnTwiceRaisesThePenalty) {
  Values values;
  for (int i = 0; i < 20; ++i) {
    values.rows.push_back({static_cast<float>(i), static_cast<float>(i)});
    values.grades.push_back(static_cast<float>(i % 3));
  }
  values.sizes = {20};
  const Dataset data = data_with(values);
  const FeatureScaling scaling = find_scaling(data, Normalise::kStandardise, {});
  const RidgeFit fit = fit_ridge_rows(data, scaling, 0, {});
  EXPECT_GT(fit.l2, 0);
  EXPECT_NEAR(fit.weights[0], fit.weights[1], 1e-5);
}

TEST(CoordinateAscent, NeverDecreasesItsMetric) {
  const Dataset data = test_data({.num_rows = 600, .num_features = 6});
  for (const char* metric : {"ndcg@5", "map", "err@10"}) {
    CoordinateAscentParams params{.restarts = 2};
    params.watch.metric = {metric};
    const CoordinateAscentResult result = train_coordinate_ascent(data, nullptr, params, {});
    EXPECT_GT(result.train_values.size(), 1U) << metric;
    for (std::size_t i = 1; i < result.train_values.size(); ++i) {
      EXPECT_GE(result.train_values[i], result.train_values[i - 1]) << metric;
    }
    EXPECT_EQ(result.train_metric, result.train_values.back());
  }
}

// With no tolerance a climb still ends: at the first round of all features without a gain.
TEST(CoordinateAscent, EndsWithoutATolerance) {
  const Dataset data = test_data({.num_rows = 200, .num_features = 4});
  CoordinateAscentParams params{.restarts = 1, .tolerance = 0};
  const CoordinateAscentResult result = train_coordinate_ascent(data, nullptr, params, {});
  EXPECT_GT(result.train_values.size(), 1U);
}

class OtherRanker : public ::testing::TestWithParam<std::string> {
 protected:
  static std::string message(const Values& values) {
    const Dataset data = data_with(values);
    return message_of([&] { testing::train(*make_method(GetParam()), data, nullptr); });
  }
};

TEST_P(OtherRanker, RefusesInfiniteValues) {
  const std::string found =
      message({.rows = {{1, 2}, {2, kInfinity}, {3, 1}}, .grades = {0, 1, 2}, .sizes = {3}});
  EXPECT_TRUE(found.starts_with("row 2: feature x1 is infinite")) << found;
}

TEST_P(OtherRanker, RefusesDataWithoutPairsIfItLearnsFromThem) {
  const std::string found =
      message({.rows = {{1, 2}, {2, 3}, {3, 1}}, .grades = {1, 1, 0}, .sizes = {2, 1}});
  if (GetParam() == "linear") {
    EXPECT_EQ(found, "no error") << "grades are learned one by one";
  } else {
    EXPECT_NE(found.find("learns from pairs of documents with different grades, and no query has "
                         "one"),
              std::string::npos)
        << found;
  }
}

TEST_P(OtherRanker, RefusesRowsOfWhichNoneHasAnyWeight) {
  const Values values{.rows = {{1, 2}, {2, 3}, {3, 1}}, .grades = {2, 1, 0}, .sizes = {3}};
  const Dataset data = data_with(values, {0, 0, 0});
  EXPECT_EQ(message_of([&] { testing::train(*make_method(GetParam()), data, nullptr); }),
            "no row of the training data has any weight");
}

TEST_P(OtherRanker, GivesAConstantColumnNoPower) {
  const Dataset data = test_data({.num_rows = 300, .num_features = 6});  // column 4 is constant
  const TrainResult result = testing::train(*make_method(GetParam()), data, nullptr);
  std::vector<float> row(data.row(3).begin(), data.row(3).end());
  const double before = score_row(result.model, row);
  row[4] = 1000;
  EXPECT_EQ(score_row(result.model, row), before);
}

TEST_P(OtherRanker, SaysThatConstantColumnsAloneTellNothing) {
  const Values values{.rows = {{7, 2}, {7, 2}, {7, 2}}, .grades = {2, 1, 0}, .sizes = {3}};
  EXPECT_EQ(message(values),
            "no feature of the training data has two different values, so that nothing tells "
            "documents apart");
}

INSTANTIATE_TEST_SUITE_P(Methods, OtherRanker,
                         ::testing::Values("linear", "coordinate-ascent", "ranknet", "rankboost"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

struct Warnings : LogSink {
  void log(LogLevel level, std::string_view message) override {
    if (level == LogLevel::kWarning) text += message;
  }
  std::string text;
};

std::string warnings_of(const Method& method, const Values& values) {
  Context context;
  const auto warnings = std::make_shared<Warnings>();
  context.log_sink = warnings;
  testing::train(method, data_with(values), nullptr, context);
  return warnings->text;
}

TEST(TreesOnGrades, RefuseDataInWhichNoFeatureDiffers) {
  const Values values{.rows = {{7, 2}, {7, 2}, {7, 2}}, .grades = {2, 1, 0}, .sizes = {3}};
  for (const char* method : {"tree", "random-forest"}) {
    EXPECT_EQ(message_of([&] { testing::train(*make_method(method), data_with(values), nullptr); }),
              "no feature of the training data has two different values, so that nothing tells "
              "documents apart")
        << method;
  }
}

TEST(TreesOnGrades, WarnWhereNoTreeFindsASplit) {
  Values values;
  for (int i = 0; i < 40; ++i) {
    values.rows.push_back({static_cast<float>(i), static_cast<float>(i % 7)});
    values.grades.push_back(1);
  }
  values.sizes = {20, 20};
  for (const char* method : {"tree", "random-forest", "mart"}) {
    EXPECT_EQ(warnings_of(*make_method(method), values),
              "no tree could be grown: every document gets the same score")
        << method;
  }
}

// The better document is above as often as below.
TEST(RankBoostTraining, WarnsWhereNoTestHelps) {
  const Values values{.rows = {{1}, {2}, {2}, {1}}, .grades = {1, 0, 1, 0}, .sizes = {2, 2}};
  EXPECT_TRUE(
      warnings_of(*make_rankboost({}), values).starts_with("RankBoost: no test of a feature"));
}

TEST(LinearByGradient, RefusesDataWithoutPairsIfItsObjectiveComparesDocuments) {
  const Dataset data =
      data_with({.rows = {{1, 2}, {2, 3}, {3, 1}}, .grades = {1, 1, 0}, .sizes = {2, 1}});
  for (const char* objective : {"listnet", "lambdarank", "pairwise", "rank_xendcg"}) {
    LinearParams params;
    params.training.objective.objective = objective;
    EXPECT_EQ(message_of([&] { testing::train(*make_linear(params), data, nullptr); }),
              fmt::format("objective {} learns from pairs of documents with different grades, and "
                          "no query has one",
                          objective));
  }
  LinearParams params;
  params.training.objective.objective = "logistic";
  testing::train(*make_linear(params), data, nullptr);
}

// Queries of the values, each as often as `times` says.
Values repeated(const Values& values, std::span<const std::size_t> times) {
  Values result;
  std::size_t row = 0;
  for (std::size_t q = 0; q < values.sizes.size(); ++q) {
    for (std::size_t t = 0; t < times[q]; ++t) {
      for (std::size_t r = row; r < row + values.sizes[q]; ++r) {
        result.rows.push_back(values.rows[r]);
        result.grades.push_back(values.grades[r]);
      }
      result.sizes.push_back(values.sizes[q]);
    }
    row += values.sizes[q];
  }
  return result;
}

// A query of weight 2 is worth the query twice, one of weight 0 is worth nothing.
TEST(RowWeights, CountAsOftenAsTheQuery) {
  RandomSequence random(CounterRandom(11, "row weights"));
  Values values;
  std::vector<std::size_t> times;
  std::vector<float> weights;
  for (std::size_t q = 0; q < 30; ++q) {
    values.sizes.push_back(4 + random.below(5));
    times.push_back(q % 3);
    for (std::size_t d = 0; d < values.sizes.back(); ++d) {
      values.rows.push_back(
          {static_cast<float>(random.below(9)), static_cast<float>(random.below(4))});
      values.grades.push_back(
          std::floor((values.rows.back()[0] + static_cast<float>(random.below(6))) / 4));
      weights.push_back(static_cast<float>(times.back()));
    }
  }
  const Dataset weighted = data_with(values, weights);
  const Dataset copied = data_with(repeated(values, times));
  for (const char* name : {"linear", "coordinate-ascent", "rankboost"}) {
    const Model a = testing::train(*make_method(name), weighted, nullptr).model;
    const Model b = testing::train(*make_method(name), copied, nullptr).model;
    for (std::size_t r = 0; r < weighted.num_rows(); ++r) {
      EXPECT_NEAR(score_row(a, weighted.row(r)), score_row(b, weighted.row(r)), 1e-8) << name;
    }
  }
}

TEST(RankNet, PresetShowsWhatIsTrained) {
  RanknetParams params;
  params.preset = NetPreset::kRanklib;
  const auto method = make_ranknet(params);
  method->settle({});
  const auto value_of = [&](const char* name) {
    const std::vector<ParamInfo> infos = list_params(*method);
    return std::ranges::find(infos, name, &ParamInfo::name)->value;
  };
  EXPECT_EQ(value_of("preset"), "ranklib");
  EXPECT_EQ(value_of("hidden"), "10");
  EXPECT_EQ(value_of("activation"), "sigmoid");
  EXPECT_EQ(value_of("normalise"), "none");
  EXPECT_EQ(value_of("optimiser"), "sgd");
  EXPECT_EQ(value_of("learning_rate"), "5e-05");
  EXPECT_EQ(value_of("batch_queries"), "1");
  // With and without settling the same network.
  const Dataset data = test_data({.num_rows = 200, .num_features = 4});
  params.training.epochs = 3;
  const auto unsettled = make_ranknet(params);
  const auto settled = unsettled->clone();
  settled->settle({});
  EXPECT_TRUE(testing::same_bytes(testing::train(*unsettled, data, nullptr).model,
                                  testing::train(*settled, data, nullptr).model));
}

TEST(RankNet, RefusesOptionsThatItsPresetDecides) {
  const auto method = make_ranknet({});
  testing::set(*method, "preset", "ranklib");
  const auto message = [&](std::vector<std::string> given) {
    const TrainFiles files{.train = "t", .valid = "v", .out = "m", .given = std::move(given)};
    return message_of([&] { check_training(*method, files, {}); });
  };
  EXPECT_EQ(message({"preset", "epochs"}), "no error");
  for (const char* name : {"hidden", "activation", "objective", "optimiser", "l2", "patience"}) {
    EXPECT_EQ(message({"preset", name}),
              fmt::format("--{} belongs to --preset none; here preset is ranklib", name));
  }
}

}  // namespace
}  // namespace glassrank
