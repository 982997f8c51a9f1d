#include "glassrank/explain/shapley/kernel_shap.h"

#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/registry.h"
#include "glassrank/explain/shapley/exact_shapley.h"
#include "glassrank/explain/tree_shap/interventional_shap.h"
#include "glassrank/models/model.h"
#include "testing/explained_rows.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

std::unique_ptr<const Scorer> linear_scorer(std::vector<double> weights) {
  const std::size_t num_features = weights.size();
  return make_function_scorer(
      num_features,
      [weights = std::move(weights)](MatrixView<const float> rows, std::span<double> scores) {
        for (std::size_t r = 0; r < rows.num_rows(); ++r) {
          scores[r] = 2;
          for (std::size_t f = 0; f < weights.size(); ++f) {
            scores[r] += weights[f] * static_cast<double>(rows(r, f));
          }
        }
      });
}

// Products of neighbours beside the sum, so that sampling has an error.
std::unique_ptr<const Scorer> bent_scorer(std::size_t num_features) {
  return make_function_scorer(num_features,
                              [](MatrixView<const float> rows, std::span<double> scores) {
                                for (std::size_t r = 0; r < rows.num_rows(); ++r) {
                                  scores[r] = 0;
                                  for (std::size_t f = 0; f + 1 < rows.num_columns(); ++f) {
                                    const double a = rows(r, f);
                                    const double b = rows(r, f + 1);
                                    scores[r] += a / static_cast<double>(f + 1) + std::tanh(a * b);
                                  }
                                }
                              });
}

Explanation explain_first(const Subject& subject, const Dataset& data, KernelShapParams params,
                          const Context& context = {}) {
  KernelShap explainer(std::move(params));
  explainer.prepare(subject, context);
  const ExplainedQuery query = view_query(subject, data, 0, context);
  const std::vector<Target> targets = {Target::of_document(0)};
  return explainer.explain(query, targets, context).front();
}

// v(S) by the model's own definition, Shapley values by theirs.
std::vector<double> brute_force(const Model& model, std::span<const float> document,
                                MatrixView<const float> background) {
  const std::size_t num_features = num_features_of(model);
  const Game game{.num_players = num_features,
                  .evaluate = [&](CoalitionView coalitions, std::span<double> worths) {
                    std::vector<float> row(num_features);
                    for (std::size_t c = 0; c < coalitions.num_rows(); ++c) {
                      worths[c] = 0;
                      for (std::size_t b = 0; b < background.num_rows(); ++b) {
                        for (std::size_t f = 0; f < num_features; ++f) {
                          row[f] = coalitions(c, f) != 0 ? document[f] : background(b, f);
                        }
                        worths[c] += score_row(model, row);
                      }
                      worths[c] /= static_cast<double>(background.num_rows());
                    }
                  }};
  return exact_shapley(game, {}).front().values;
}

TEST(KernelShap, OfALinearModelIsWeightTimesDistanceFromTheMean) {
  const std::vector<double> weights = {1, -2, 0.5, 3};
  const auto scorer = linear_scorer(weights);
  const Dataset data = normal_query(20, 4, 1);
  const Subject subject{.scorer = *scorer, .background = data};
  const Explanation explanation = explain_first(subject, data, {});
  for (std::size_t f = 0; f < 4; ++f) {
    double mean = 0;
    for (std::size_t r = 0; r < 20; ++r) mean += static_cast<double>(data.row(r)[f]) / 20;
    EXPECT_NEAR(explanation.attributions[f],
                weights[f] * (static_cast<double>(data.row(0)[f]) - mean), 1e-12);
    EXPECT_EQ(explanation.standard_errors[f], 0);
  }
  EXPECT_EQ(explanation.features.front(),
            static_cast<std::uint32_t>(
                std::distance(explanation.attributions.begin(),
                              std::ranges::max_element(explanation.attributions, {},
                                                       [](double phi) { return std::abs(phi); }))));
}

