#include "glassrank/methods/lambdamart/lambdamart.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

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

// Random grades are drawn per document, weights and a sample of the queries apply after that.
TEST(Lambdamart, TrainsThePeerObjectiveOnSamplesAndWeightsWithAnyNumberOfThreads) {
  const Bookshop shop = make_bookshop({.queries = 60}, 2);
  const QueryGroups& queries = shop.train.queries();
  auto table = std::make_shared<RowTable>(shop.train.table());
  for (const std::uint32_t query : queries.query_of_rows()) {
    table->weights.push_back(query % 3 == 0 ? 2.0F : 0.5F);
  }
  const Dataset train = shop.train.with_table(table);
  const auto scores_with = [&](int threads, double alpha, const char* objective) {
    Context context{.threads = std::make_shared<Threads>(threads), .seed = 4};
    LambdamartParams params = quick();
    params.objective.objective = objective;
    params.objective.peer.alpha = alpha;
    params.sample = {.method = SampleMethod::kQueries, .fraction = 0.5};
    const Forest forest = train_lambdamart(train, nullptr, params, context).forest;
    std::vector<double> scores(shop.test.num_rows());
    ForestScorer(forest).score(shop.test.features(), scores, context);
    return scores;
  };
  const auto one = scores_with(1, 0.5, "peer");
  EXPECT_EQ(scores_with(2, 0.5, "peer"), one);
  EXPECT_EQ(scores_with(4, 0.5, "peer"), one);
  const auto plain = scores_with(1, 0, "lambdarank");
  EXPECT_NE(one, plain);
  EXPECT_EQ(scores_with(1, 0, "peer"), plain);
}

bool same(const Forest& a, const Forest& b) { return std::ranges::equal(a.trees(), b.trees()); }

Context with_threads(int threads) {
  Context context;
  context.threads = std::make_shared<Threads>(threads);
  context.seed = 3;
  return context;
}

// Every way rows and features can be drawn.
std::vector<LambdamartParams> with_chance() {
  std::vector<LambdamartParams> all;
  for (const SamplerInfo& sampler : sampler_table()) {
    all.push_back(quick());
    all.back().boosting.num_trees = 25;
    all.back().boosting.num_leaves = 8;
    all.back().boosting.feature_fraction = 0.6;
    all.back().boosting.learning_rate = 0.4;
    all.back().patience = 6;
    all.back().sample.method = sampler.method;
    all.back().sample.fraction = 0.5;
    all.back().sample.every = 2;
  }
  return all;
}

TEST(Lambdamart, AnInterruptedRunEndsInTheSameForestAndCurve) {
  const Bookshop shop = make_bookshop({.queries = 60}, 5);
  for (const LambdamartParams& params : with_chance()) {
    const LambdamartData data =
        prepare_lambdamart(shop.train, &shop.valid, params, with_threads(1));
    const LambdamartResult whole = train_lambdamart(data, params, {}, with_threads(2));
    // Checkpoints every 3 rounds; interrupted in round 4, and again at the checkpoint of round 9.
    std::optional<Forest> saved;
    std::atomic<bool> stop = false;
    LambdamartRun run{.checkpoint_every = 3};
    run.save_checkpoint = [&](const Forest& all_trees) {
      saved = all_trees;
      if (all_trees.trees().size() % 9 == 3) stop = true;
    };
    Context context = with_threads(1);
    context.stop = &stop;
    const LambdamartResult first = train_lambdamart(data, params, run, context);
    EXPECT_EQ(first.end, BoostingEnd::kInterrupted);
    EXPECT_EQ(first.all_trees.trees().size(), 3U);
    EXPECT_TRUE(same(first.all_trees, *saved));
    stop = false;
    run.resumed = saved;
    train_lambdamart(data, params, run, context);
    run.resumed = saved;
    stop = false;
    run.checkpoint_every = 0;
    const LambdamartResult last = train_lambdamart(data, params, run, with_threads(4));
    EXPECT_TRUE(same(last.forest, whole.forest));
    EXPECT_EQ(last.curve, whole.curve);
    EXPECT_EQ(last.num_rounds, whole.num_rounds);
    EXPECT_EQ(last.best_round, whole.best_round);
    EXPECT_EQ(last.best_metric, whole.best_metric);
  }
}

