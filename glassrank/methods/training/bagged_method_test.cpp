#include "glassrank/methods/training/bagged_method.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/random_search.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::same_bytes;
using testing::train;
using testing::with_threads;

constexpr std::uint64_t kSeed = 7;

const Bookshop& shop() {
  static const Bookshop kShop = make_bookshop({.queries = 80}, 2);
  return kShop;
}

LambdamartParams quick() {
  LambdamartParams params;
  params.boosting.num_trees = 16;
  params.boosting.num_leaves = 6;
  params.boosting.min_leaf_rows = 5;
  params.boosting.learning_rate = 0.3;
  params.patience = 5;
  return params;
}

// Every kind of chance.
LambdamartParams with_chance(SampleMethod method = SampleMethod::kQueries) {
  LambdamartParams params = quick();
  params.boosting.feature_fraction = 0.5;
  params.sample.method = method;
  params.sample.fraction = 0.6;
  return params;
}

std::unique_ptr<Method> bagged(const LambdamartParams& params, const BagParams& bagging) {
  return make_bagged(make_lambdamart(params), bagging);
}

Forest forest_of(const TrainResult& result) { return require_forest(result.model, "the test"); }

bool same(const Forest& a, const Forest& b) {
  return a.base_score() == b.base_score() && std::ranges::equal(a.trees(), b.trees());
}

// The oracle: a bag trained by hand.
struct BagByHand {
  BagSplitRows rows;
  LambdamartResult result;
};

BagByHand bag_by_hand(const LambdamartParams& params, const BagParams& bagging, std::size_t bag,
                      bool has_valid = true, const Dataset& rows = shop().train) {
  BagByHand made{.rows = split_bag(rows.queries(), {.share = bagging.valid_share}, kSeed, bag)};
  LambdamartData data =
      prepare_lambdamart(rows, has_valid ? &shop().valid : nullptr, params, Context{});
  const BinnedDataset all = data.train;
  data.train = select_rows(all, made.rows.train, Context{});
  if (bagging.stop_on == StopOn::kBag) data.valid = select_rows(all, made.rows.held_out, Context{});
  Context context;
  context.seed = CounterRandom(kSeed, "bag", bag).bits(0);
  made.result = train_lambdamart(data, params, {}, context);
  return made;
}

void expect_mean_of_bags(const TrainResult& found, const LambdamartParams& params,
                         const BagParams& bagging, bool has_valid = true) {
  std::vector<Forest> forests;
  const auto num_bags = static_cast<std::size_t>(bagging.bags);
  ASSERT_EQ(found.report.bags.size(), num_bags);
  std::size_t num_rounds = 0;
  for (std::size_t b = 0; b < num_bags; ++b) {
    const BagByHand bag = bag_by_hand(params, bagging, b, has_valid);
    forests.push_back(bag.result.forest);
    const BagReport& report = found.report.bags[b];
    EXPECT_EQ(report.num_rows, bag.rows.train.size());
    EXPECT_EQ(report.num_held_out_rows, bag.rows.held_out.size());
    EXPECT_EQ(report.num_rounds, bag.result.num_rounds);
    EXPECT_EQ(report.num_trees, bag.result.forest.trees().size());
    const bool is_measured = !std::isnan(bag.result.best_metric);
    EXPECT_EQ(report.value, is_measured ? std::optional(bag.result.best_metric) : std::nullopt);
    for (std::size_t r = 0; r < bag.result.num_rounds; ++r) {
      EXPECT_EQ(found.curve.places[num_rounds + r].bag, b + 1);
      EXPECT_EQ(found.curve.places[num_rounds + r].round, r + 1);
      EXPECT_EQ(found.curve.rounds[num_rounds + r], bag.result.curve[r]);
    }
    num_rounds += bag.result.num_rounds;
  }
  EXPECT_EQ(found.curve.rounds.size(), num_rounds);
  EXPECT_EQ(found.report.num_rounds, num_rounds);
  EXPECT_TRUE(same(forest_of(found), mean_forest(forests)));
  for (std::size_t row = 0; row < 60; ++row) {
    double mean = 0;
    for (const Forest& forest : forests) {
      mean += forest.score(shop().test.row(row)) / static_cast<double>(num_bags);
    }
    EXPECT_NEAR(forest_of(found).score(shop().test.row(row)), mean, 1e-12);
  }
}

