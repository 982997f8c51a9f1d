#include "glassrank/methods/training/random_search.h"

#include <algorithm>
#include <atomic>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/registry.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

LambdamartParams quick() {
  LambdamartParams params;
  params.boosting.num_trees = 24;
  params.boosting.num_leaves = 8;
  params.patience = 6;
  return params;
}

SearchParams small_search(int rungs = 3) {
  return {.ranges = {"num_leaves=2..16:log", "learning_rate=0.02..0.5:log"},
          .trials = 5,
          .rungs = rungs};
}

std::vector<SearchSplit> one_split(std::uint64_t seed = 1) {
  const Bookshop shop = make_bookshop({.queries = 60}, seed);
  return {{.train = shop.train, .valid = shop.valid}};
}

bool same(const Forest& a, const Forest& b) { return std::ranges::equal(a.trees(), b.trees()); }

SearchResult run_search(std::span<const SearchSplit> splits, const LambdamartParams& params,
                        const SearchParams& search, const Context& context = {}) {
  return random_search(splits, *make_lambdamart(params), search, context);
}

// The trial's parameters trained without a search.
LambdamartResult alone_of(const Trial& trial, const SearchSplit& split) {
  return train_lambdamart(split.train, &split.valid,
                          testing::params_of<LambdamartParams>(*trial.method), Context{});
}

Forest forest_of(const SearchResult& found) { return require_forest(found.best.model, "the test"); }

TEST(RandomSearch, GivesTheBestModelThatItsParametersGiveAlone) {
  const auto splits = one_split();
  const SearchResult found = run_search(splits, quick(), small_search());
  const Trial& best = found.trials.front();
  const LambdamartResult alone = alone_of(best, splits[0]);
  EXPECT_TRUE(same(forest_of(found), alone.forest));
  EXPECT_EQ(best.value, alone.best_metric);
  EXPECT_EQ(best.length, (TrainingLength{{"trees", alone.best_round}}));
  EXPECT_EQ(found.metric, "valid ndcg@10");
}

TEST(RandomSearch, TrainsEverySetOfAGridWholeAndKeepsTheBest) {
  const auto splits = one_split();
  const SearchParams grid{.ranges = {"num_leaves=2|4|8", "learning_rate=0.05|0.2|0.5"}};
  const SearchResult found = run_search(splits, quick(), grid);
  ASSERT_EQ(found.trials.size(), 9U);
  double best = 0;
  for (const Trial& trial : found.trials) {
    const LambdamartResult alone = alone_of(trial, splits[0]);
    EXPECT_EQ(trial.value, alone.best_metric) << trial.number;
    best = std::max(best, alone.best_metric);
  }
  EXPECT_EQ(found.trials.front().value, best);
  std::set<std::size_t> numbers;
  for (const Trial& trial : found.trials) numbers.insert(trial.number);
  EXPECT_EQ(numbers.size(), 9U);
}

TEST(RandomSearch, DrawsWhereAGridWouldBeTooLarge) {
  LambdamartParams params = quick();
  params.boosting.num_trees = 4;
  const SearchParams choices{
      .ranges = {"num_leaves=2|3|4|5|6", "l2=0|1|2|3|4", "learning_rate=0.1|0.2|0.3"}};
  const SearchResult found = run_search(one_split(), params, choices);
  EXPECT_EQ(found.trials.size(), 16U);
  EXPECT_EQ(found.trials.front().rung, 3U);
}

TEST(RandomSearch, HalvesTheTrialsFromRungToRung) {
  const SearchResult found = run_search(one_split(), quick(), small_search());
  ASSERT_EQ(found.trials.size(), 5U);
  // Five in the first rung, three of them in the second, two in the third.
  const auto reached = [&](std::size_t rung) {
    return std::ranges::count(found.trials, rung, &Trial::rung);
  };
  EXPECT_EQ(reached(1), 2);
  EXPECT_EQ(reached(2), 1);
  EXPECT_EQ(reached(3), 2);
  EXPECT_EQ(found.trials[0].rung, 3U);
  EXPECT_GE(found.trials[0].value, found.trials[1].value);
  for (const Trial& trial : found.trials) {
    EXPECT_LE(trial.length[0].second, std::size_t{24} >> (3 - trial.rung));
    const auto params = testing::params_of<LambdamartParams>(*trial.method);
    EXPECT_EQ(std::to_string(params.boosting.num_leaves), trial.values[0].second);
    EXPECT_EQ(params.boosting.num_trees, 24);
  }
}

TEST(RandomSearch, IsTheSameAgainAndForAnyNumberOfThreads) {
  const auto splits = one_split();
  const auto run = [&](int threads, std::uint64_t seed) {
    Context context;
    context.threads = std::make_shared<Threads>(threads);
    context.seed = seed;
    return run_search(splits, quick(), small_search(), context);
  };
  const SearchResult one = run(1, 0);
  const SearchResult two = run(2, 0);
  for (std::size_t t = 0; t < one.trials.size(); ++t) {
    EXPECT_EQ(one.trials[t].values, two.trials[t].values);
    EXPECT_EQ(one.trials[t].value, two.trials[t].value);
  }
  EXPECT_TRUE(same(forest_of(one), forest_of(two)));
  EXPECT_NE(run(1, 7).trials[0].values, one.trials[0].values);
}

TEST(RandomSearch, OneRungTrainsEveryTrialWhole) {
  const auto splits = one_split();
  const SearchResult found = run_search(splits, quick(), small_search(1));
  for (const Trial& trial : found.trials) {
    const LambdamartResult alone = alone_of(trial, splits[0]);
    EXPECT_EQ(trial.value, alone.best_metric);
  }
}

TEST(RandomSearch, TakesTheMeanOverFolds) {
  const Dataset data = make_bookshop({.queries = 60}, 3).train;
  const auto splits = fold_splits(data, 3, Context{});
  ASSERT_EQ(splits.size(), 3U);
  SearchParams search = small_search(1);
  search.trials = 1;
  const SearchResult found = run_search(splits, quick(), search);
  double sum = 0;
  for (const SearchSplit& split : splits) {
    sum += alone_of(found.trials[0], split).best_metric;
  }
  EXPECT_NEAR(found.trials[0].value, sum / 3, 1e-12);
}

TEST(RandomSearch, SearchesBinsToo) {
  const auto splits = one_split();
  SearchParams search = small_search(2);
  search.ranges = {"max_bins=4|200"};
  const SearchResult found = run_search(splits, quick(), search);
  const LambdamartResult alone = alone_of(found.trials[0], splits[0]);
  EXPECT_TRUE(same(forest_of(found), alone.forest));
}

TEST(RandomSearch, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_EQ(message_of([&] { run_search(one_split(), quick(), small_search(), context); }),
            "stopped at the user's request");
  EXPECT_EQ(message_of([&] { run_search({}, quick(), small_search()); }),
            "a search needs validation data or folds");
}

}  // namespace
}  // namespace glassrank
