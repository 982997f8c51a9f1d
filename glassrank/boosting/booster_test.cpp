#include "glassrank/boosting/booster.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/objectives/lambdarank.h"
#include "testing/boosting_fixture.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::make_data;
using testing::mean_ndcg;
using testing::with_threads;

constexpr Precision kBoth[] = {Precision::kFull, Precision::kFast};

BoosterParams small(Precision precision, int num_trees = 20) {
  return {.num_trees = num_trees, .num_leaves = 8, .precision = precision};
}

Forest train(const BinnedDataset& data, const BoosterParams& params, const Context& context) {
  Lambdarank objective({});
  return boost({.train = data, .objective = &objective}, params, context).forest;
}

bool same(const Forest& a, const Forest& b) { return std::ranges::equal(a.trees(), b.trees()); }

double score_quality(const Forest& forest, const Dataset& raw, const BinnedDataset& data) {
  std::vector<double> scores;
  for (std::size_t r = 0; r < raw.num_rows(); ++r) scores.push_back(forest.score(raw.row(r)));
  return mean_ndcg(data, scores, with_threads(1));
}

TEST(Booster, LearnsTheTruth) {
  const Dataset raw = make_data({.num_queries = 100});
  const BinnedDataset data = bin_dataset(raw, {}, with_threads(2));
  const Dataset other = make_data({.num_queries = 100, .seed = 2});
  const BinnedDataset other_bins = bin_with(other, data.shared_edges(), with_threads(2));
  for (const Precision precision : kBoth) {
    const Forest forest = train(data, small(precision, 40), with_threads(2));
    EXPECT_EQ(forest.trees().size(), 40U);
    EXPECT_GT(score_quality(forest, other, other_bins), 0.9);
    EXPECT_LT(score_quality(Forest(), other, other_bins), 0.6);
  }
}

TEST(Booster, IsTheSameForAnyNumberOfThreads) {
  const BinnedDataset data = make_binned({.num_queries = 100});
  for (const Precision precision : kBoth) {
    const Forest one = train(data, small(precision), with_threads(1));
    for (const int threads : {2, 4}) {
      EXPECT_TRUE(same(one, train(data, small(precision), with_threads(threads))));
    }
  }
}

TEST(Booster, ScoresOfTheForestAreThoseOfTraining) {
  const Dataset raw = make_data({});
  const BinnedDataset data = bin_dataset(raw, {}, with_threads(1));
  struct Watch final : RoundObserver {
    std::vector<double> train, valid;
    bool after_round(const RoundEvent& event) override {
      train = event.scores[0];
      valid = event.scores[1];
      return true;
    }
  } watch;
  RowBagging sampler({.fraction = 0.5});
  for (Sampler* s : {static_cast<Sampler*>(nullptr), static_cast<Sampler*>(&sampler)}) {
    Lambdarank objective({});
    const Forest forest = boost({.train = data,
                                 .valid = {data},
                                 .objective = &objective,
                                 .sampler = s,
                                 .observers = {&watch}},
                                small(Precision::kFast), with_threads(2))
                              .forest;
    for (std::size_t r = 0; r < raw.num_rows(); ++r) {
      ASSERT_EQ(forest.score(raw.row(r)), watch.train[r]);
      ASSERT_EQ(forest.score(raw.row(r)), watch.valid[r]);
    }
  }
}

TEST(Booster, AResumedRunEndsInTheSameForest) {
  const BinnedDataset data = make_binned({});
  Goss goss({});
  QueryBagging bagging({.fraction = 0.6, .every = 3});
  for (Sampler* sampler : {static_cast<Sampler*>(nullptr), static_cast<Sampler*>(&goss),
                           static_cast<Sampler*>(&bagging)}) {
    for (const Precision precision : kBoth) {
      BoosterParams params = small(precision, 15);
      params.feature_fraction = 0.7;
      Lambdarank objective({});
      BoostingTask task{.train = data, .objective = &objective, .sampler = sampler};
      const Forest whole = boost(task, params, with_threads(2, 5)).forest;
      params.num_trees = 7;
      task.start = boost(task, params, with_threads(1, 5)).forest;
      EXPECT_EQ(task.start->trees().size(), 7U);
      params.num_trees = 15;
      EXPECT_TRUE(same(boost(task, params, with_threads(2, 5)).forest, whole));
    }
  }
}

