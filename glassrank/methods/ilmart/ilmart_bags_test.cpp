#include "glassrank/methods/ilmart/ilmart_bags.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/keep_rows.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/ilmart/ilmart.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/random_search.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/verify_gam.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::with_threads;

LambdamartParams quick(int num_bags = 3, StopOn stop_on = StopOn::kBag) {
  LambdamartParams params;
  params.boosting.num_trees = 20;
  params.boosting.num_leaves = 4;
  params.patience = 8;
  params.ilmart = IlmartParams{.num_interactions = 4, .outer_bags = num_bags, .stop_on = stop_on};
  params.ilmart->pair_selection.method = PairSelection::kFast;
  return params;
}

const Bookshop& shop() {
  static const Bookshop kShop = make_bookshop({.queries = 150}, 0);
  return kShop;
}

LambdamartResult train(const LambdamartParams& params, const Context& context = {}) {
  return train_ilmart(shop().train, &shop().valid, params, context);
}

TEST(IlmartBags, AreOffByDefault) {
  EXPECT_FALSE(IlmartParams{}.is_bagged());
  EXPECT_FALSE(train(quick(1, StopOn::kValid)).ilmart->bags);
}

TEST(IlmartBags, ModelIsTheMeanOfTheBags) {
  const LambdamartResult result = train(quick());
  const IlmartBags& bags = *result.ilmart->bags;
  ASSERT_EQ(bags.forests.size(), 3U);
  for (std::size_t row = 0; row < 50; ++row) {
    double mean = 0;
    for (const Forest& bag : bags.forests) mean += bag.score(shop().test.row(row)) / 3;
    EXPECT_NEAR(result.forest.score(shop().test.row(row)), mean, 1e-12);
  }
  EXPECT_NE(bags.forests[0].trees().size() + bags.forests[1].trees().size(),
            2 * bags.forests[2].trees().size());
}

// The oracle: the rows of each bag trained by hand, from the same seeds.
TEST(IlmartBags, MainEffectsOfABagAreThoseOfItsRowsAlone) {
  LambdamartParams params = quick(2);
  params.ilmart->num_interactions = 0;
  const LambdamartResult result = train(params);
  const LambdamartData data = prepare_lambdamart(shop().train, &shop().valid, params, Context{});
  for (std::size_t bag = 0; bag < 2; ++bag) {
    const BagSplitRows rows = split_bag(data.train.queries(), {.share = 0.15}, 0, bag);
    LambdamartData own = data;
    own.train = keep_rows(data.train, rows.train, Context{});
    own.valid = keep_rows(data.train, rows.held_out, Context{});
    LambdamartParams alone = params;
    alone.ilmart->outer_bags = 1;
    alone.ilmart->stop_on = StopOn::kValid;
    Context seeded;
    seeded.seed = CounterRandom(0, "ilmart bag", bag).bits(0);
    const LambdamartResult expected = train_ilmart(own, alone, {}, seeded);
    const IlmartBags& bags = *result.ilmart->bags;
    EXPECT_TRUE(std::ranges::equal(bags.forests[bag].trees(), expected.forest.trees()));
    EXPECT_EQ(bags.reports[bag].num_rows, rows.train.size());
    EXPECT_EQ(bags.reports[bag].num_held_out_rows, rows.held_out.size());
    EXPECT_EQ(bags.reports[bag].metric, expected.best_metric);
  }
}

TEST(IlmartBags, ShareThePairs) {
  LambdamartParams params = quick();
  params.patience = 0;  // every bag keeps its interactions
  const LambdamartResult result = train(params);
  const IlmartSteps& steps = *result.ilmart;
  EXPECT_EQ(steps.selected.size(), 4U);
  EXPECT_LE(steps.used.size(), 4U);
  EXPECT_FALSE(steps.used.empty());
  for (const auto& [first, second] : steps.used) {
    EXPECT_TRUE(std::ranges::any_of(steps.selected, [&](const RankedPair& pair) {
      return pair.first == first && pair.second == second;
    }));
  }
  const std::vector<std::uint32_t> main = features_of(steps.main_effects.trees());
  for (const std::uint32_t feature : features_of(result.forest.trees())) {
    EXPECT_TRUE(std::ranges::binary_search(main, feature));
  }
  for (const IlmartBag& bag : steps.bags->reports) EXPECT_EQ(bag.pair_trees, 20U);
}

