#include "glassrank/methods/lambdamart.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/forest_scorer.h"

namespace glassrank {
namespace {

double test_ndcg(const Forest& forest, const Dataset& data) {
  std::vector<double> scores(data.num_rows());
  ForestScorer(forest).score(data.features(), scores, Context{});
  return evaluate(DatasetLists(data, scores), std::vector{parse_metric("ndcg@10")}, Convention{},
                  Context{})
      .metrics.front()
      .mean;
}

LambdamartParams quick() {
  LambdamartParams params;
  params.boosting.num_trees = 60;
  params.boosting.num_leaves = 16;
  params.patience = 20;
  return params;
}

TEST(Lambdamart, RanksBooksFarBetterThanTheirBestFeature) {
  const Bookshop shop = make_bookshop({}, 0);
  const LambdamartResult result = train_lambdamart(shop.train, &shop.valid, quick(), Context{});
  // bm25_title alone reaches 0.64 on the test part.
  EXPECT_GT(test_ndcg(result.forest, shop.test), 0.80);
  EXPECT_EQ(result.curve.size(), result.num_rounds);
  EXPECT_EQ(result.curve.front().size(), 2U);
}

TEST(Lambdamart, KeepsTheTreesUpToTheBestValidationRound) {
  const Bookshop shop = make_bookshop({}, 1);
  const LambdamartResult result = train_lambdamart(shop.train, &shop.valid, quick(), Context{});
  double best = -1;
  std::size_t best_round = 0;
  for (std::size_t round = 0; round < result.curve.size(); ++round) {
    if (result.curve[round][1] > best) {
      best = result.curve[round][1];
      best_round = round;
    }
  }
  EXPECT_EQ(result.best_metric, best);
  EXPECT_EQ(result.forest.trees().size(), best_round + 1);
  EXPECT_NEAR(test_ndcg(result.forest, shop.valid), best, 1e-9);
}

TEST(Lambdamart, GivesTheSameForestForAnyNumberOfThreads) {
  const Bookshop shop = make_bookshop({.queries = 60}, 2);
  const auto scores_with = [&](int threads) {
    Context context;
    context.threads = std::make_shared<Threads>(threads);
    const Forest forest = train_lambdamart(shop.train, nullptr, quick(), context).forest;
    std::vector<double> scores(shop.test.num_rows());
    ForestScorer(forest).score(shop.test.features(), scores, context);
    return scores;
  };
  const auto one = scores_with(1);
  EXPECT_EQ(scores_with(2), one);
  EXPECT_EQ(scores_with(4), one);
}

TEST(Lambdamart, RefusesValidationDataWithOtherFeatures) {
  const Bookshop shop = make_bookshop({.queries = 30}, 3);
  DatasetParts parts;
  parts.features = Buffer<float>(1);
  parts.features[0] = 1;
  parts.grades = {1};
  const std::size_t sizes[] = {1};
  parts.queries = QueryGroups({"q"}, sizes);
  parts.feature_names = {"one"};
  const Dataset other{std::move(parts)};
  EXPECT_THROW(train_lambdamart(shop.train, &other, quick(), Context{}), Error);
}

}  // namespace
}  // namespace glassrank
