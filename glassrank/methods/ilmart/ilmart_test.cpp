#include "glassrank/methods/ilmart/ilmart.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/data/select_rows.h"
#include "glassrank/data/split.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/data/synth/synthetic.h"
#include "glassrank/methods/ilmart/pair_selection.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/random_search.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::with_threads;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

IlmartParams quick(int num_pairs = 5) {
  IlmartParams params;
  params.trees.boosting.num_trees = 24;
  params.trees.boosting.num_leaves = 8;
  params.trees.patience = 10;
  params.num_interactions = num_pairs;
  return params;
}

const Bookshop& shop() {
  static const Bookshop kShop = make_bookshop({}, 0);
  return kShop;
}

std::set<Pair> as_set(const std::vector<RankedFeaturePair>& pairs) {
  std::set<Pair> set;
  for (const RankedFeaturePair& pair : pairs) set.emplace(pair.first, pair.second);
  return set;
}

// Every tree of one effect, pairs among those selected, both features with a main effect.
void expect_glass(const IlmartResult& result) {
  const IlmartSteps& steps = result.steps;
  const std::vector<std::uint32_t> main = features_of(steps.main_effects.trees());
  const std::set<Pair> selected = as_set(steps.selected);
  EXPECT_EQ(selected.size(), steps.selected.size());
  for (const Tree& tree : steps.all_main_trees.trees()) EXPECT_EQ(features_of(tree).size(), 1U);
  std::set<Pair> used;
  for (const Tree& tree : result.all_trees.trees()) EXPECT_LE(features_of(tree).size(), 2U);
  for (const Tree& tree : result.forest.trees()) {
    const std::vector<std::uint32_t> features = features_of(tree);
    for (const std::uint32_t feature : features) {
      EXPECT_TRUE(std::ranges::binary_search(main, feature));
    }
    if (features.size() < 2) continue;
    used.emplace(features[0], features[1]);
    EXPECT_TRUE(selected.contains({features[0], features[1]}));
  }
  EXPECT_TRUE(std::ranges::equal(used, steps.used));
}

TEST(Ilmart, TreesAreOfOneFeatureOrOfASelectedPair) {
  for (const auto& [name, method] : EnumNames<PairSelection>::table()) {
    SCOPED_TRACE(name);
    IlmartParams params = quick(8);
    params.trees.patience = 0;  // keeps every tree
    params.pair_selection = {.method = method, .max_rounds = 40};
    const IlmartResult result = train_ilmart(shop().train, &shop().valid, params, Context{});
    expect_glass(result);
    EXPECT_EQ(result.steps.selected.size(), 8U);
    EXPECT_FALSE(result.steps.used.empty());
    EXPECT_EQ(result.forest.trees().size(), 48U);
  }
}

TEST(Ilmart, WithoutPairsIsLambdamartOfOneFeatureATree) {
  const IlmartParams params = quick(0);
  const IlmartResult result = train_ilmart(shop().train, &shop().valid, params, Context{});
  expect_glass(result);
  EXPECT_TRUE(result.steps.selected.empty());
  EXPECT_FALSE(result.steps.began_interactions);
  EXPECT_EQ(result.forest.trees().size(), result.steps.main_effects.trees().size());
}

TEST(Ilmart, CurveFollowsTheTreesOfTheModel) {
  const IlmartParams params = quick(6);
  const IlmartResult result = train_ilmart(shop().train, &shop().valid, params, Context{});
  const IlmartSteps& steps = result.steps;
  const std::size_t main_trees = steps.main_effects.trees().size();
  ASSERT_EQ(result.curve.size(), result.num_rounds);
  ASSERT_EQ(result.costs.size(), result.num_rounds);
  EXPECT_EQ(result.num_rounds, main_trees + steps.interaction_rounds);
  EXPECT_EQ(steps.main_curve.size(), steps.main_rounds);
  EXPECT_EQ(result.curve[main_trees - 1][1], steps.main_metric);
  EXPECT_EQ(result.best_round, result.forest.trees().size());
  EXPECT_EQ(result.curve[result.best_round - 1][1], result.best_metric);
  EXPECT_GE(result.best_metric, steps.main_metric);
}