TEST(BaggedMethod, IsTheMeanOfModelsOfItsBagsByHand) {
  const BagParams bagging{.bags = 3};
  const TrainResult found =
      train(*bagged(with_chance(), bagging), shop().train, &shop().valid, {.seed = kSeed});
  expect_mean_of_bags(found, with_chance(), bagging);
  EXPECT_FALSE(found.is_interrupted);
  EXPECT_EQ(found.curve.names.back(), "valid ndcg@10");
  EXPECT_EQ(found.length, (TrainingLength{{"trees", *found.report.best_round}}));
}

TEST(BaggedMethod, MetricsAreTheMeanModels) {
  LambdamartParams params = quick();
  params.watch = {.metric = {"ndcg@10", "map"}, .stop_metric = "map"};
  const TrainResult found = train(*bagged(params, {.bags = 3}), shop().train, &shop().valid);
  const std::vector specs = {parse_metric("ndcg@10"), parse_metric("map")};
  const auto values = [&](const Dataset& data) {
    return mean_values(ForestScorer(forest_of(found)), data, specs, Context{});
  };
  ASSERT_EQ(found.report.valid.size(), 2U);
  ASSERT_EQ(found.report.train.size(), 2U);
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(found.report.valid[m].first, m == 0 ? "ndcg@10" : "map");
    EXPECT_NEAR(found.report.valid[m].second, values(shop().valid)[m], 1e-12);
    EXPECT_EQ(found.report.train[m].first, m == 0 ? "ndcg@10" : "map");
    EXPECT_NEAR(found.report.train[m].second, values(shop().train)[m], 1e-12);
  }
  EXPECT_EQ(found.best_metric, found.report.valid[1].second);
}

TEST(BaggedMethod, GivesTheSameBytesForAnyThreads) {
  for (const StopOn stop_on : {StopOn::kValid, StopOn::kBag}) {
    const auto method = bagged(with_chance(), {.bags = 3, .stop_on = stop_on});
    const TrainResult one = train(*method, shop().train, &shop().valid, with_threads(1));
    for (const int threads : {2, 4}) {
      const TrainResult other = train(*method, shop().train, &shop().valid, with_threads(threads));
      EXPECT_TRUE(same_bytes(other.model, one.model));
      EXPECT_EQ(other.curve.rounds, one.curve.rounds);
      EXPECT_EQ(other.best_metric, one.best_metric);
    }
    EXPECT_FALSE(same_bytes(train(*method, shop().train, &shop().valid, with_threads(1, 5)).model,
                            one.model));
  }
}

TEST(BaggedMethod, OneBagIsTheMethodItself) {
  const auto plain = make_lambdamart(with_chance());
  const TrainResult alone = train(*plain, shop().train, &shop().valid, {.seed = kSeed});
  const TrainResult found = train(*bagged(with_chance(), {.bags = 1, .valid_share = 0.4}),
                                  shop().train, &shop().valid, {.seed = kSeed});
  EXPECT_TRUE(same(forest_of(found), forest_of(alone)));
  EXPECT_TRUE(same_bytes(found.model, alone.model));
  EXPECT_EQ(found.curve.rounds, alone.curve.rounds);
  EXPECT_TRUE(found.report.bags.empty());
  // But a bag that stops itself is one of its own.
  const BagParams own{.bags = 1, .stop_on = StopOn::kBag};
  expect_mean_of_bags(
      train(*bagged(with_chance(), own), shop().train, &shop().valid, {.seed = kSeed}),
      with_chance(), own);
}

