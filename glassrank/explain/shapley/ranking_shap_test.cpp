#include "glassrank/explain/shapley/ranking_shap.h"

#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/explain/registry.h"
#include "glassrank/explain/shapley/exact_shapley.h"
#include "glassrank/math/rank_correlation.h"
#include "glassrank/models/model.h"
#include "testing/explained_rows.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

std::unique_ptr<const Scorer> sum_scorer(std::size_t num_features) {
  return make_function_scorer(num_features,
                              [](MatrixView<const float> rows, std::span<double> scores) {
                                for (std::size_t r = 0; r < rows.num_rows(); ++r) {
                                  scores[r] = 0;
                                  for (const float value : rows.row(r)) scores[r] += value;
                                }
                              });
}

std::vector<Explanation> explain(const Subject& subject, const Dataset& data,
                                 RankingShapParams params, const std::vector<Target>& targets,
                                 const Context& context = {}) {
  RankingShap explainer(std::move(params));
  explainer.prepare(subject, context);
  return explainer.explain(view_query(subject, data, 0, context), targets, context);
}

// Two documents, (5, 0) above (0, 3), reference (0, 0). Knowing feature 0 alone keeps the order
// (tau 1), feature 1 alone turns it (-1), both keep it: phi_0 = (1 - 0 + 1 - -1) / 2 = 3/2,
// phi_1 = (-1 - 0 + 1 - 1) / 2 = -1/2.
TEST(RankingShap, OfAHandComputedExample) {
  const auto scorer = sum_scorer(2);
  const Dataset data = one_query({{5, 0}, {0, 3}});
  const Dataset background = one_query({{0, 0}});
  const Subject subject{.scorer = *scorer, .background = background};
  const auto results = explain(
      subject, data, {},
      {Target::of_ranking(), Target::of_pair(0, 1), Target::of_pair(1, 0), Target::of_document(0)});
  EXPECT_EQ(results[0].attributions, (std::vector<double>{1.5, -0.5}));
  EXPECT_EQ(results[0].base_value, 0);
  EXPECT_EQ(results[0].value, 1);
  EXPECT_EQ(results[0].features, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(results[1].attributions, results[0].attributions);
  EXPECT_EQ(results[2].attributions, (std::vector<double>{-1.5, 0.5}));
  // Documents ahead of: 1/2 with nothing, 1, 0, and 1 with all: half of the above.
  EXPECT_EQ(results[3].attributions, (std::vector<double>{0.75, -0.25}));
  EXPECT_EQ(results[3].base_value, 0.5);
}

// ShaRP's question: only the document changes. Document 1 is (0, 3) against 5: below, whatever of
// it is known; with 4 at feature 0 it would be above.
TEST(RankingShap, OthersMayBeKept) {
  const auto scorer = sum_scorer(2);
  const Dataset data = one_query({{5, 0}, {4, 3}});
  const Dataset background = one_query({{0, 0}});
  const Subject subject{.scorer = *scorer, .background = background};
  const auto result =
      explain(subject, data, {.others = OtherDocuments::kKept}, {Target::of_document(1)}).front();
  EXPECT_EQ(result.attributions, (std::vector<double>{0.5, 0.5}));  // needs both to pass
  EXPECT_EQ(result.base_value, 0);
  EXPECT_EQ(result.value, 1);
}

// Every coalition, every row by the model's own definition.
TEST(RankingShap, OfForestsIsBruteForce) {
  ForestMaker maker(5);
  for (int i = 0; i < 15; ++i) {
    const Model model{.body = maker.forest({}), .provenance = {}};
    const Forest forest = require_forest(model, "the test");
    const std::size_t num_features = forest.num_features();
    std::vector<std::vector<float>> rows;
    for (int r = 0; r < 6; ++r) rows.push_back(maker.row(forest));
    const Dataset data = one_query(rows);
    const auto scorer = make_scorer(model);
    const Subject subject{.scorer = *scorer, .model = &model, .background = data};
    const ExplainedQuery query = view_query(subject, data, 0, {});
    const Game game{.num_players = num_features,
                    .evaluate = [&](CoalitionView coalitions, std::span<double> worths) {
                      for (std::size_t c = 0; c < coalitions.num_rows(); ++c) {
                        worths[c] = 0;
                        for (const auto& reference : rows) {
                          std::vector<double> scores;
                          for (std::vector<float> row : rows) {
                            for (std::size_t f = 0; f < num_features; ++f) {
                              if (coalitions(c, f) == 0) row[f] = reference[f];
                            }
                            scores.push_back(score_row(model, row));
                          }
                          worths[c] += kendall_tau_a(query.scores, scores) / 6;
                        }
                      }
                    }};
    const std::vector<double> expected = exact_shapley(game, {}).front().values;
    const auto result =
        explain(subject, data, {.background_rows = 100}, {Target::of_ranking()}).front();
    for (std::size_t f = 0; f < num_features; ++f) {
      EXPECT_NEAR(result.attributions[f], expected[f], 1e-12);
    }
  }
}

// tau is the mean over pairs, and Shapley values are linear.
TEST(RankingShap, OfTauIsTheMeanOverPairs) {
  const auto scorer = sum_scorer(5);
  const Dataset data = normal_query(6, 5, 3);
  const Subject subject{.scorer = *scorer, .background = data};
  const ExplainedQuery query = view_query(subject, data, 0, {});
  std::vector<Target> targets = {Target::of_ranking()};
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = a + 1; b < 6; ++b) {
      targets.push_back(Target::of_pair(query.ranking[a], query.ranking[b]));
    }
  }
  const auto results = explain(subject, data, {}, targets);
  for (std::size_t f = 0; f < 5; ++f) {
    double mean = 0;
    for (std::size_t t = 1; t < targets.size(); ++t) mean += results[t].attributions[f] / 15;
    EXPECT_NEAR(results[0].attributions[f], mean, 1e-12);
  }
}