TEST(Lambdamart, AWarmStartAddsTreesToAModelOfAnyBins) {
  const Bookshop shop = make_bookshop({.queries = 60}, 6);
  LambdamartParams coarse = quick();
  coarse.bins.max_bins = 7;
  coarse.boosting.num_trees = 5;
  const Forest start = train_lambdamart(shop.valid, nullptr, coarse, Context{}).forest;
  LambdamartParams params = quick();
  params.boosting.num_trees = 12;
  params.patience = 0;
  const LambdamartData data =
      prepare_lambdamart(shop.train, &shop.valid, params, Context{}, &start);
  const LambdamartResult whole = train_lambdamart(data, params, {.warm_start = start}, Context{});
  ASSERT_EQ(whole.forest.trees().size(), 17U);
  EXPECT_EQ(whole.num_rounds, 12U);
  EXPECT_EQ(whole.curve.size(), 12U);
  EXPECT_TRUE(std::ranges::equal(whole.forest.trees().first(5), start.trees()));
  EXPECT_NEAR(whole.best_metric, test_ndcg(whole.forest, shop.valid), 1e-9);

  // Interrupted after four of its own rounds.
  const LambdamartRun run{.warm_start = start, .resumed = whole.all_trees.first_trees(9)};
  const LambdamartResult resumed = train_lambdamart(data, params, run, Context{});
  EXPECT_TRUE(same(resumed.forest, whole.forest));
  EXPECT_EQ(resumed.curve, whole.curve);
}

TEST(Lambdamart, AWarmStartOnTheSameBinsIsALongerRun) {
  const Bookshop shop = make_bookshop({.queries = 60}, 6);
  LambdamartParams params = quick();
  params.boosting.num_trees = 10;
  const Forest whole = train_lambdamart(shop.train, nullptr, params, Context{}).forest;
  const Forest start = whole.first_trees(4);
  params.boosting.num_trees = 6;
  const LambdamartData data = prepare_lambdamart(shop.train, nullptr, params, Context{}, &start);
  EXPECT_TRUE(same(train_lambdamart(data, params, {.warm_start = start}, Context{}).forest, whole));
}

TEST(Lambdamart, RefusesAWarmStartThatDoesNotFit) {
  const Bookshop shop = make_bookshop({.queries = 30}, 6);
  const Forest narrow({.trees = {}, .num_features = 2});
  EXPECT_EQ(
      message_of([&] { prepare_lambdamart(shop.train, nullptr, quick(), Context{}, &narrow); }),
      fmt::format("the model to go on from has 2 features, the training data {}",
                  shop.train.num_features()));
  const Forest zero_missing(
      {.trees = {Tree{.nodes = {{.left = -1, .right = -2, .zero_is_missing = true}},
                      .leaf_values = {0, 1},
                      .statistics = {}}},
       .num_features = shop.train.num_features()});
  EXPECT_EQ(message_of([&] {
              prepare_lambdamart(shop.train, nullptr, quick(), Context{}, &zero_missing);
            }),
            "the model to go on from counts zero as missing (LightGBM's zero_as_missing); training "
            "cannot continue that");
}

