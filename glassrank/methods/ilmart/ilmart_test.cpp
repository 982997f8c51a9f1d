#include "glassrank/methods/ilmart/ilmart.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/data/split.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/data/synth/synthetic.h"
#include "glassrank/methods/ilmart/pair_selection.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/random_search.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::with_threads;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

LambdamartParams quick(int num_pairs = 5) {
  LambdamartParams params;
  params.boosting.num_trees = 24;
  params.boosting.num_leaves = 8;
  params.patience = 10;
  params.ilmart = IlmartParams{.num_interactions = num_pairs};
  return params;
}

const Bookshop& shop() {
  static const Bookshop kShop = make_bookshop({}, 0);
  return kShop;
}

std::set<Pair> as_set(const std::vector<RankedPair>& pairs) {
  std::set<Pair> set;
  for (const RankedPair& pair : pairs) set.emplace(pair.first, pair.second);
  return set;
}

// Every tree of one effect, pairs among those selected, both features with a main effect.
void expect_glass(const LambdamartResult& result) {
  ASSERT_TRUE(result.ilmart);
  const IlmartSteps& steps = *result.ilmart;
  const std::vector<std::uint32_t> main = features_of(steps.main_effects.trees());
  const std::set<Pair> selected = as_set(steps.selected);
  EXPECT_EQ(selected.size(), steps.selected.size());
  for (const Tree& tree : steps.main_grown.trees()) EXPECT_EQ(features_of(tree).size(), 1U);
  std::set<Pair> used;
  for (const Tree& tree : result.grown.trees()) EXPECT_LE(features_of(tree).size(), 2U);
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
    LambdamartParams params = quick(8);
    params.patience = 0;  // keeps every tree
    params.ilmart->pair_selection = {.method = method, .max_rounds = 40};
    const LambdamartResult result = train_ilmart(shop().train, &shop().valid, params, Context{});
    expect_glass(result);
    EXPECT_EQ(result.ilmart->selected.size(), 8U);
    EXPECT_FALSE(result.ilmart->used.empty());
    EXPECT_EQ(result.forest.trees().size(), 48U);
  }
}

TEST(Ilmart, WithoutPairsIsLambdamartOfOneFeatureATree) {
  const LambdamartParams params = quick(0);
  const LambdamartResult result = train_ilmart(shop().train, &shop().valid, params, Context{});
  expect_glass(result);
  EXPECT_TRUE(result.ilmart->selected.empty());
  EXPECT_FALSE(result.ilmart->began_interactions);
  EXPECT_EQ(result.forest.trees().size(), result.ilmart->main_effects.trees().size());
}

TEST(Ilmart, CurveFollowsTheTreesOfTheModel) {
  const LambdamartParams params = quick(6);
  const LambdamartResult result = train_ilmart(shop().train, &shop().valid, params, Context{});
  const IlmartSteps& steps = *result.ilmart;
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
  LambdamartParams params = quick(3);
  params.ilmart->interaction_learning_rate = 200;  // ruins every order
  const LambdamartResult result = train_ilmart(shop().train, &shop().valid, params, Context{});
  EXPECT_GT(result.ilmart->interaction_rounds, 0U);
  EXPECT_EQ(result.forest.trees().size(), result.ilmart->main_effects.trees().size());
  EXPECT_TRUE(result.ilmart->used.empty());
  EXPECT_EQ(result.best_metric, result.ilmart->main_metric);
}

TEST(Ilmart, InteractionsHaveLeavesAndRateOfTheirOwn) {
  LambdamartParams params = quick(3);
  params.patience = 0;
  params.ilmart->interaction_leaves = 4;
  params.ilmart->interaction_trees = 7;
  const LambdamartResult result = train_ilmart(shop().train, nullptr, params, Context{});
  ASSERT_EQ(result.forest.trees().size(), 31U);
  std::size_t most = 0;
  for (const Tree& tree : result.forest.trees().first(24)) most = std::max(most, tree.num_leaves());
  EXPECT_EQ(most, 8U);
  for (const Tree& tree : result.forest.trees().subspan(24)) EXPECT_LE(tree.num_leaves(), 4U);
}