TEST(BaggedMethod, StopsOnTheQueriesItHoldsOut) {
  const BagParams bagging{.bags = 3, .valid_share = 0.3, .stop_on = StopOn::kBag};
  const auto method = bagged(quick(), bagging);
  EXPECT_TRUE(method->traits().needs_values);
  const TrainResult found = train(*method, shop().train, &shop().valid, {.seed = kSeed});
  expect_mean_of_bags(found, quick(), bagging);
  EXPECT_EQ(found.report.stop_metric, "held-out ndcg@10");
  EXPECT_TRUE(found.length.empty());  // it stops itself
  // The validation data has no say, and is measured all the same.
  const TrainResult blind = train(*method, shop().train, nullptr, {.seed = kSeed});
  EXPECT_TRUE(same_bytes(blind.model, found.model));
  EXPECT_TRUE(std::isnan(blind.best_metric));
  EXPECT_FALSE(std::isnan(found.best_metric));
  EXPECT_TRUE(blind.report.valid.empty());
}

TEST(BaggedMethod, WithNothingHeldOutBagsDifferInTheirRandomNumbers) {
  const BagParams bagging{.bags = 2, .valid_share = 0};
  const TrainResult found =
      train(*bagged(with_chance(), bagging), shop().train, &shop().valid, {.seed = kSeed});
  expect_mean_of_bags(found, with_chance(), bagging);
  EXPECT_EQ(found.report.bags[0].num_rows, shop().train.num_rows());
  const Forest forest = forest_of(found);
  const std::size_t first = *found.report.bags[0].num_trees;
  EXPECT_FALSE(forest.trees()[0] == forest.trees()[first]);
  // Without any, they are equal, and so is their mean.
  LambdamartParams plain = quick();
  plain.boosting.precision = Precision::kFull;  // gradients are rounded at random otherwise
  const TrainResult equal =
      train(*bagged(plain, bagging), shop().train, &shop().valid, {.seed = kSeed});
  const Forest alone = forest_of(train(*make_lambdamart(plain), shop().train, &shop().valid));
  for (std::size_t row = 0; row < 30; ++row) {
    EXPECT_NEAR(forest_of(equal).score(shop().test.row(row)), alone.score(shop().test.row(row)),
                1e-12);
  }
}

TEST(BaggedMethod, WithoutValidationDataGrowsEveryTree) {
  const BagParams bagging{.bags = 2};
  const TrainResult found =
      train(*bagged(quick(), bagging), shop().train, nullptr, {.seed = kSeed});
  expect_mean_of_bags(found, quick(), bagging, false);
  EXPECT_EQ(found.report.num_trees, 32U);
}

// Stops at a line of the log: "[4] bag 2 of 3  train ...".
TrainResult train_until(const std::string& line, const Method& method,
                        Checkpoints* checkpoints = nullptr) {
  const auto sink = std::make_shared<testing::StopAt>(line);
  Context context = with_threads(1, kSeed);
  context.log_sink = sink;
  context.stop = &sink->stop;
  const TrainingData data(shop().train, shop().valid);
  return method.train({.data = data, .checkpoints = checkpoints, .log_every = 1}, context);
}

TEST(BaggedMethod, StoppedIsTheMeanOfTheBagsBegun) {
  LambdamartParams params = quick();
  params.patience = 0;  // keeps every tree
  const auto method = bagged(params, {.bags = 3});
  const TrainResult first = train_until("[4] bag 1 of 3", *method);
  EXPECT_TRUE(first.is_interrupted);
  EXPECT_EQ(first.report.bags.size(), 1U);
  EXPECT_TRUE(same(forest_of(first), bag_by_hand(params, {}, 0).result.forest.first_trees(4)));

  const TrainResult second = train_until("[4] bag 2 of 3", *method);
  EXPECT_TRUE(second.is_interrupted);
  ASSERT_EQ(second.report.bags.size(), 2U);
  EXPECT_EQ(second.report.kept, "20 trees");
  EXPECT_TRUE(
      same(forest_of(second),
           mean_forest(std::vector{bag_by_hand(params, {}, 0).result.forest,
                                   bag_by_hand(params, {}, 1).result.forest.first_trees(4)})));
  // Metrics are still those of the model.
  EXPECT_NEAR(second.best_metric,
              mean_values(ForestScorer(forest_of(second)), shop().valid,
                          std::vector{parse_metric("ndcg@10")}, Context{})[0],
              1e-12);

  const std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_EQ(message_of([&] { train(*method, shop().train, &shop().valid, context); }),
            "stopped at the user's request");
}

