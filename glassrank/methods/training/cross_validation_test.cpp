#include "glassrank/methods/training/cross_validation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/data/split.h"
#include "glassrank/data/synth/bookshop.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

LambdamartParams quick() {
  LambdamartParams params;
  params.boosting.num_trees = 30;
  params.boosting.num_leaves = 8;
  params.patience = 5;
  params.metric = {"ndcg@10", "map"};
  return params;
}

TEST(SpreadOf, IsMeanAndSampleDeviation) {
  // mean (1 + 2 + 6) / 3 = 3; squares 4 + 1 + 9 = 14; sqrt(14 / 2)
  const Spread spread = spread_of(std::vector<double>{1, 2, 6});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(7.0));
  EXPECT_TRUE(std::isnan(spread_of(std::vector<double>{1}).deviation));
}

TEST(MeanTrees, RoundsAndIsAtLeastOne) {
  EXPECT_EQ(mean_trees(std::vector<std::size_t>{2, 3}), 3U);
  EXPECT_EQ(mean_trees(std::vector<std::size_t>{2, 2, 3}), 2U);
  EXPECT_EQ(mean_trees(std::vector<std::size_t>{0, 0}), 1U);
}

TEST(CrossValidate, IsThatManyTrainingsOnTheFoldsOfTheSplit) {
  const Dataset data = make_bookshop({.queries = 60}, 4).train;
  const CrossValidation found = cross_validate(data, quick(), 3, Context{});
  ASSERT_EQ(found.folds.size(), 3U);
  EXPECT_EQ(found.metrics, (std::vector<std::string>{"ndcg@10", "map"}));
  const std::vector<Fold> folds = fold_queries(data.num_queries(), 3, 0);
  double sum = 0;
  double trees = 0;
  for (std::size_t f = 0; f < 3; ++f) {
    const Dataset train = select_queries(data, folds[f].train).materialise();
    const Dataset valid = select_queries(data, folds[f].valid).materialise();
    const LambdamartResult alone = train_lambdamart(train, &valid, quick(), Context{});
    EXPECT_EQ(found.folds[f].num_trees, alone.forest.trees().size());
    EXPECT_EQ(found.folds[f].num_rounds, alone.num_rounds);
    EXPECT_NEAR(found.folds[f].valid[0], alone.best_metric, 1e-12);
    EXPECT_NE(found.folds[f].test[0], found.folds[f].valid[0]);
    sum += found.folds[f].test[0];
    trees += static_cast<double>(found.folds[f].num_trees);
  }
  EXPECT_NEAR(found.test[0].mean, sum / 3, 1e-12);
  EXPECT_EQ(found.num_trees, static_cast<std::size_t>(std::round(trees / 3)));
}

TEST(CrossValidate, SaysWhatIsWrong) {
  const Dataset data = make_bookshop({.queries = 10}, 4).train;
  EXPECT_EQ(message_of([&] { cross_validate(data, quick(), 2, Context{}); }),
            "folds = 2; at least 3 are needed for train, valid and test");
  EXPECT_EQ(message_of([&] { cross_validate(data, quick(), 50, Context{}); }),
            "6 queries cannot be cut into 50 folds");
}

}  // namespace
}  // namespace glassrank