TEST(Lambdamart, TrainsTheSameForestOnBinsAlone) {
  const Bookshop shop = make_bookshop({.queries = 60}, 2);
  LambdamartParams params = quick();
  params.bins.max_bins = 31;
  params.monotone = {"-price"};
  const TrainingData bins = testing::bins_only(shop.train, params.bins, "lambdamart_test.bins");
  const LambdamartResult values = train_lambdamart(shop.train, &shop.valid, params, Context{});
  const LambdamartData data = prepare_lambdamart(bins.with_valid(shop.valid), params, Context{});
  const LambdamartResult result = train_lambdamart(data, params, {}, Context{});
  EXPECT_TRUE(std::ranges::equal(result.forest.trees(), values.forest.trees()));
  EXPECT_EQ(result.curve, values.curve);
  EXPECT_EQ(message_of([&] {
              LambdamartParams wrong = params;
              wrong.monotone = {"-prise"};
              prepare_lambdamart(bins, wrong, Context{});
            }),
            "monotone '-prise': unknown feature 'prise'; did you mean 'price'?");
}

TEST(Lambdamart, GoesOnFromAModelOfTheSameBinsOnly) {
  const Bookshop shop = make_bookshop({.queries = 60}, 2);
  LambdamartParams params = quick();
  params.boosting.num_trees = 3;
  const TrainingData bins = testing::bins_only(shop.train, params.bins, "lambdamart_fine.bins");
  const Forest start = train_lambdamart(shop.train, nullptr, params, Context{}).forest;
  EXPECT_NO_THROW(prepare_lambdamart(bins, params, Context{}, &start));
  params.bins.max_bins = 7;
  const TrainingData coarse = testing::bins_only(shop.train, params.bins, "lambdamart_coarse.bins");
  EXPECT_NE(message_of([&] {
              prepare_lambdamart(coarse, params, Context{}, &start);
            }).find("which is no border of the bins; give training data with feature values"),
            std::string::npos);
}

TEST(Lambdamart, StopsOnTheMetricChosen) {
  const Bookshop shop = make_bookshop({.queries = 60}, 7);
  LambdamartParams params = quick();
  params.watch.metric = {"ndcg@1", "map"};
  params.watch.stop_metric = "map";
  const LambdamartResult result = train_lambdamart(shop.train, &shop.valid, params, Context{});
  EXPECT_EQ(result.curve_names,
            (std::vector<std::string>{"train ndcg@1", "train map", "valid ndcg@1", "valid map"}));
  double best = -1;
  std::size_t best_round = 0;
  for (std::size_t round = 0; round < result.curve.size(); ++round) {
    if (result.curve[round][3] > best) {
      best = result.curve[round][3];
      best_round = round + 1;
    }
  }
  EXPECT_EQ(result.best_round, best_round);
  EXPECT_EQ(result.best_metric, best);
  params.watch.train_metric = false;
  const LambdamartResult less = train_lambdamart(shop.train, &shop.valid, params, Context{});
  EXPECT_EQ(less.curve_names, (std::vector<std::string>{"valid ndcg@1", "valid map"}));
  EXPECT_TRUE(same(less.forest, result.forest));
}

TEST(Lambdamart, WithoutPatienceKeepsEveryTree) {
  const Bookshop shop = make_bookshop({.queries = 60}, 1);
  LambdamartParams params = quick();
  params.patience = 0;
  const LambdamartResult result = train_lambdamart(shop.train, &shop.valid, params, Context{});
  EXPECT_EQ(result.forest.trees().size(), 60U);
  EXPECT_EQ(result.best_metric, result.curve.back()[1]);
}

TEST(Lambdamart, KeepsInteractionSetsAndDirections) {
  const Bookshop shop = make_bookshop({.queries = 60}, 8);
  LambdamartParams params = quick();
  params.interactions = {"[bm25_title]", "[2,3]"};
  params.monotone = {"+bm25_title"};
  const Forest forest = train_lambdamart(shop.train, nullptr, params, Context{}).forest;
  const std::size_t title = shop.train.feature_index("bm25_title");
  ASSERT_GT(forest.trees().size(), 10U);
  for (const Tree& tree : forest.trees()) {
    for (const TreeNode& node : tree.nodes) {
      EXPECT_TRUE(node.feature == title || node.feature == 1 || node.feature == 2);
    }
  }
  for (std::size_t r = 0; r < 50; ++r) {
    std::vector<float> row(shop.train.row(r).begin(), shop.train.row(r).end());
    double before = -std::numeric_limits<double>::infinity();
    for (float x = 0; x < 30; x += 0.25F) {
      row[title] = x;
      const double now = forest.score(row);
      ASSERT_GE(now, before);
      before = now;
    }
  }
}