TEST(Booster, AStopKeepsTheTreesSoFar) {
  const BinnedDataset data = make_binned({});
  std::atomic<bool> stop = false;
  struct StopAfter3 final : RoundObserver {
    std::atomic<bool>* flag = nullptr;
    bool after_round(const RoundEvent& event) override {
      if (event.round == 2) *flag = true;
      return true;
    }
  } observer;
  observer.flag = &stop;
  Context context = with_threads(1);
  context.stop = &stop;
  Lambdarank objective({});
  const BoostingResult result =
      boost({.train = data, .objective = &objective, .observers = {&observer}},
            small(Precision::kFull), context);
  EXPECT_EQ(result.end, BoostingEnd::kInterrupted);
  EXPECT_EQ(result.forest.trees().size(), 3U);
}

TEST(Booster, EarlyStoppingKeepsTheBestRoundAlsoWhenResumed) {
  const BinnedDataset data = make_binned({.num_queries = 20});
  const BinnedDataset other =
      bin_with(make_data({.num_queries = 20, .seed = 9}), data.shared_edges(), with_threads(1));
  Lambdarank objective({});
  const RoundMetric metric{.name = "ndcg", .set = 1, .function = mean_ndcg};
  const auto run = [&](int num_trees, const std::optional<Forest>& start) {
    EarlyStopping stopping({.metric = 0, .patience = 5});
    LearningCurve curve;
    BoosterParams params = small(Precision::kFull, num_trees);
    params.learning_rate = 0.5;
    const BoostingResult result = boost({.train = data,
                                         .valid = {other},
                                         .objective = &objective,
                                         .metrics = {metric},
                                         .observers = {&stopping, &curve},
                                         .start = start,
                                         .replay_from = 0},
                                        params, with_threads(1));
    std::size_t best = 0;
    for (std::size_t r = 0; r < curve.rounds().size(); ++r) {
      if (curve.rounds()[r][0] > curve.rounds()[best][0]) best = r;
    }
    EXPECT_EQ(result.forest.trees().size(), best + 1);
    EXPECT_EQ(stopping.best(), curve.rounds()[best][0]);
    return result;
  };
  const BoostingResult whole = run(500, std::nullopt);
  EXPECT_EQ(whole.end, BoostingEnd::kStoppedByObserver);
  EXPECT_EQ(whole.num_rounds, whole.forest.trees().size() + 5);
  EXPECT_EQ(whole.all_trees.trees().size(), whole.num_rounds);
  std::vector<Tree> saved;
  Checkpoint checkpoint(
      3, [&](const RoundEvent& event) { saved = {event.trees.begin(), event.trees.end()}; });
  BoosterParams params = small(Precision::kFull, 4);
  params.learning_rate = 0.5;
  boost({.train = data, .objective = &objective, .observers = {&checkpoint}}, params,
        with_threads(1));
  ASSERT_EQ(saved.size(), 3U);
  const Forest start({.trees = saved, .num_features = data.num_features()});
  EXPECT_TRUE(same(run(500, start).forest, whole.forest));
}

TEST(Booster, ShowsObserversTheRoundsFromWhereTheyAreAskedToLook) {
  const BinnedDataset data = make_binned({});
  Lambdarank objective({});
  const Forest start = train(data, small(Precision::kFull, 4), with_threads(1));
  struct Watch final : RoundObserver {
    std::vector<std::pair<std::size_t, bool>> rounds;
    bool after_round(const RoundEvent& event) override {
      rounds.emplace_back(event.round, event.replayed);
      return true;
    }
  };
  const auto rounds_seen = [&](std::size_t replay_from) {
    Watch watch;
    boost({.train = data,
           .objective = &objective,
           .observers = {&watch},
           .start = start,
           .replay_from = replay_from},
          small(Precision::kFull, 5), with_threads(1));
    return watch.rounds;
  };
  using Rounds = std::vector<std::pair<std::size_t, bool>>;
  EXPECT_EQ(rounds_seen(0), (Rounds{{0, true}, {1, true}, {2, true}, {3, true}, {4, false}}));
  EXPECT_EQ(rounds_seen(3), (Rounds{{3, true}, {4, false}}));
  EXPECT_EQ(rounds_seen(4), (Rounds{{4, false}}));
}