TEST(KernelShap, OfForestsIsBruteForce) {
  ForestMaker maker(3);
  for (int i = 0; i < 30; ++i) {
    const Model model{.body = maker.forest({}), .provenance = {}};
    const Forest forest = require_forest(model, "the test");
    std::vector<std::vector<float>> rows;
    for (int r = 0; r < 8; ++r) rows.push_back(maker.row(forest));
    const Dataset data = one_query(rows);
    const auto scorer = make_scorer(model);
    const Subject subject{.scorer = *scorer, .model = &model, .background = data};
    const std::vector<double> expected = brute_force(model, data.row(0), data.features());
    for (const ShapleyMode mode : {ShapleyMode::kPaired, ShapleyMode::kExact}) {
      const Explanation explanation = explain_first(subject, data, {.shapley = {.mode = mode}});
      for (std::size_t f = 0; f < expected.size(); ++f) {
        EXPECT_NEAR(explanation.attributions[f], expected[f], 1e-12);
      }
      const double sum = std::accumulate(explanation.attributions.begin(),
                                         explanation.attributions.end(), explanation.base_value);
      EXPECT_NEAR(sum, explanation.value, 1e-12);
    }
  }
}

// The same game by two ways that share no code: all coalitions, and the leaves of the trees.
TEST(KernelShap, OfAllCoalitionsIsInterventionalTreeShap) {
  ForestMaker maker(11);
  for (int i = 0; i < 20; ++i) {
    const Model model{.body = maker.forest({}), .provenance = {}};
    const Forest forest = require_forest(model, "the test");
    std::vector<std::vector<float>> rows;
    for (int r = 0; r < 12; ++r) rows.push_back(maker.row(forest));
    const Dataset data = one_query(rows);
    const auto scorer = make_scorer(model);
    const Subject subject{.scorer = *scorer, .model = &model, .background = data};
    const Explanation sampled =
        explain_first(subject, data, {.shapley = {.mode = ShapleyMode::kExact}});
    const InterventionalTreeShap exact(forest, data.features(), {});
    std::vector<double> values(forest.num_features());
    exact.values({data.row(0).data(), 1, data.num_features()}, {values.data(), 1, values.size()},
                 {});
    EXPECT_NEAR(sampled.base_value, exact.base_value(), 1e-9);
    for (std::size_t f = 0; f < values.size(); ++f) {
      EXPECT_NEAR(sampled.attributions[f], values[f], 1e-9) << i << ' ' << f;
    }
  }
}

TEST(KernelShap, SampledIsWithinItsStandardErrorsOfTheExactValues) {
  const auto scorer = bent_scorer(13);
  const Dataset data = normal_query(12, 13, 5);
  const Subject subject{.scorer = *scorer, .background = data};
  const Explanation exact =
      explain_first(subject, data, {.shapley = {.mode = ShapleyMode::kExact}});
  for (const ShapleyMode mode : {ShapleyMode::kPaired, ShapleyMode::kPermutation}) {
    const Explanation sampled =
        explain_first(subject, data, {.shapley = {.mode = mode, .samples = 600, .max_error = 0}});
    for (std::size_t f = 0; f < 13; ++f) {
      EXPECT_NEAR(sampled.attributions[f], exact.attributions[f],
                  4 * sampled.standard_errors[f] + 1e-12)
          << f;
      EXPECT_LT(sampled.standard_errors[f], 0.2);
    }
  }
}

TEST(KernelShap, HasTheSameBytesForAnyThreadsAndAnyTargetsBesideIt) {
  const auto scorer = bent_scorer(16);
  const Dataset data = normal_query(30, 16, 6);
  const Subject subject{.scorer = *scorer, .background = data};
  const auto with = [&](int threads, std::vector<Target> targets) {
    const Context context{.threads = std::make_shared<const Threads>(threads), .seed = 9};
    KernelShap explainer({.shapley = {.samples = 300}});
    explainer.prepare(subject, context);
    return explainer.explain(view_query(subject, data, 0, context), targets, context)
        .back()
        .attributions;
  };
  const Target third = Target::of_document(3);
  const auto one = with(1, {third});
  EXPECT_EQ(one, with(2, {third}));
  EXPECT_EQ(one, with(4, {Target::of_document(0), third}));
}