TEST(Ilmart, MainEffectsStayAloneIfNoPairHelps) {
  IlmartParams params = quick(3);
  params.interaction_learning_rate = 200;  // ruins every order
  const IlmartResult result = train_ilmart(shop().train, &shop().valid, params, Context{});
  EXPECT_GT(result.steps.interaction_rounds, 0U);
  EXPECT_EQ(result.forest.trees().size(), result.steps.main_effects.trees().size());
  EXPECT_TRUE(result.steps.used.empty());
  EXPECT_EQ(result.best_metric, result.steps.main_metric);
}

TEST(Ilmart, InteractionsHaveLeavesAndRateOfTheirOwn) {
  IlmartParams params = quick(3);
  params.trees.patience = 0;
  params.interaction_leaves = 4;
  params.interaction_trees = 7;
  const IlmartResult result = train_ilmart(shop().train, nullptr, params, Context{});
  ASSERT_EQ(result.forest.trees().size(), 31U);
  std::size_t most = 0;
  for (const Tree& tree : result.forest.trees().first(24)) most = std::max(most, tree.num_leaves());
  EXPECT_EQ(most, 8U);
  for (const Tree& tree : result.forest.trees().subspan(24)) EXPECT_LE(tree.num_leaves(), 4U);
}

TEST(Ilmart, IsTheSameForAnyThreads) {
  for (const auto& [name, method] : EnumNames<PairSelection>::table()) {
    SCOPED_TRACE(name);
    IlmartParams params = quick(4);
    params.trees.boosting.num_trees = 6;
    params.pair_selection = {.method = method, .max_rounds = 8};
    const IlmartResult one = train_ilmart(shop().train, &shop().valid, params, with_threads(1));
    for (const int threads : {2, 4}) {
      const IlmartResult other =
          train_ilmart(shop().train, &shop().valid, params, with_threads(threads));
      EXPECT_TRUE(std::ranges::equal(other.all_trees.trees(), one.all_trees.trees()));
      EXPECT_EQ(other.steps.selected, one.steps.selected);
    }
  }
}

TEST(Ilmart, GoesOnFromEitherStepToTheSameModel) {
  const IlmartParams params = quick(5);
  const LambdamartData data =
      prepare_lambdamart(shop().train, &shop().valid, params.trees, Context{});
  const IlmartResult whole = train_ilmart(data, params, {}, Context{});
  IlmartRun half;
  half.main.resumed = whole.steps.all_main_trees.first_trees(9);
  IlmartRun later;
  later.main.resumed = whole.steps.all_main_trees;
  later.interactions.resumed =
      whole.all_trees.first_trees(whole.steps.main_effects.trees().size() + 3);
  for (const IlmartRun& run : {half, later}) {
    const IlmartResult again = train_ilmart(data, params, run, Context{});
    EXPECT_TRUE(std::ranges::equal(again.all_trees.trees(), whole.all_trees.trees()));
    EXPECT_TRUE(std::ranges::equal(again.forest.trees(), whole.forest.trees()));
    EXPECT_EQ(again.curve, whole.curve);
  }
}

TEST(Ilmart, StoppedInItsMainEffectsIsAModelOfThese) {
  std::atomic<bool> stop = false;
  Context context;
  context.stop = &stop;
  const IlmartParams params = quick(5);
  const LambdamartData data =
      prepare_lambdamart(shop().train, &shop().valid, params.trees, context);
  IlmartRun run;
  run.main.checkpoint_every = 10;
  run.main.save_checkpoint = [&](const Forest&) { stop = true; };
  const IlmartResult result = train_ilmart(data, params, run, context);
  EXPECT_EQ(result.end, BoostingEnd::kInterrupted);
  EXPECT_EQ(result.num_rounds, 10U);
  EXPECT_FALSE(result.steps.began_interactions);
  // And when the pairs are being chosen.
  stop = false;
  run.main.checkpoint_every = 0;
  run.main.save_end = [&](const LambdamartResult&) { stop = true; };
  const IlmartResult later = train_ilmart(data, params, run, context);
  EXPECT_EQ(later.end, BoostingEnd::kInterrupted);
  EXPECT_FALSE(later.steps.began_interactions);
  EXPECT_FALSE(later.forest.trees().empty());
}

