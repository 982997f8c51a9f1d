#include "glassrank/methods/ilmart/ilmart_bags.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/ilmart/ilmart.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/random_search.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/io/native.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::with_threads;

IlmartParams quick(int num_bags = 3, StopOn stop_on = StopOn::kBag) {
  IlmartParams params;
  params.trees.boosting.num_trees = 20;
  params.trees.boosting.num_leaves = 4;
  params.trees.patience = 8;
  params.num_interactions = 4;
  params.bagging = {.bags = num_bags, .stop_on = stop_on};
  params.pair_selection.method = PairSelection::kFast;
  return params;
}

const Bookshop& shop() {
  static const Bookshop kShop = make_bookshop({.queries = 150}, 0);
  return kShop;
}

IlmartResult train(const IlmartParams& params, const Context& context = {}) {
  return train_ilmart(shop().train, &shop().valid, params, context);
}

// Stops the training at one of its saves.
class StoppingCheckpoints final : public Checkpoints {
 public:
  StoppingCheckpoints(std::atomic<bool>& stop, int last_save) : stop_(stop), left_(last_save) {}
  void never_stop() { left_ = -1; }
  int num_loaded() const { return num_loaded_; }

  std::optional<TrainingState> load(const TrainingPhase& phase) override {
    std::optional<TrainingState> state = states_.load(phase);
    num_loaded_ += state ? 1 : 0;
    return state;
  }
  std::size_t every() const override { return 6; }
  void save(const TrainingPhase& phase, const TrainingState& state) override {
    states_.save(phase, state);
    if (--left_ == 0) stop_ = true;
  }
  void save_end(const TrainingPhase& phase, const TrainingState& state,
                bool is_interrupted) override {
    states_.save_end(phase, state, is_interrupted);
  }

 private:
  MemoryCheckpoints states_;
  std::atomic<bool>& stop_;
  int left_;
  int num_loaded_ = 0;
};

TEST(IlmartBags, AreOffByDefault) {
  EXPECT_FALSE(IlmartParams{}.is_bagged());
  EXPECT_FALSE(train(quick(1, StopOn::kValid)).steps.bags);
}

TEST(IlmartBags, ModelIsTheMeanOfTheBags) {
  const IlmartResult result = train(quick());
  const IlmartBags& bags = *result.steps.bags;
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
  IlmartParams params = quick(2);
  params.num_interactions = 0;
  const IlmartResult result = train(params);
  const LambdamartData data =
      prepare_lambdamart(shop().train, &shop().valid, params.trees, Context{});
  for (std::size_t bag = 0; bag < 2; ++bag) {
    const BagSplitRows rows = split_bag(data.train.queries(), {.share = 0.15}, 0, bag);
    LambdamartData own = data;
    own.train = select_rows(data.train, rows.train, Context{});
    own.valid = select_rows(data.train, rows.held_out, Context{});
    IlmartParams alone = params;
    alone.bagging = {};
    Context seeded;
    seeded.seed = CounterRandom(0, "ilmart bag", bag).bits(0);
    const IlmartResult expected = train_ilmart(own, alone, {}, seeded);
    const IlmartBags& bags = *result.steps.bags;
    EXPECT_TRUE(std::ranges::equal(bags.forests[bag].trees(), expected.forest.trees()));
    EXPECT_EQ(bags.reports[bag].num_rows, rows.train.size());
    EXPECT_EQ(bags.reports[bag].num_held_out_rows, rows.held_out.size());
    EXPECT_EQ(bags.reports[bag].metric, expected.best_metric);
  }
}