TEST(KernelShap, ModeShapNamesFewFeaturesFromFewSamples) {
  const auto scorer = linear_scorer({5, 0, 0, -4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                     0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const Dataset data = normal_query(10, 40, 6);
  const Subject subject{.scorer = *scorer, .background = data};
  const Explanation explanation = explain_first(
      subject, data,
      {.shapley = {.mode = ShapleyMode::kShap, .samples = 60, .l1_reg = "num_features(2)"}});
  EXPECT_EQ(std::ranges::count_if(explanation.attributions, [](double phi) { return phi != 0; }),
            2);
  EXPECT_NE(explanation.attributions[0], 0);
  EXPECT_NE(explanation.attributions[3], 0);
}

TEST(KernelShap, ABackgroundLikeTheDocumentExplainsNothing) {
  const auto scorer = linear_scorer({1, 2});
  const Dataset data = one_query({{3, 4}, {5, 6}});
  for (const std::vector<std::vector<float>>& rows :
       {std::vector<std::vector<float>>{{3, 4}}, {{3, 4}, {3, 4}, {3, 4}}}) {
    const Dataset background = one_query(rows);
    const Subject subject{.scorer = *scorer, .background = background};
    const Explanation explanation = explain_first(subject, data, {});
    EXPECT_EQ(explanation.attributions, (std::vector<double>{0, 0}));
    EXPECT_EQ(explanation.base_value, explanation.value);
    EXPECT_TRUE(explanation.features.empty());
  }
}

TEST(KernelShap, OneBackgroundRowIsABaseline) {
  const auto scorer = linear_scorer({1, 2});
  const Dataset data = one_query({{3, 4}});
  const Dataset background = one_query({{1, 1}});
  const Subject subject{.scorer = *scorer, .background = background};
  const Explanation explanation = explain_first(subject, data, {.k = 50});
  EXPECT_EQ(explanation.attributions, (std::vector<double>{2, 6}));
  EXPECT_EQ(explanation.features, (std::vector<std::uint32_t>{1, 0}));  // k beyond the features
}

TEST(KernelShap, MissingEqualsMissing) {
  const float missing = std::numeric_limits<float>::quiet_NaN();
  const auto scorer =
      make_function_scorer(2, [](MatrixView<const float> rows, std::span<double> scores) {
        for (std::size_t r = 0; r < rows.num_rows(); ++r) {
          scores[r] = (std::isnan(rows(r, 0)) ? 10 : 0) + static_cast<double>(rows(r, 1));
        }
      });
  const Dataset data = one_query({{missing, 1}});
  const Dataset background = one_query({{missing, 0}, {missing, 2}});
  const Subject subject{.scorer = *scorer, .background = background};
  const Explanation explanation = explain_first(subject, data, {});
  EXPECT_EQ(explanation.attributions, (std::vector<double>{0, 0}));
  EXPECT_EQ(explanation.base_value, 11);
}

TEST(KernelShap, SaysWhatIsWrong) {
  const auto scorer = linear_scorer(std::vector<double>(40, 1.0));
  const Dataset data = normal_query(5, 40, 2);
  const Subject subject{.scorer = *scorer, .background = data};
  EXPECT_EQ(message_of([&] { explain_first(subject, data, {.shapley = {.samples = 50}}); }),
            "50 samples are too few for 40 features that count; take at least 82 (samples), or let "
            "few features in (mode = shap, or l1_reg = num_features(K))");
  const Dataset narrow = normal_query(5, 3, 2);
  const Subject short_subject{.scorer = *scorer, .background = narrow};
  EXPECT_EQ(message_of([&] { KernelShap().prepare(short_subject, {}); }),
            "the background data has 3 features, the model 40");
}

TEST(KernelShap, RankingsAndPairsFollowFromDocuments) {
  const auto scorer = linear_scorer({1, -2});
  const Dataset data = one_query({{3, 1}, {5, 0}, {0, 0}});
  const Dataset background = one_query({{0, 0}});
  const Subject subject{.scorer = *scorer, .background = background};
  const auto explainer = make_explainer("kernel-shap");
  explainer->prepare(subject, {});
  const ExplainedQuery query = view_query(subject, data, 0, {});
  const std::vector<Target> targets = {Target::of_ranking(), Target::of_pair(1, 0)};
  const auto shap_1 = explain_targets(*explainer, query, targets, {.top_documents = 1}, {});
  EXPECT_EQ(shap_1[0].attributions, (std::vector<double>{5, 0}));
  EXPECT_EQ(shap_1[1].attributions, (std::vector<double>{2, 2}));
  const auto shap_5 = explain_targets(*explainer, query, targets, {.top_documents = 5}, {});
  EXPECT_EQ(shap_5[0].attributions, (std::vector<double>{8, -2}));
  EXPECT_EQ(shap_5[0].features, (std::vector<std::uint32_t>{0}));
}

}  // namespace
}  // namespace glassrank