TEST(RankingShap, SampledIsWithinItsStandardErrorsOfTheExactValues) {
  const auto scorer = sum_scorer(14);
  const Dataset data = normal_query(12, 14, 8);
  const Subject subject{.scorer = *scorer, .background = data};
  const std::vector<Target> targets = {Target::of_ranking(), Target::of_document(2)};
  for (const RankingValue value : {RankingValue::kTau, RankingValue::kNdcg}) {
    const auto exact = explain(
        subject, data, {.ranking_value = value, .shapley = {.mode = ShapleyMode::kExact}}, targets);
    const auto sampled =
        explain(subject, data,
                {.ranking_value = value, .shapley = {.samples = 800, .max_error = 0}}, targets);
    for (std::size_t t = 0; t < 2; ++t) {
      double sum = sampled[t].base_value;
      for (std::size_t f = 0; f < 14; ++f) {
        EXPECT_NEAR(sampled[t].attributions[f], exact[t].attributions[f],
                    4 * sampled[t].standard_errors[f])
            << f;
        EXPECT_GT(sampled[t].standard_errors[f], 0);
        sum += sampled[t].attributions[f];
      }
      EXPECT_NEAR(sum, sampled[t].value, 1e-10);
    }
  }
}

TEST(RankingShap, HasTheSameBytesForAnyThreads) {
  const auto scorer = sum_scorer(20);
  const Dataset data = normal_query(30, 20, 8);
  const Subject subject{.scorer = *scorer, .background = data};
  const auto with = [&](int threads) {
    const Context context{.threads = std::make_shared<const Threads>(threads)};
    return explain(subject, data, {.background_rows = 3, .shapley = {.samples = 200}},
                   {Target::of_ranking()}, context)
        .front()
        .attributions;
  };
  const auto one = with(1);
  EXPECT_EQ(one, with(2));
  EXPECT_EQ(one, with(4));
}

TEST(RankingShap, OneDocumentOrAllTiedExplainNothing) {
  const auto scorer = sum_scorer(2);
  const Dataset background = one_query({{0, 0}});
  const Subject subject{.scorer = *scorer, .background = background};
  const Dataset one = one_query({{1, 2}});
  EXPECT_EQ(explain(subject, one, {}, {Target::of_ranking()}).front().attributions,
            (std::vector<double>{0, 0}));
  const Dataset tied = one_query({{1, 2}, {1, 2}, {1, 2}});
  const Explanation nothing = explain(subject, tied, {}, {Target::of_ranking()}).front();
  EXPECT_EQ(nothing.attributions, (std::vector<double>{0, 0}));
  EXPECT_TRUE(nothing.features.empty());
}

TEST(RankingShap, AbstainsWhereNoDocumentIsRelevant) {
  const auto scorer = sum_scorer(2);
  const Dataset data = one_query({{1, 2}, {0, 1}});
  const Subject subject{.scorer = *scorer, .background = data};
  const auto result =
      explain(subject, data, {.ranking_value = RankingValue::kNdcg, .gains = GainsOf::kGrades},
              {Target::of_ranking()})
          .front();
  EXPECT_EQ(result.abstains, "no document of the query has a grade above 0: there is no NDCG");
  EXPECT_EQ(result.attributions, (std::vector<double>{0, 0}));
}

// Every document of the query at the query's mean is as with nothing known.
TEST(RankingShap, MasksWithTheQuerysOwnMeanIfAsked) {
  const auto scorer = sum_scorer(2);
  const Dataset data = one_query({{4, 0}, {0, 2}});
  const Dataset background = one_query({{100, 100}});
  const Subject subject{.scorer = *scorer, .background = background};
  const auto result =
      explain(subject, data, {.mask = Typical::kQueryMean}, {Target::of_ranking()}).front();
  EXPECT_EQ(result.attributions, (std::vector<double>{1.5, -0.5}));
}

TEST(RankingShap, IsInTheRegistry) {
  const auto explainer = make_explainer("ranking-shap");
  EXPECT_EQ(explainer->name(), "ranking-shap");
  EXPECT_TRUE(explainer->traits().explains_rankings);
  EXPECT_TRUE(explainer->traits().explains_pairs);
}

}  // namespace
}  // namespace glassrank