TEST(Lambdamart, SaysWhichParametersDoNotFit) {
  const Bookshop shop = make_bookshop({.queries = 30}, 3);
  const auto message = [&](auto change) {
    LambdamartParams params = quick();
    change(params);
    return message_of([&] { train_lambdamart(shop.train, &shop.valid, params, Context{}); });
  };
  EXPECT_EQ(message([](LambdamartParams& p) { p.watch.metric.clear(); }),
            "metric: at least one is needed");
  EXPECT_EQ(message([](LambdamartParams& p) { p.watch.stop_metric = "map"; }),
            "stop_metric map is not among the metrics watched: ndcg@10");
  EXPECT_EQ(message([](LambdamartParams& p) {
              p.sample = {.method = SampleMethod::kGoss, .top = 0.75, .other = 0.5};
            }),
            "sample.top 0.75 and sample.other 0.5 add up to 1.25; goss needs more than 0 and at "
            "most 1");
}

TEST(Lambdamart, TrainsOnDrawsWithoutAnyRow) {
  const Bookshop shop = make_bookshop({.queries = 30}, 3);
  for (const SampleMethod method : {SampleMethod::kRows, SampleMethod::kQueries}) {
    LambdamartParams params = quick();
    params.boosting.num_trees = 5;
    params.sample.method = method;
    params.sample.fraction = 1e-9;
    const Forest forest = train_lambdamart(shop.train, nullptr, params, Context{}).forest;
    EXPECT_EQ(forest.trees().size(), 5U);
    EXPECT_EQ(forest.score(shop.train.row(0)), 0);
  }
}

TEST(Lambdamart, RefusesValidationDataWithOtherFeatures) {
  const Bookshop shop = make_bookshop({.queries = 30}, 3);
  DatasetParts parts;
  parts.features = Buffer<float>(1);
  parts.features[0] = 1;
  parts.grades = {1};
  const std::size_t sizes[] = {1};
  parts.queries = QueryGroups({"q"}, sizes);
  parts.schema = Schema::of_features({"one"});
  const Dataset other{std::move(parts)};
  EXPECT_EQ(message_of([&] { train_lambdamart(shop.train, &other, quick(), Context{}); }),
            fmt::format("the validation data has 1 features, the training data {}",
                        shop.train.num_features()));
  EXPECT_EQ(message_of([&] { train_lambdamart(Dataset(), nullptr, quick(), Context{}); }),
            "the training data has no rows");
}

TEST(Lambdamart, RefusesValidationDataWithOtherNames) {
  const Bookshop shop = make_bookshop({.queries = 30}, 3);
  const auto renamed = [&](const std::string& name) {
    DatasetParts parts;
    parts.features = Buffer<float>(shop.train.num_features());
    for (std::size_t f = 0; f < shop.train.num_features(); ++f) parts.features[f] = 0;
    parts.grades = {1};
    const std::size_t sizes[] = {1};
    parts.queries = QueryGroups({"q"}, sizes);
    std::vector<std::string> names = {shop.train.feature_names().begin(),
                                      shop.train.feature_names().end()};
    names[1] = name;
    parts.schema = Schema::of_features(names);
    return Dataset(std::move(parts));
  };
  const auto message = [&](const std::string& name) {
    const Dataset other = renamed(name);
    return message_of([&] { prepare_lambdamart(shop.train, &other, quick(), Context{}); });
  };
  EXPECT_EQ(message("other"),
            fmt::format("feature 2 is 'other' in the validation data and '{}' in the training data",
                        shop.train.feature_names()[1]));
  EXPECT_EQ(message("2"), "no error");  // a number is no name
}

}  // namespace
}  // namespace glassrank