TEST(IlmartBags, ShareThePairs) {
  IlmartParams params = quick();
  params.trees.patience = 0;  // every bag keeps its interactions
  const IlmartResult result = train(params);
  const IlmartSteps& steps = result.steps;
  EXPECT_EQ(steps.selected.size(), 4U);
  EXPECT_LE(steps.used.size(), 4U);
  EXPECT_FALSE(steps.used.empty());
  for (const auto& [first, second] : steps.used) {
    EXPECT_TRUE(std::ranges::any_of(steps.selected, [&](const RankedFeaturePair& pair) {
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
  const IlmartResult own = train(quick(2, StopOn::kBag));
  const IlmartResult valid = train(quick(2, StopOn::kValid));
  EXPECT_EQ(own.curve_names.back(), "held-out ndcg@10");
  EXPECT_EQ(valid.curve_names.back(), "valid ndcg@10");
  // Without validation data only the former can stop.
  IlmartParams params = quick(2, StopOn::kBag);
  const IlmartResult blind = train_ilmart(shop().train, nullptr, params, Context{});
  EXPECT_TRUE(std::ranges::equal(blind.forest.trees(), own.forest.trees()));
  EXPECT_TRUE(std::isnan(blind.best_metric));
}

TEST(IlmartBags, MetricsAreTheMeanModels) {
  const IlmartResult result = train(quick());
  const IlmartBags& bags = *result.steps.bags;
  ASSERT_EQ(bags.metrics.size(), 2U);
  EXPECT_EQ(bags.metrics[0].first, "train ndcg@10");
  EXPECT_EQ(bags.metrics[1].first, "valid ndcg@10");
  const double valid = mean_values(ForestScorer(result.forest), shop().valid,
                                   std::vector{parse_metric("ndcg@10")}, Context{})[0];
  EXPECT_NEAR(bags.metrics[1].second, valid, 1e-12);
  EXPECT_EQ(result.best_metric, bags.metrics[1].second);
}

TEST(IlmartBags, CurveIsTheirCurvesOneAfterTheOther) {
  const IlmartResult result = train(quick());
  const IlmartBags& bags = *result.steps.bags;
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

TEST(IlmartBags, RoundsAreCountedInEveryBag) {
  const std::vector<BagRound> rounds =
      bag_rounds({.reports = {{.num_rounds = 2}, {.num_rounds = 0}, {.num_rounds = 1}}});
  ASSERT_EQ(rounds.size(), 3U);
  EXPECT_EQ(rounds[1].bag, 1U);
  EXPECT_EQ(rounds[1].round, 2U);
  EXPECT_EQ(rounds[2].bag, 3U);
  EXPECT_EQ(rounds[2].round, 1U);
}

TEST(IlmartBags, HaveErrorsInEveryCell) {
  const IlmartResult result = train(quick());
  const Gam gam = with_bag_errors(with_weights(distil(result.forest), shop().train),
                                  result.steps.bags->forests);
  for (const GamEffect& effect : gam.effects()) {
    EXPECT_EQ(effect.errors.size(), effect.values.size());
    EXPECT_GT(std::ranges::max(effect.errors), 0);
  }
  EXPECT_TRUE(verify({.body = gam, .provenance = {}}).has_heredity());
}

TEST(IlmartBags, AreTheSameForAnyThreads) {
  IlmartParams params = quick();
  params.trees.boosting.feature_fraction = 0.5;
  set_param(params, "sample.method", {"queries"});
  set_param(params, "sample.fraction", {"0.5"});
  const IlmartResult one = train(params, with_threads(1));
  for (const int threads : {2, 4}) {
    const IlmartResult other = train(params, with_threads(threads));
    EXPECT_TRUE(std::ranges::equal(other.forest.trees(), one.forest.trees()));
    EXPECT_EQ(other.curve, one.curve);
    EXPECT_EQ(other.steps.bags->metrics, one.steps.bags->metrics);
  }
}

TEST(IlmartBags, DrawRandomNumbersOfTheirOwn) {
  IlmartParams params = quick(2);
  params.trees.boosting.feature_fraction = 0.2;
  params.bagging.valid_share = 0.01;  // one query: the bags are nearly equal
  const IlmartResult result = train(params);
  const std::vector<Forest>& bags = result.steps.bags->forests;
  EXPECT_NE(features_of(bags[0].trees()[0]), features_of(bags[1].trees()[0]));
}

TEST(IlmartBags, WorkWithSamplersObjectivesAndDirections) {
  for (const char* sampler : {"queries", "goss", "high-low"}) {
    IlmartParams params = quick(2);
    params.trees.boosting.num_trees = 5;
    set_param(params, "sample.method", {sampler});
    params.trees.objective.objective = "rank_xendcg";
    params.trees.monotone = {"+bm25_title"};
    const IlmartResult result = train(params);
    EXPECT_EQ(result.steps.bags->forests.size(), 2U);
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
    IlmartParams params = quick(2);
    params.trees.boosting.num_trees = 12;
    params.tables = false;
    CleanParams clean;
    set_param(clean, "method", {cleaner});
    if (clean.method == CleanMethod::kCurrSour) clean.stages = {4, 8};
    const TrainResult result =
        testing::train(*make_cleaned(make_ilmart(params), clean), shop().train, &shop().valid);
    ASSERT_EQ(result.report.bags.size(), 2U);
    const BagReport& bag = result.report.bags[0];
    const std::size_t dropped =
        result.cleaning->stages.empty() ? result.cleaning->dropped.size() : 0;
    EXPECT_EQ(dropped > 0, clean.method == CleanMethod::kSour);
    EXPECT_EQ(bag.num_rows + bag.num_held_out_rows, shop().train.num_rows() - dropped);
    const Forest forest = require_forest(result.model, "the test");
    EXPECT_FALSE(forest.trees().empty());
    for (const Tree& tree : forest.trees()) EXPECT_LE(features_of(tree).size(), 2U);
  }
}

struct StopAt {
  std::atomic<bool> stop = false;
  std::size_t num_ends = 0;
  std::size_t at = 0;
};

// Stops when the `at`-th training has ended: bags' main effects first, then their interactions.
IlmartResult stopped_after(std::size_t at) {
  const IlmartParams params = quick(3);
  StopAt state{.at = at};
  Context context;
  const LambdamartData data =
      prepare_lambdamart(shop().train, &shop().valid, params.trees, context);
  context.stop = &state.stop;
  IlmartRun run;
  run.main.save_end = [&](const LambdamartResult&) {
    if (++state.num_ends == state.at) state.stop = true;
  };
  return train_ilmart(data, params, run, context);
}

TEST(IlmartBags, StoppedAreTheMeanOfTheBagsBegun) {
  for (const std::size_t at : {1, 2}) {
    const IlmartResult result = stopped_after(at);
    EXPECT_EQ(result.end, BoostingEnd::kInterrupted);
    EXPECT_EQ(result.steps.bags->forests.size(), at);
    EXPECT_FALSE(result.steps.began_interactions);
    EXPECT_FALSE(result.forest.trees().empty());
  }
  const IlmartResult between = stopped_after(3);  // all main effects, no pairs
  EXPECT_EQ(between.end, BoostingEnd::kInterrupted);
  EXPECT_EQ(between.steps.bags->forests.size(), 3U);
  EXPECT_TRUE(between.steps.selected.empty());
  const IlmartResult later = stopped_after(5);  // the interactions of two bags
  EXPECT_EQ(later.end, BoostingEnd::kInterrupted);
  EXPECT_EQ(later.steps.bags->forests.size(), 2U);
  EXPECT_TRUE(later.steps.began_interactions);
  EXPECT_NE(stopped_after(6).end, BoostingEnd::kInterrupted);  // nothing was left to do
}

// Three stages a bag (up to 4 trees, 8, the end), each of which is a training that ends.
IlmartResult stopped_in_stages_after(std::size_t at) {
  IlmartParams params = quick(3);
  params.trees.boosting.num_trees = 12;
  params.num_interactions = 0;
  StopAt state{.at = at};
  Context context;
  const LambdamartData data =
      prepare_lambdamart(shop().train, &shop().valid, params.trees, context);
  context.stop = &state.stop;
  IlmartRun run{.stages = {{.end = 4, .left_out = {0, 1}}, {.end = 8, .left_out = {2}}}};
  run.main.save_end = [&](const LambdamartResult&) {
    if (++state.num_ends == state.at) state.stop = true;
  };
  return train_ilmart(data, params, run, context);
}

TEST(IlmartBags, StoppedBetweenStagesAreTheMeanOfTheBagsBegun) {
  const IlmartResult first = stopped_in_stages_after(1);  // of the first bag one stage
  EXPECT_EQ(first.end, BoostingEnd::kInterrupted);
  ASSERT_EQ(first.steps.bags->forests.size(), 1U);
  EXPECT_EQ(first.num_rounds, 4U);
  const IlmartResult later = stopped_in_stages_after(4);  // all of it, of the second bag one
  EXPECT_EQ(later.end, BoostingEnd::kInterrupted);
  ASSERT_EQ(later.steps.bags->reports.size(), 2U);
  EXPECT_EQ(later.steps.bags->reports[1].num_rounds, 4U);
  EXPECT_FALSE(later.steps.bags->forests[1].trees().empty());
}

// By hand: the mean over folds of the mean number of trees a bag of theirs keeps.
TEST(IlmartBags, GoOnAfterAnInterruptionToTheSameModel) {
  const std::unique_ptr<Method> method = make_ilmart(quick());
  const TrainingData data(shop().train, shop().valid);
  const TrainResult whole = method->train({.data = data}, {});
  // Stopped at the first, a middle and a late save; each time a second run goes on.
  for (const int last_save : {1, 4, 7}) {
    std::atomic<bool> stop = false;
    StoppingCheckpoints checkpoints(stop, last_save);
    Context context;
    context.stop = &stop;
    const TrainResult part = method->train({.data = data, .checkpoints = &checkpoints}, context);
    EXPECT_TRUE(part.is_interrupted);
    stop = false;
    checkpoints.never_stop();
    const TrainResult rest = method->train({.data = data, .checkpoints = &checkpoints}, context);
    EXPECT_EQ(write_native(rest.model), write_native(whole.model)) << last_save;
    EXPECT_GT(checkpoints.num_loaded(), 0);
  }
}

TEST(IlmartBags, FoldsCountTheTreesOfABag) {
  const IlmartParams params = quick(2, StopOn::kValid);
  const CrossValidation found = cross_validate(shop().train, *make_ilmart(params), 3, Context{});
  double trees = 0;
  double main_trees = 0;
  for (const SearchSplit& split : fold_splits(shop().train, 3, Context{})) {
    const IlmartResult fold = train_ilmart(split.train, &split.valid, params, Context{});
    const std::vector<IlmartBag>& bags = fold.steps.bags->reports;
    trees += std::floor((static_cast<double>(bags[0].main_trees + bags[0].pair_trees +
                                             bags[1].main_trees + bags[1].pair_trees) +
                         1) /
                        2);
    main_trees +=
        std::floor((static_cast<double>(bags[0].main_trees + bags[1].main_trees) + 1) / 2);
  }
  const TrainingLength expected = {
      {"trees", static_cast<std::size_t>(std::round(trees / 3))},
      {"main_trees", static_cast<std::size_t>(std::round(main_trees / 3))}};
  EXPECT_EQ(found.length, expected);
  EXPECT_LT(found.length[1].second, found.length[0].second);
}

TEST(IlmartBags, AfterFoldsGrowTheirTreesUnlessTheyStopThemselves) {
  const auto counted = make_ilmart(quick(2, StopOn::kValid));
  counted->fix_length({{"trees", 17}, {"main_trees", 12}});
  const auto params = testing::params_of<IlmartParams>(*counted);
  EXPECT_EQ(params.trees.boosting.num_trees, 12);
  EXPECT_EQ(params.interaction_trees, 5);

  IlmartParams own = quick(2, StopOn::kBag);
  own.interaction_trees = 30;
  const auto method = make_ilmart(own);
  const TrainResult result = testing::train(*method, shop().train, &shop().valid);
  EXPECT_TRUE(result.length.empty());
  EXPECT_TRUE(cross_validate(shop().train, *method, 3, Context{}).length.empty());
  method->fix_length(result.length);
  const auto same = testing::params_of<IlmartParams>(*method);
  EXPECT_EQ(same.trees.boosting.num_trees, 20);
  EXPECT_EQ(same.interaction_trees, 30);
  EXPECT_EQ(same.num_interactions, 4);
}

TEST(IlmartBags, SearchEndsInTheModelOfItsParameters) {
  const std::vector<SearchSplit> splits = {{.train = shop().train, .valid = shop().valid}};
  const SearchParams search{.ranges = {"num_leaves=2|8"}, .trials = 3, .rungs = 2};
  IlmartParams params = quick(2);
  params.tables = false;
  const SearchResult found = random_search(splits, *make_ilmart(params), search, Context{});
  const Trial& best = found.trials.front();
  const IlmartResult alone = train(testing::params_of<IlmartParams>(*best.method));
  EXPECT_EQ(best.value, alone.best_metric);
  EXPECT_TRUE(std::ranges::equal(require_forest(found.best.model, "the test").trees(),
                                 alone.forest.trees()));
  EXPECT_EQ(found.best.report.bags.size(), 2U);
}

TEST(IlmartBags, NeedTwoQueries) {
  const Dataset one = testing::make_data({.num_queries = 1, .num_features = 3});
  IlmartParams params = quick();
  params.num_interactions = 0;
  EXPECT_EQ(message_of([&] { train_ilmart(one, nullptr, params, Context{}); }),
            "the training data has 1 query; bags need two, one to leave out");
}

}  // namespace
}  // namespace glassrank