TEST(IlmartBags, StopOnWhatTheyLeaveOutOrOnTheValidationData) {
  const LambdamartResult own = train(quick(2, StopOn::kBag));
  const LambdamartResult valid = train(quick(2, StopOn::kValid));
  EXPECT_EQ(own.curve_names.back(), "held-out ndcg@10");
  EXPECT_EQ(valid.curve_names.back(), "valid ndcg@10");
  // Without validation data only the former can stop.
  LambdamartParams params = quick(2, StopOn::kBag);
  const LambdamartResult blind = train_ilmart(shop().train, nullptr, params, Context{});
  EXPECT_TRUE(std::ranges::equal(blind.forest.trees(), own.forest.trees()));
  EXPECT_TRUE(std::isnan(blind.best_metric));
}

TEST(IlmartBags, MetricsAreTheMeanModels) {
  const LambdamartResult result = train(quick());
  const IlmartBags& bags = *result.ilmart->bags;
  ASSERT_EQ(bags.metrics.size(), 2U);
  EXPECT_EQ(bags.metrics[0].first, "train ndcg@10");
  EXPECT_EQ(bags.metrics[1].first, "valid ndcg@10");
  const double valid = mean_values(ForestScorer(result.forest), shop().valid,
                                   std::vector{parse_metric("ndcg@10")}, Context{})[0];
  EXPECT_NEAR(bags.metrics[1].second, valid, 1e-12);
  EXPECT_EQ(result.best_metric, bags.metrics[1].second);
}

TEST(IlmartBags, CurveIsTheirCurvesOneAfterTheOther) {
  const LambdamartResult result = train(quick());
  const IlmartBags& bags = *result.ilmart->bags;
  const std::vector<BagRound> rounds = bag_rounds(bags);
  ASSERT_EQ(result.curve.size(), result.num_rounds);
  ASSERT_EQ(result.costs.size(), result.num_rounds);
  ASSERT_EQ(rounds.size(), result.num_rounds);
  EXPECT_EQ(rounds.front().bag, 1U);
  EXPECT_EQ(rounds.back().bag, 3U);
  EXPECT_EQ(rounds.back().round, bags.reports.back().num_rounds);
  std::size_t kept = 0;
  std::size_t begin = 0;
  for (const IlmartBag& bag : bags.reports) {
    const std::size_t trees = bag.main_trees + bag.pair_trees;
    EXPECT_EQ(result.curve[begin + trees - 1].back(), bag.metric);
    begin += bag.num_rounds;
    kept += trees;
  }
  EXPECT_EQ(kept, result.forest.trees().size());
  EXPECT_EQ(result.best_round, (2 * kept + 3) / 6);  // kept / 3, rounded
}

TEST(IlmartBags, HaveErrorsInEveryCell) {
  const LambdamartResult result = train(quick());
  const Gam gam = with_bag_errors(with_weights(distil(result.forest), shop().train),
                                  result.ilmart->bags->forests);
  for (const GamEffect& effect : gam.effects()) {
    EXPECT_EQ(effect.errors.size(), effect.values.size());
    EXPECT_GT(std::ranges::max(effect.errors), 0);
  }
  EXPECT_TRUE(verify({.body = gam, .provenance = {}}).has_heredity());
}

TEST(IlmartBags, AreTheSameForAnyThreads) {
  LambdamartParams params = quick();
  params.boosting.feature_fraction = 0.5;
  set_param(params, "sample.method", {"queries"});
  set_param(params, "sample.fraction", {"0.5"});
  const LambdamartResult one = train(params, with_threads(1));
  for (const int threads : {2, 4}) {
    const LambdamartResult other = train(params, with_threads(threads));
    EXPECT_TRUE(std::ranges::equal(other.forest.trees(), one.forest.trees()));
    EXPECT_EQ(other.curve, one.curve);
    EXPECT_EQ(other.ilmart->bags->metrics, one.ilmart->bags->metrics);
  }
}

TEST(IlmartBags, DrawRandomNumbersOfTheirOwn) {
  LambdamartParams params = quick(2);
  params.boosting.feature_fraction = 0.2;
  params.ilmart->valid_share = 0.01;  // one query: the bags are nearly equal
  const LambdamartResult result = train(params);
  const std::vector<Forest>& bags = result.ilmart->bags->forests;
  EXPECT_NE(features_of(bags[0].trees()[0]), features_of(bags[1].trees()[0]));
}