TEST(BaggedMethod, GoesOnFromItsCheckpointsToTheSameModel) {
  for (const StopOn stop_on : {StopOn::kValid, StopOn::kBag}) {
    const auto method = bagged(with_chance(), {.bags = 3, .stop_on = stop_on});
    const TrainResult whole = train(*method, shop().train, &shop().valid, {.seed = kSeed});
    for (const char* line : {"[1] bag 1 of 3", "[3] bag 2 of 3", "[5] bag 3 of 3"}) {
      SCOPED_TRACE(line);
      MemoryCheckpoints checkpoints;
      const TrainResult part = train_until(line, *method, &checkpoints);
      EXPECT_TRUE(part.is_interrupted);
      EXPECT_LT(*part.report.num_rounds, *whole.report.num_rounds);
      const TrainResult again =
          train(*method, shop().train, &shop().valid, {.seed = kSeed}, &checkpoints);
      EXPECT_FALSE(again.is_interrupted);
      EXPECT_TRUE(same_bytes(again.model, whole.model));
      EXPECT_EQ(again.curve.rounds, whole.curve.rounds);
      const TrainResult replayed =
          train(*method, shop().train, &shop().valid, {.seed = kSeed}, &checkpoints);
      EXPECT_TRUE(same_bytes(replayed.model, whole.model));
      EXPECT_EQ(replayed.curve.costs.front().all_rows, 0U);  // grown before
    }
  }
}

TEST(BaggedMethod, WorksWithEverySamplerAndDependsOnItsOwnNumbers) {
  for (const SamplerInfo& sampler : sampler_table()) {
    SCOPED_TRACE(sampler.name);
    const LambdamartParams params = with_chance(sampler.method);
    const BagParams bagging{.bags = 2};
    const TrainResult found =
        train(*bagged(params, bagging), shop().train, &shop().valid, {.seed = kSeed});
    expect_mean_of_bags(found, params, bagging);
    EXPECT_EQ(found.report.is_sampled, sampler.method != SampleMethod::kNone);
  }
}

// One cleaning for all bags, which then hold out queries of what is left.
TEST(BaggedMethod, WorksOnCleanedData) {
  for (const char* cleaner : {"sour", "last-sour", "isolation-forest"}) {
    SCOPED_TRACE(cleaner);
    CleanParams clean;
    set_param(clean, "method", {cleaner});
    const auto make = [&](const BagParams& bagging) {
      return make_cleaned(bagged(quick(), bagging), clean);
    };
    const BagParams bagging{.bags = 2};
    const TrainResult found = train(*make(bagging), shop().train, &shop().valid, {.seed = kSeed});
    const TrainResult alone =
        train(*make({.bags = 1}), shop().train, &shop().valid, {.seed = kSeed});
    EXPECT_EQ(found.cleaning->dropped, alone.cleaning->dropped);
    ASSERT_FALSE(found.cleaning->dropped.empty());
    LambdamartData data = prepare_lambdamart(shop().train, &shop().valid, quick(), Context{});
    const BinnedDataset left =
        select_rows(data.train, kept_rows(*found.cleaning, shop().train.num_rows()), Context{});
    std::vector<Forest> forests;
    for (std::size_t b = 0; b < 2; ++b) {
      const BagSplitRows rows = split_bag(left.queries(), {.share = 0.15}, kSeed, b);
      data.train = select_rows(left, rows.train, Context{});
      const Context context{.seed = CounterRandom(kSeed, "bag", b).bits(0)};
      forests.push_back(train_lambdamart(data, quick(), {}, context).forest);
      EXPECT_EQ(found.report.bags[b].num_rows + found.report.bags[b].num_held_out_rows,
                left.num_rows());
    }
    EXPECT_TRUE(same(forest_of(found), mean_forest(forests)));
  }
}