TEST(Ilmart, IsTheSameForAnyThreads) {
  for (const auto& [name, method] : EnumNames<PairSelection>::table()) {
    SCOPED_TRACE(name);
    LambdamartParams params = quick(4);
    params.boosting.num_trees = 6;
    params.ilmart->pair_selection = {.method = method, .max_rounds = 8};
    const LambdamartResult one = train_ilmart(shop().train, &shop().valid, params, with_threads(1));
    for (const int threads : {2, 4}) {
      const LambdamartResult other =
          train_ilmart(shop().train, &shop().valid, params, with_threads(threads));
      EXPECT_TRUE(std::ranges::equal(other.grown.trees(), one.grown.trees()));
      EXPECT_EQ(other.ilmart->selected, one.ilmart->selected);
    }
  }
}

TEST(Ilmart, GoesOnFromEitherStepToTheSameModel) {
  const LambdamartParams params = quick(5);
  const LambdamartData data = prepare_lambdamart(shop().train, &shop().valid, params, Context{});
  const LambdamartResult whole = train_ilmart(data, params, {}, Context{});
  IlmartRun half;
  half.main.resumed = whole.ilmart->main_grown.first_trees(9);
  IlmartRun later;
  later.main.resumed = whole.ilmart->main_grown;
  later.interactions.resumed =
      whole.grown.first_trees(whole.ilmart->main_effects.trees().size() + 3);
  for (const IlmartRun& run : {half, later}) {
    const LambdamartResult again = train_ilmart(data, params, run, Context{});
    EXPECT_TRUE(std::ranges::equal(again.grown.trees(), whole.grown.trees()));
    EXPECT_TRUE(std::ranges::equal(again.forest.trees(), whole.forest.trees()));
    EXPECT_EQ(again.curve, whole.curve);
  }
}

TEST(Ilmart, StoppedInItsMainEffectsIsAModelOfThese) {
  std::atomic<bool> stop = false;
  Context context;
  context.stop = &stop;
  const LambdamartParams params = quick(5);
  const LambdamartData data = prepare_lambdamart(shop().train, &shop().valid, params, context);
  IlmartRun run;
  run.main.checkpoint_every = 10;
  run.main.save_checkpoint = [&](const Forest&) { stop = true; };
  const LambdamartResult result = train_ilmart(data, params, run, context);
  EXPECT_EQ(result.end, BoostingEnd::kInterrupted);
  EXPECT_EQ(result.num_rounds, 10U);
  EXPECT_FALSE(result.ilmart->began_interactions);
  // And when the pairs are being chosen.
  stop = false;
  run.main.checkpoint_every = 0;
  run.main.save_end = [&](const Forest&) { stop = true; };
  const LambdamartResult later = train_ilmart(data, params, run, context);
  EXPECT_EQ(later.end, BoostingEnd::kInterrupted);
  EXPECT_FALSE(later.ilmart->began_interactions);
  EXPECT_FALSE(later.forest.trees().empty());
}

TEST(Ilmart, RefusesMorePairsThanThereAre) {
  const Dataset one = testing::make_data({.num_queries = 4, .num_features = 1});
  const Dataset three = testing::make_data({.num_queries = 4, .num_features = 3});
  EXPECT_EQ(message_of([&] { prepare_lambdamart(one, nullptr, quick(1), Context{}); }),
            "num_interactions 1: data with 1 feature has 0 pairs");
  EXPECT_EQ(message_of([&] { prepare_lambdamart(three, nullptr, quick(4), Context{}); }),
            "num_interactions 4: data with 3 features has 3 pairs");
  // By default there are as many as the data has.
  EXPECT_EQ(wanted_pairs(quick(-1).ilmart.value(), 1), 0U);
  EXPECT_EQ(wanted_pairs(quick(-1).ilmart.value(), 3), 3U);
  EXPECT_EQ(wanted_pairs(quick(-1).ilmart.value(), 100), 50U);
  EXPECT_EQ(train_ilmart(one, nullptr, quick(-1), Context{}).ilmart->selected.size(), 0U);
}

