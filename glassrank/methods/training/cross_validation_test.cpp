#include "glassrank/methods/training/cross_validation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/data/split.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/registry.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

LambdamartParams quick() {
  LambdamartParams params;
  params.boosting.num_trees = 30;
  params.boosting.num_leaves = 8;
  params.patience = 5;
  params.watch.metric = {"ndcg@10", "map"};
  return params;
}

TEST(SpreadOf, IsMeanAndSampleDeviation) {
  // mean (1 + 2 + 6) / 3 = 3; squares 4 + 1 + 9 = 14; sqrt(14 / 2)
  const Spread spread = spread_of(std::vector<double>{1, 2, 6});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(7.0));
  EXPECT_TRUE(std::isnan(spread_of(std::vector<double>{1}).deviation));
}

TEST(MeanLength, RoundsAndIsAtLeastOne) {
  const auto mean = [](std::vector<std::size_t> trees) {
    std::vector<TrainingLength> lengths;
    for (const std::size_t count : trees) lengths.push_back({{"trees", count}});
    return mean_length(lengths);
  };
  EXPECT_EQ(mean({2, 3}), (TrainingLength{{"trees", 3}}));
  EXPECT_EQ(mean({2, 2, 3}), (TrainingLength{{"trees", 2}}));
  EXPECT_EQ(mean({0, 0}), (TrainingLength{{"trees", 1}}));
}

TEST(MeanLength, NoPartIsLongerThanTheFirst) {
  using Lengths = std::vector<TrainingLength>;
  EXPECT_EQ(
      mean_length(Lengths{{{"trees", 9}, {"main_trees", 4}}, {{"trees", 5}, {"main_trees", 5}}}),
      (TrainingLength{{"trees", 7}, {"main_trees", 5}}));  // 4.5, rounded up
  EXPECT_EQ(mean_length(Lengths{{{"trees", 1}, {"main_trees", 3}}}),
            (TrainingLength{{"trees", 1}, {"main_trees", 1}}));
  EXPECT_EQ(mean_length(Lengths{{}, {}}), TrainingLength{});
}

TEST(LengthText, SaysHowLong) {
  EXPECT_EQ(length_text({{"trees", 120}}), "120 trees");
  EXPECT_EQ(length_text({{"trees", 120}, {"main_trees", 80}}), "120 trees, 80 of them main_trees");
  EXPECT_EQ(length_text({}), "as long as it stops by itself");
}

TEST(CrossValidate, IsThatManyTrainingsOnTheFoldsOfTheSplit) {
  const Dataset data = make_bookshop({.queries = 60}, 4).train;
  const CrossValidation found = cross_validate(data, *make_lambdamart(quick()), 3, Context{});
  ASSERT_EQ(found.folds.size(), 3U);
  ASSERT_EQ(found.valid.metrics.size(), 2U);
  EXPECT_EQ(found.valid.metrics[0].metric, "ndcg@10");
  EXPECT_EQ(found.test.metrics[1].metric, "map");
  const std::vector<Fold> folds = fold_queries(data.num_queries(), 3, 0);
  double sum = 0;
  double trees = 0;
  for (std::size_t f = 0; f < 3; ++f) {
    const Dataset train = select_queries(data, folds[f].train).materialise();
    const Dataset valid = select_queries(data, folds[f].valid).materialise();
    const LambdamartResult alone = train_lambdamart(train, &valid, quick(), Context{});
    EXPECT_EQ(found.folds[f].length, (TrainingLength{{"trees", alone.forest.trees().size()}}));
    EXPECT_EQ(found.folds[f].num_rounds, alone.num_rounds);
    EXPECT_NEAR(found.folds[f].valid[0].second, alone.best_metric, 1e-12);
    EXPECT_NE(found.folds[f].test[0].second, found.folds[f].valid[0].second);
    sum += found.folds[f].test[0].second;
    trees += static_cast<double>(found.folds[f].length[0].second);
  }
  EXPECT_NEAR(found.test.metrics[0].spread.mean, sum / 3, 1e-12);
  EXPECT_EQ(found.length,
            (TrainingLength{{"trees", static_cast<std::size_t>(std::round(trees / 3))}}));
}

TEST(CrossValidate, SaysWhatIsWrong) {
  const Dataset data = make_bookshop({.queries = 10}, 4).train;
  EXPECT_EQ(message_of([&] { cross_validate(data, *make_lambdamart(quick()), 2, Context{}); }),
            "folds = 2; at least 3 are needed for train, valid and test");
  EXPECT_EQ(message_of([&] { cross_validate(data, *make_lambdamart(quick()), 50, Context{}); }),
            "6 queries cannot be cut into 50 folds");
}

}  // namespace
}  // namespace glassrank