TEST(Ilmart, RefusesMorePairsThanThereAre) {
  const Dataset one = testing::make_data({.num_queries = 4, .num_features = 1});
  const Dataset three = testing::make_data({.num_queries = 4, .num_features = 3});
  EXPECT_EQ(message_of([&] { train_ilmart(one, nullptr, quick(1), Context{}); }),
            "num_interactions 1: data with 1 feature has 0 pairs");
  EXPECT_EQ(message_of([&] { train_ilmart(three, nullptr, quick(4), Context{}); }),
            "num_interactions 4: data with 3 features has 3 pairs");
  // By default there are as many as the data has.
  EXPECT_EQ(wanted_pairs(quick(-1), 1), 0U);
  EXPECT_EQ(wanted_pairs(quick(-1), 3), 3U);
  EXPECT_EQ(wanted_pairs(quick(-1), 100), 50U);
  EXPECT_EQ(train_ilmart(one, nullptr, quick(-1), Context{}).steps.selected.size(), 0U);
}

TEST(Ilmart, RefusesInteractionsOfTheUser) {
  IlmartParams params = quick();
  params.trees.interactions = {"[bm25_title,price]"};
  EXPECT_EQ(message_of([&] { train_ilmart(shop().train, nullptr, params, Context{}); }),
            "interactions are for lambdamart; ilmart finds its own pairs");
}

TEST(Ilmart, WorksWithEverySampler) {
  for (const SamplerInfo& sampler : sampler_table()) {
    SCOPED_TRACE(sampler.name);
    IlmartParams params = quick(3);
    params.trees.boosting.num_trees = 6;
    params.pair_selection.max_rounds = 8;
    set_param(params, "sample.method", {std::string(sampler.name)});
    expect_glass(train_ilmart(shop().train, &shop().valid, params, Context{}));
  }
}

TEST(Ilmart, WorksOnCleanedData) {
  for (const char* cleaner : {"sour", "curr-sour", "isolation-forest"}) {
    SCOPED_TRACE(cleaner);
    IlmartParams params = quick(3);
    params.trees.boosting.num_trees = 12;
    CleanParams clean;
    set_param(clean, "method", {cleaner});
    if (clean.method == CleanMethod::kCurrSour) clean.stages = {4, 8};
    const TrainResult trained =
        testing::train(*make_cleaned(make_ilmart(params), clean), shop().train, &shop().valid);
    ASSERT_TRUE(trained.cleaning);
    EXPECT_FALSE(trained.cleaning->summary.empty());
    EXPECT_EQ(trained.report.cleaning->summary, trained.cleaning->summary);

    // By hand: its rows, or its stages, and the same steps.
    LambdamartData data = prepare_lambdamart(shop().train, &shop().valid, params.trees, Context{});
    if (trained.cleaning->stages.empty()) {
      ASSERT_FALSE(trained.cleaning->dropped.empty());
      data.train =
          select_rows(data.train, kept_rows(*trained.cleaning, shop().train.num_rows()), Context{});
    }
    const IlmartResult result =
        train_ilmart(data, params, {.stages = trained.cleaning->stages}, Context{});
    expect_glass(result);
    EXPECT_EQ(trained.best_metric, result.best_metric);
    EXPECT_EQ(trained.curve.rounds, result.curve);
  }
}