TEST(Ilmart, RefusesInteractionsOfTheUser) {
  LambdamartParams params = quick();
  params.interactions = {"[bm25_title,price]"};
  EXPECT_EQ(message_of([&] { prepare_lambdamart(shop().train, nullptr, params, Context{}); }),
            "interactions are for lambdamart; ilmart finds its own pairs");
}

TEST(Ilmart, WorksWithEverySampler) {
  for (const SamplerInfo& sampler : sampler_table()) {
    SCOPED_TRACE(sampler.name);
    LambdamartParams params = quick(3);
    params.boosting.num_trees = 6;
    params.ilmart->pair_selection.max_rounds = 8;
    set_param(params, "sample.method", {std::string(sampler.name)});
    expect_glass(train_ilmart(shop().train, &shop().valid, params, Context{}));
  }
}

TEST(Ilmart, WorksOnCleanedData) {
  for (const char* cleaner : {"sour", "curr-sour", "isolation-forest"}) {
    SCOPED_TRACE(cleaner);
    LambdamartParams params = quick(3);
    params.boosting.num_trees = 12;
    set_param(params, "clean.method", {cleaner});
    if (std::string(cleaner) == "curr-sour") set_param(params, "clean.stages", {"4", "8"});
    const CleanedResult cleaned = train_cleaned(shop().train, &shop().valid, params, Context{});
    expect_glass(cleaned.result);
    EXPECT_FALSE(cleaned.cleaning.summary.empty());
  }
}

TEST(Ilmart, FoldsCountTheTreesOfBothSteps) {
  LambdamartParams params = quick(3);
  params.boosting.num_trees = 20;
  const CrossValidation found = cross_validate(shop().train, params, 3, Context{});
  EXPECT_GT(found.num_main_trees, 0U);
  EXPECT_GE(found.num_trees, found.num_main_trees);
  for (const FoldResult& fold : found.folds) EXPECT_GE(fold.num_trees, fold.num_main_trees);

  const LambdamartParams later = with_trees(params, 30, 20);
  EXPECT_EQ(later.boosting.num_trees, 20);
  EXPECT_EQ(later.ilmart->interaction_trees, 10);
  EXPECT_EQ(later.ilmart->num_interactions, 3);
  EXPECT_EQ(with_trees(params, 20, 20).ilmart->num_interactions, 0);
}

// The authors' program saves the last point of its grid, whatever the validation data say.
TEST(Ilmart, SearchKeepsTheBestTrialNotTheLast) {
  LambdamartParams params = quick(3);
  params.boosting.num_trees = 10;
  const std::vector<SearchSplit> splits = {{.train = shop().train, .valid = shop().valid}};
  for (const int rungs : {1, 2}) {
    const SearchParams search{
        .ranges = {"num_leaves=2|4|16", "interaction_learning_rate=0.001|0.1|50"},
        .trials = 6,
        .rungs = rungs};
    const SearchResult found = random_search(splits, params, search, Context{});
    const Trial& best = found.trials.front();
    EXPECT_NE(best.number, 6U);
    for (const Trial& trial : found.trials) {
      if (trial.rung < best.rung) continue;
      EXPECT_LE(trial.value, best.value);
    }
    const LambdamartResult alone =
        train_ilmart(shop().train, &shop().valid, best.params, Context{});
    EXPECT_EQ(best.value, alone.best_metric);
    EXPECT_TRUE(std::ranges::equal(found.forest.trees(), alone.forest.trees()));
    EXPECT_EQ(best.num_main_trees, alone.ilmart->main_effects.trees().size());
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
    LambdamartParams params = quick(3);
    params.boosting.num_trees = 60;
    params.ilmart->heredity = false;
    params.ilmart->interaction_trees = 1;
    params.ilmart->pair_selection = {.method = method, .max_rounds = 100};
    const LambdamartResult result = train_ilmart(data, nullptr, params, Context{});
    std::size_t hits = 0;
    for (const RankedPair& pair : result.ilmart->selected) {
      hits += truth.contains({pair.first, pair.second}) ? 1 : 0;
    }
    EXPECT_GE(hits, 2U);  // of 190 pairs 3 are true
  }
}

}  // namespace
}  // namespace glassrank