TEST(IlmartBags, WorkWithSamplersObjectivesAndDirections) {
  for (const char* sampler : {"queries", "goss", "high-low"}) {
    LambdamartParams params = quick(2);
    params.boosting.num_trees = 5;
    set_param(params, "sample.method", {sampler});
    params.objective.objective = "rank_xendcg";
    params.monotone = {"+bm25_title"};
    const LambdamartResult result = train(params);
    EXPECT_EQ(result.ilmart->bags->forests.size(), 2U);
    const Gam gam = distil(result.forest);
    for (const GamEffect& effect : gam.effects()) {
      if (effect.is_pair() || gam.feature_name(effect.axes[0].feature) != "bm25_title") continue;
      EXPECT_TRUE(std::is_sorted(effect.values.begin(), effect.values.end() - 1));
    }
  }
}

TEST(IlmartBags, WorkOnCleanedDataAndInItsStages) {
  for (const char* cleaner : {"sour", "curr-sour"}) {
    SCOPED_TRACE(cleaner);
    LambdamartParams params = quick(2);
    params.boosting.num_trees = 12;
    set_param(params, "clean.method", {cleaner});
    if (std::string(cleaner) == "curr-sour") set_param(params, "clean.stages", {"4", "8"});
    const CleanedResult cleaned = train_cleaned(shop().train, &shop().valid, params, Context{});
    const LambdamartResult& result = cleaned.result;
    ASSERT_EQ(result.ilmart->bags->reports.size(), 2U);
    const IlmartBag& bag = result.ilmart->bags->reports[0];
    const std::size_t dropped =
        cleaned.cleaning.stages.empty() ? cleaned.cleaning.dropped.size() : 0;
    EXPECT_EQ(bag.num_rows + bag.num_held_out_rows, shop().train.num_rows() - dropped);
    for (const Tree& tree : result.forest.trees()) EXPECT_LE(features_of(tree).size(), 2U);
  }
}

struct StopAt {
  std::atomic<bool> stop = false;
  std::size_t num_ends = 0;
  std::size_t at = 0;
};

// Stops when the `at`-th training has ended: bags' main effects first, then their interactions.
LambdamartResult stopped_after(std::size_t at) {
  const LambdamartParams params = quick(3);
  StopAt state{.at = at};
  Context context;
  const LambdamartData data = prepare_lambdamart(shop().train, &shop().valid, params, context);
  context.stop = &state.stop;
  IlmartRun run;
  run.main.save_end = [&](const Forest&) {
    if (++state.num_ends == state.at) state.stop = true;
  };
  return train_ilmart(data, params, run, context);
}

TEST(IlmartBags, StoppedAreTheMeanOfTheBagsBegun) {
  for (const std::size_t at : {1, 2}) {
    const LambdamartResult result = stopped_after(at);
    EXPECT_EQ(result.end, BoostingEnd::kInterrupted);
    EXPECT_EQ(result.ilmart->bags->forests.size(), at);
    EXPECT_FALSE(result.ilmart->began_interactions);
    EXPECT_FALSE(result.forest.trees().empty());
  }
  const LambdamartResult between = stopped_after(3);  // all main effects, no pairs
  EXPECT_EQ(between.end, BoostingEnd::kInterrupted);
  EXPECT_EQ(between.ilmart->bags->forests.size(), 3U);
  EXPECT_TRUE(between.ilmart->selected.empty());
  const LambdamartResult later = stopped_after(5);  // the interactions of two bags
  EXPECT_EQ(later.end, BoostingEnd::kInterrupted);
  EXPECT_EQ(later.ilmart->bags->forests.size(), 2U);
  EXPECT_TRUE(later.ilmart->began_interactions);
  EXPECT_NE(stopped_after(6).end, BoostingEnd::kInterrupted);  // nothing was left to do
}

// Three stages a bag (up to 4 trees, 8, the end), each of which is a training that ends.
LambdamartResult stopped_in_stages_after(std::size_t at) {
  LambdamartParams params = quick(3);
  params.boosting.num_trees = 12;
  params.ilmart->num_interactions = 0;
  const Cleaning cleaning{.params = {},
                          .dropped = {},
                          .stages = {{.end = 4, .left_out = {0, 1}}, {.end = 8, .left_out = {2}}}};
  StopAt state{.at = at};
  Context context;
  const LambdamartData data = prepare_lambdamart(shop().train, &shop().valid, params, context);
  context.stop = &state.stop;
  CleanedRun run;
  run.main.save_end = [&](const Forest&) {
    if (++state.num_ends == state.at) state.stop = true;
  };
  return train_on_cleaned(data, cleaning, params, run, context);
}