TEST(Booster, MonotoneDirectionsHold) {
  const Dataset raw = make_data({.num_queries = 60, .with_missing = false});
  const BinnedDataset data = bin_dataset(raw, {}, with_threads(1));
  for (const Precision precision : kBoth) {
    for (const std::int8_t direction : {std::int8_t{1}, std::int8_t{-1}}) {
      Lambdarank objective({});
      BoostingTask task{.train = data, .objective = &objective};
      task.monotone = {direction, 0, 0, 0, direction, 0, 0, 0};
      BoosterParams params = small(precision, 30);
      params.num_leaves = 16;
      const Forest forest = boost(task, params, with_threads(2)).forest;
      std::size_t num_changes = 0;
      for (std::size_t r = 0; r < 200; ++r) {
        for (const std::size_t f : {0, 4}) {
          std::vector<float> row(raw.row(r).begin(), raw.row(r).end());
          double before = NAN;
          for (float x = -3; x < 3; x += 0.05F) {
            row[f] = x;
            const double now = forest.score(row);
            if (!std::isnan(before)) {
              ASSERT_GE(direction * (now - before), 0);
            }
            num_changes += !std::isnan(before) && now != before ? 1 : 0;
            before = now;
          }
        }
      }
      if (direction > 0) {
        EXPECT_GT(num_changes, 1000U);
      }
    }
  }
}

TEST(Booster, StatisticsAddUp) {
  const BinnedDataset data = make_binned({});
  const Forest forest = train(data, small(Precision::kFast, 3), with_threads(1));
  for (const Tree& tree : forest.trees()) {
    std::uint64_t count = 0;
    for (const std::uint64_t c : tree.statistics.leaf_count) {
      count += c;
      EXPECT_GE(c, 20U);
    }
    EXPECT_EQ(count, data.num_rows());
    EXPECT_EQ(tree.statistics.node_count[0], data.num_rows());
    for (const double gain : tree.statistics.node_gain) EXPECT_GT(gain, 0);
  }
}

TEST(Booster, SaysWhatIsWrong) {
  const BinnedDataset data = make_binned({});
  const BinnedDataset other = make_binned({.seed = 2});
  Lambdarank objective({});
  const auto message = [&](auto change) {
    BoostingTask task{.train = data, .objective = &objective};
    change(task);
    try {
      boost(task, small(Precision::kFull), with_threads(1));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([](BoostingTask& t) { t.objective = nullptr; }), "boosting needs an objective");
  EXPECT_EQ(message([&](BoostingTask& t) { t.valid = {other}; }),
            "validation set 1 is not in the bins of the training data");
  EXPECT_EQ(message([](BoostingTask& t) { t.monotone = {1}; }),
            "1 monotone directions for 8 features");
  EXPECT_EQ(message([](BoostingTask& t) { t.monotone.assign(8, 2); }),
            "monotone direction 2; must be -1, 0 or 1");
  EXPECT_EQ(message([](BoostingTask& t) {
              t.metrics.push_back(RoundMetric{.name = "m", .set = 1, .function = mean_ndcg});
            }),
            "metric m asks for set 1 of 1");
  EXPECT_EQ(message([](BoostingTask& t) { t.start = Forest(); }),
            "the model to go on from has 0 features, the data 8");
  const Forest alien = train(other, small(Precision::kFull, 1), with_threads(1));
  EXPECT_NE(message([&](BoostingTask& t) { t.start = alien; }).find("not a bin border"),
            std::string::npos);
}

TEST(Booster, ChecksParametersSetInCode) {
  const BoostingTask task{.train = make_binned({})};
  const auto message = [&](const BoosterParams& params) {
    try {
      boost(task, params, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({.num_trees = -1}), "num_trees = -1 is out of range; it must be x >= 0");
  EXPECT_EQ(message({.learning_rate = std::numeric_limits<double>::infinity()}),
            "learning_rate = inf is out of range; it must be x > 0 and finite");
}

// Whole forests, to the bit: every kernel of a round takes part.
TEST(Booster, GrowsTheSameForestWithAnyInstructions) {
  const BinnedDataset data = testing::make_binned({.num_queries = 60});
  const auto forest = [&](const BoosterParams& params) {
    Lambdarank objective({});
    return boost({.train = data, .objective = &objective}, params, testing::with_threads(2))
        .all_trees;
  };
  const BoosterParams all{.num_trees = 8, .num_leaves = 15};
  BoosterParams some = all;
  some.active = ActiveRows::kSome;
  some.active_share = 0.3;
  BoosterParams full = all;
  full.precision = Precision::kFull;
  for (const BoosterParams& params : {all, some, full}) {
    const Forest expected = forest(params);
    ASSERT_EQ(expected.trees().size(), 8U);
    on_every_target(
        [&] { EXPECT_TRUE(std::ranges::equal(forest(params).trees(), expected.trees())); });
  }
}

}  // namespace
}  // namespace glassrank