TEST(BaggedMethod, HasStagesInEveryBag) {
  CleanParams clean{.method = CleanMethod::kCurrSour};
  clean.stages = {4, 8};
  const auto method = make_cleaned(bagged(quick(), {.bags = 2}), clean);
  const TrainResult found = train(*method, shop().train, &shop().valid, {.seed = kSeed});
  ASSERT_EQ(found.cleaning->stages.size(), 2U);
  EXPECT_FALSE(found.cleaning->stages[0].left_out.empty());
  std::vector<Forest> forests;
  for (std::size_t b = 0; b < 2; ++b) {
    const BagSplitRows rows = split_bag(shop().train.queries(), {.share = 0.15}, kSeed, b);
    LambdamartData data = prepare_lambdamart(shop().train, &shop().valid, quick(), Context{});
    data.train = select_rows(data.train, rows.train, Context{});
    const Context context{.seed = CounterRandom(kSeed, "bag", b).bits(0)};
    forests.push_back(train_in_stages(data, stages_within(found.cleaning->stages, rows.train),
                                      quick(), {}, context)
                          .forest);
  }
  EXPECT_TRUE(same(forest_of(found), mean_forest(forests)));
}

// By hand: the mean over folds of the mean number of trees a bag of theirs keeps.
TEST(BaggedMethod, FoldsCountTheTreesOfABag) {
  const auto method = bagged(quick(), {.bags = 2});
  const CrossValidation found = cross_validate(shop().train, *method, 3, {.seed = kSeed});
  double sum = 0;
  const auto splits = fold_splits(shop().train, 3, {.seed = kSeed});
  for (std::size_t f = 0; f < 3; ++f) {
    const TrainResult fold = train(*method, splits[f].train, &splits[f].valid, {.seed = kSeed});
    EXPECT_EQ(found.folds[f].length, fold.length);
    EXPECT_NEAR(found.folds[f].valid[0].second, fold.best_metric, 1e-12);
    const std::size_t trees = *fold.report.bags[0].num_trees + *fold.report.bags[1].num_trees;
    EXPECT_EQ(fold.length[0].second, (trees + 1) / 2);
    sum += static_cast<double>(fold.length[0].second);
  }
  EXPECT_EQ(found.length[0].second, static_cast<std::size_t>(std::round(sum / 3)));
  const auto fixed = method->clone();
  fixed->fix_length(found.length);
  const TrainResult all = train(*fixed, shop().train, nullptr);
  EXPECT_EQ(forest_of(all).trees().size(), 2 * found.length[0].second);

  const auto own = bagged(quick(), {.bags = 2, .stop_on = StopOn::kBag});
  EXPECT_TRUE(cross_validate(shop().train, *own, 3, {}).length.empty());
  own->fix_length({});
  EXPECT_EQ(own->rounds().most, 16U);
}

TEST(BaggedMethod, SearchEndsInTheModelOfItsParameters) {
  const std::vector<SearchSplit> splits = {{.train = shop().train, .valid = shop().valid}};
  for (const StopOn stop_on : {StopOn::kValid, StopOn::kBag}) {
    for (const int rungs : {1, 3}) {
      LambdamartParams params = quick();
      params.boosting.num_trees = 24;
      params.patience = 3;  // some bags stop in an early rung, others go on
      const auto method = bagged(params, {.bags = 3, .stop_on = stop_on});
      const SearchParams search{
          .ranges = {"num_leaves=2..8", "learning_rate=0.1..0.5"}, .trials = 4, .rungs = rungs};
      const SearchResult found = random_search(splits, *method, search, {.seed = kSeed});
      const Trial& best = found.trials.front();
      EXPECT_EQ(best.rung, static_cast<std::size_t>(rungs));
      const TrainResult alone = train(*best.method, shop().train, &shop().valid, {.seed = kSeed});
      EXPECT_TRUE(same_bytes(found.best.model, alone.model)) << rungs;
      EXPECT_EQ(best.value, alone.best_metric);
    }
  }
}