TEST(Ilmart, FoldsCountTheTreesOfBothSteps) {
  IlmartParams params = quick(3);
  params.trees.boosting.num_trees = 20;
  const auto method = make_ilmart(params);
  const CrossValidation found = cross_validate(shop().train, *method, 3, Context{});
  const auto expect_both = [](const TrainingLength& length) {
    ASSERT_EQ(length.size(), 2U);
    EXPECT_EQ(length[0].first, "trees");
    EXPECT_EQ(length[1].first, "main_trees");
    EXPECT_GT(length[1].second, 0U);
    EXPECT_GE(length[0].second, length[1].second);
  };
  expect_both(found.length);
  for (const FoldResult& fold : found.folds) expect_both(fold.length);

  const auto fixed = [&](std::size_t trees, std::size_t main_trees) {
    const auto copy = method->clone();
    copy->fix_length({{"trees", trees}, {"main_trees", main_trees}});
    return testing::params_of<IlmartParams>(*copy);
  };
  const IlmartParams later = fixed(30, 20);
  EXPECT_EQ(later.trees.boosting.num_trees, 20);
  EXPECT_EQ(later.interaction_trees, 10);
  EXPECT_EQ(later.num_interactions, 3);
  EXPECT_EQ(fixed(20, 20).num_interactions, 0);
}

// The authors' program saves the last point of its grid, whatever the validation data say.
TEST(Ilmart, SearchKeepsTheBestTrialNotTheLast) {
  IlmartParams params = quick(3);
  params.trees.boosting.num_trees = 10;
  params.tables = false;  // trees can be compared
  const std::vector<SearchSplit> splits = {{.train = shop().train, .valid = shop().valid}};
  for (const int rungs : {1, 2}) {
    const SearchParams search{
        .ranges = {"num_leaves=2|4|16", "interaction_learning_rate=0.001|0.1|50"},
        .trials = 6,
        .rungs = rungs};
    const SearchResult found = random_search(splits, *make_ilmart(params), search, Context{});
    const Trial& best = found.trials.front();
    EXPECT_NE(best.number, 6U);
    for (const Trial& trial : found.trials) {
      if (trial.rung < best.rung) continue;
      EXPECT_LE(trial.value, best.value);
    }
    const IlmartResult alone = train_ilmart(
        shop().train, &shop().valid, testing::params_of<IlmartParams>(*best.method), Context{});
    EXPECT_EQ(best.value, alone.best_metric);
    EXPECT_TRUE(std::ranges::equal(require_forest(found.best.model, "the test").trees(),
                                   alone.forest.trees()));
    EXPECT_EQ(best.length,
              (TrainingLength{{"trees", alone.best_round},
                              {"main_trees", alone.steps.main_effects.trees().size()}}));
  }
}

// In this data every pair has a feature without a main effect.
TEST(Ilmart, FindsTruePairsOfSyntheticData) {
  const SyntheticParams shape{.queries = 250,
                              .documents_per_query = 30,
                              .features = 20,
                              .main_effects = 8,
                              .interactions = 3,
                              .correlated = 0.1,
                              .counts = 0,
                              .heavy_tails = 0,
                              .mostly_zero = 0,
                              .noise = 0.2};
  const SyntheticSource source(shape, Context{});
  std::set<Pair> truth;
  for (const PairEffect& pair : source.truth().interactions) {
    truth.emplace(std::min(pair.first, pair.second), std::max(pair.first, pair.second));
  }
  const Dataset data = source.queries(0, source.table().queries.num_queries(), Context{});
  for (const PairSelection method : {PairSelection::kContribution, PairSelection::kFast}) {
    SCOPED_TRACE(static_cast<int>(method));
    IlmartParams params = quick(3);
    params.trees.boosting.num_trees = 60;
    params.heredity = false;
    params.interaction_trees = 1;
    params.pair_selection = {.method = method, .max_rounds = 100};
    const IlmartResult result = train_ilmart(data, nullptr, params, Context{});
    std::size_t hits = 0;
    for (const RankedFeaturePair& pair : result.steps.selected) {
      hits += truth.contains({pair.first, pair.second}) ? 1 : 0;
    }
    EXPECT_GE(hits, 2U);  // of 190 pairs 3 are true
  }
}

}  // namespace
}  // namespace glassrank