TEST(IlmartBags, StoppedBetweenStagesAreTheMeanOfTheBagsBegun) {
  const LambdamartResult first = stopped_in_stages_after(1);  // of the first bag one stage
  EXPECT_EQ(first.end, BoostingEnd::kInterrupted);
  ASSERT_EQ(first.ilmart->bags->forests.size(), 1U);
  EXPECT_EQ(first.num_rounds, 4U);
  const LambdamartResult later = stopped_in_stages_after(4);  // all of it, of the second bag one
  EXPECT_EQ(later.end, BoostingEnd::kInterrupted);
  ASSERT_EQ(later.ilmart->bags->reports.size(), 2U);
  EXPECT_EQ(later.ilmart->bags->reports[1].num_rounds, 4U);
  EXPECT_FALSE(later.ilmart->bags->forests[1].trees().empty());
}

// By hand: the mean over folds of the mean number of trees a bag of theirs keeps.
TEST(IlmartBags, FoldsCountTheTreesOfABag) {
  const LambdamartParams params = quick(2, StopOn::kValid);
  const CrossValidation found = cross_validate(shop().train, params, 3, Context{});
  double trees = 0;
  double main_trees = 0;
  for (const SearchSplit& split : fold_splits(shop().train, 3, Context{})) {
    const LambdamartResult fold = train_ilmart(split.train, &split.valid, params, Context{});
    const std::vector<IlmartBag>& bags = fold.ilmart->bags->reports;
    trees += std::floor((static_cast<double>(bags[0].main_trees + bags[0].pair_trees +
                                             bags[1].main_trees + bags[1].pair_trees) +
                         1) /
                        2);
    main_trees +=
        std::floor((static_cast<double>(bags[0].main_trees + bags[1].main_trees) + 1) / 2);
  }
  EXPECT_EQ(found.num_trees, static_cast<std::size_t>(std::round(trees / 3)));
  EXPECT_EQ(found.num_main_trees, static_cast<std::size_t>(std::round(main_trees / 3)));
  EXPECT_LT(found.num_main_trees, found.num_trees);
}

TEST(IlmartBags, AfterFoldsGrowTheirTreesUnlessTheyStopThemselves) {
  LambdamartParams params = quick(2, StopOn::kValid);
  params = with_trees(params, 17, 12);
  EXPECT_EQ(params.boosting.num_trees, 12);
  EXPECT_EQ(params.ilmart->interaction_trees, 5);
  params = quick(2, StopOn::kBag);
  params.ilmart->interaction_trees = 30;
  for (const std::size_t main_trees : {12, 17}) {  // with interactions and without
    const LambdamartParams same = with_trees(params, 17, main_trees);
    EXPECT_EQ(same.boosting.num_trees, 20);
    EXPECT_EQ(same.ilmart->interaction_trees, 30);
    EXPECT_EQ(same.ilmart->num_interactions, 4);
  }
}

TEST(IlmartBags, SearchEndsInTheModelOfItsParameters) {
  const std::vector<SearchSplit> splits = {{.train = shop().train, .valid = shop().valid}};
  const SearchParams search{.ranges = {"num_leaves=2|8"}, .trials = 3, .rungs = 2};
  const SearchResult found = random_search(splits, quick(2), search, Context{});
  const LambdamartResult alone = train(found.trials.front().params);
  EXPECT_EQ(found.trials.front().value, alone.best_metric);
  EXPECT_TRUE(std::ranges::equal(found.forest.trees(), alone.forest.trees()));
  EXPECT_EQ(found.bags.size(), 2U);
}

TEST(IlmartBags, NeedTwoQueries) {
  const Dataset one = testing::make_data({.num_queries = 1, .num_features = 3});
  LambdamartParams params = quick();
  params.ilmart->num_interactions = 0;
  EXPECT_EQ(message_of([&] { prepare_lambdamart(one, nullptr, params, Context{}); }),
            "the training data has 1 query; bags need two, one to leave out");
}

}  // namespace
}  // namespace glassrank