TEST(BaggedMethod, BagsCanBeSearched) {
  const std::vector<SearchSplit> splits = {{.train = shop().train, .valid = shop().valid}};
  const SearchParams search{.ranges = {"bags=1|2|4", "stop_on=bag|valid"}};
  const auto method = bagged(quick(), {});
  const SearchResult found = random_search(splits, *method, search, {});
  ASSERT_EQ(found.trials.size(), 6U);
  for (const Trial& trial : found.trials) {
    EXPECT_EQ(trial.value, train(*trial.method, shop().train, &shop().valid).best_metric)
        << trial.number;
  }
}

TEST(BaggedMethod, GoesOnFromTheTreesOfAnotherModel) {
  LambdamartParams few = quick();
  few.boosting.num_trees = 3;
  const Forest start = train_lambdamart(shop().train, nullptr, few, Context{}).forest;
  const TrainingData data(shop().train, shop().valid);
  const TrainResult found =
      bagged(quick(), {.bags = 2})->train({.data = data, .start = &start}, {.seed = kSeed});
  std::vector<Forest> forests;
  for (std::size_t b = 0; b < 2; ++b) {
    const BagSplitRows rows = split_bag(shop().train.queries(), {.share = 0.15}, kSeed, b);
    LambdamartData own =
        prepare_lambdamart(shop().train, &shop().valid, quick(), Context{}, &start);
    own.train = select_rows(own.train, rows.train, Context{});
    const Context context{.seed = CounterRandom(kSeed, "bag", b).bits(0)};
    forests.push_back(train_lambdamart(own, quick(), {.warm_start = start}, context).forest);
  }
  EXPECT_TRUE(same(forest_of(found), mean_forest(forests)));
}

TEST(BaggedMethod, SaysWhatIsWrong) {
  const Dataset one = testing::make_data({.num_queries = 1, .num_features = 3});
  EXPECT_EQ(message_of([&] { train(*bagged(quick(), {.bags = 2}), one, nullptr); }),
            "the training data has 1 query; a bag needs two, one of them to hold out");
  const TrainingData bins = testing::bins_only(shop().train, quick().bins, "bagged_method.bins");
  const auto own = bagged(quick(), {.bags = 2, .stop_on = StopOn::kBag});
  EXPECT_NE(message_of([&] {
              own->train({.data = bins}, Context{});
            }).find("the cache holds bins, not feature values"),
            std::string::npos);
  // Bags that are stopped by validation data need bins alone.
  const TrainingData both = bins.with_valid(shop().valid);
  const auto method = bagged(quick(), {.bags = 2});
  EXPECT_TRUE(same_bytes(method->train({.data = both}, Context{}).model,
                         train(*method, shop().train, &shop().valid).model));
}

TEST(BaggedMethod, RefusesToStopOnNothing) {
  const auto nothing = bagged(quick(), {.bags = 2, .valid_share = 0, .stop_on = StopOn::kBag});
  EXPECT_EQ(message_of([&] { nothing->check({.has_valid = true}); }),
            "stop_on bag needs queries that a bag holds out; valid_share is 0");
  const auto ilmart = make_ilmart({.bagging = {.valid_share = 0, .stop_on = StopOn::kBag}});
  EXPECT_EQ(message_of([&] { ilmart->check({.has_valid = true}); }),
            "stop_on bag needs queries that a bag holds out; valid_share is 0");
}

}  // namespace
}  // namespace glassrank
