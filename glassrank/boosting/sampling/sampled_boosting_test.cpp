// Boosting with samplers of negatives: what resumes, what is told, what is updated.

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/boosting/booster.h"
#include "glassrank/boosting/sampling/negative_sampling.h"
#include "glassrank/objectives/lambdarank.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::make_data;
using testing::mean_ndcg;
using testing::with_threads;

constexpr Precision kBoth[] = {Precision::kFull, Precision::kFast};

BoosterParams small(Precision precision, int num_trees) {
  return {.num_trees = num_trees, .num_leaves = 8, .min_leaf_rows = 5, .precision = precision};
}

bool same(const Forest& a, const Forest& b) { return std::ranges::equal(a.trees(), b.trees()); }

std::vector<NegativeSamplingParams> every_kind() {
  const NegativeFactors selective{.top = 0.3};
  const NegativeFactors mixed{.top = 0.4, .bottom = 0, .random = 0.1};
  return {{.factors = selective},
          {.factors = selective, .every = 4},
          {.factors = {.top = 0.2, .bottom = 0.3}, .every = 3},
          {.factors = {.random = 0.3}, .every = 4},
          {.factors = {.top = 1.5}, .base = NegativeBase::kMultiple},
          {.factors = {.top = 0.5}, .base = NegativeBase::kPositives, .min_negatives = 2},
          {.factors = mixed, .adaptive = AdaptiveStrategy::kFixed, .window = 3},
          {.factors = mixed, .every = 4, .adaptive = AdaptiveStrategy::kRatio, .window = 3},
          {.factors = mixed, .every = 2, .adaptive = AdaptiveStrategy::kMix, .window = 5}};
}

TEST(SampledBoosting, ResumesAfterAnyRoundForAnyNumberOfThreads) {
  const BinnedDataset data = make_binned({});
  const BinnedDataset valid =
      bin_with(make_data({.num_queries = 20, .seed = 9}), data.shared_edges(), with_threads(1));
  for (const NegativeSamplingParams& kind : every_kind()) {
    NegativeSampling sampler(kind);
    for (const Precision precision : kBoth) {
      Lambdarank objective({});
      BoostingTask task{.train = data,
                        .valid = {valid},
                        .objective = &objective,
                        .sampler = &sampler,
                        .metrics = {{.name = "ndcg", .set = 1, .function = mean_ndcg}},
                        .replay_from = 0};
      const Forest whole = boost(task, small(precision, 11), with_threads(2, 5)).all_trees;
      EXPECT_EQ(whole.trees().size(), 11U);
      for (const std::size_t done : {1, 5, 6, 7, 8}) {
        task.start = whole.first_trees(done);
        const int threads = done % 2 == 0 ? 4 : 1;
        EXPECT_TRUE(
            same(boost(task, small(precision, 11), with_threads(threads, 5)).all_trees, whole))
            << "after " << done;
      }
    }
  }
}

TEST(SampledBoosting, AWarmStartResumesToo) {
  const BinnedDataset data = make_binned({});
  NegativeSampling sampler({.factors = {.top = 0.4, .bottom = 0, .random = 0.1},
                            .every = 4,
                            .adaptive = AdaptiveStrategy::kMix,
                            .window = 3});
  Lambdarank objective({});
  BoostingTask task{.train = data,
                    .objective = &objective,
                    .sampler = &sampler,
                    .metrics = {{.name = "ndcg", .set = 0, .function = mean_ndcg}}};
  BoostingTask warm = task;
  warm.start = boost(task, small(Precision::kFast, 6), with_threads(1)).all_trees;
  const Forest whole = boost(warm, small(Precision::kFast, 14), with_threads(1)).all_trees;
  for (const std::size_t done : {7, 9, 13}) {
    warm.start = whole.first_trees(done);
    warm.replay_from = 6;
    EXPECT_TRUE(same(boost(warm, small(Precision::kFast, 14), with_threads(2)).all_trees, whole));
  }
}

TEST(SampledBoosting, UpdatesScoresOfEveryRowAndSaysWhatTreesSaw) {
  const Dataset raw = make_data({});
  const BinnedDataset data = bin_dataset(raw, {}, with_threads(1));
  struct Watch final : RoundObserver {
    std::vector<double> scores;
    std::vector<std::size_t> rows;
    bool after_round(const RoundEvent& event) override {
      scores = event.scores[0];
      rows.push_back(event.cost.rows);
      EXPECT_EQ(event.cost.rows, event.trees.back().statistics.node_count[0]);
      EXPECT_GT(event.cost.seconds, 0);
      return true;
    }
  } watch;
  NegativeSampling sampler({.factors = {.top = 0.2}, .every = 2});
  Lambdarank objective({});
  const Forest forest =
      boost({.train = data, .objective = &objective, .sampler = &sampler, .observers = {&watch}},
            small(Precision::kFast, 5), with_threads(2))
          .forest;
  for (std::size_t r = 0; r < raw.num_rows(); ++r) {
    ASSERT_EQ(forest.score(raw.row(r)), watch.scores[r]);
  }
  std::size_t num_sampled = 0;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange range = data.queries().rows(q);
    const auto grades = data.grades().subspan(range.begin, range.size());
    const auto num_positives = static_cast<std::size_t>(
        std::ranges::count_if(grades, [](float grade) { return grade > 0; }));
    num_sampled +=
        num_positives +
        round_count(0.2 * static_cast<double>(range.size() - num_positives), Rounding::kRound);
  }
  EXPECT_EQ(watch.rows, (std::vector<std::size_t>{data.num_rows(), data.num_rows(), num_sampled,
                                                  num_sampled, num_sampled}));
}

TEST(SampledBoosting, TellsSamplersWhichRoundsWereBetter) {
  const BinnedDataset data = make_binned({});
  // 5, 7, 7, 6, 9, ...: better in rounds 0, 1, 4.
  const auto counter = std::make_shared<std::size_t>(0);
  const auto scripted = [counter](const BinnedDataset&, std::span<const double>, const Context&) {
    static constexpr double kValues[] = {5, 7, 7, 6, 9, 8};
    return kValues[(*counter)++];
  };
  struct Spy final : Sampler {
    std::vector<std::uint8_t> seen;
    bool select_documents(const SampleView& view, std::vector<std::uint32_t>&) override {
      seen = {view.better_rounds.begin(), view.better_rounds.end()};
      return false;
    }
  } spy;
  Lambdarank objective({});
  BoostingTask task{.train = data,
                    .valid = {data},
                    .objective = &objective,
                    .sampler = &spy,
                    .metrics = {{.name = "other", .set = 0, .function = mean_ndcg},
                                {.name = "scripted", .set = 1, .function = scripted}}};
  boost(task, small(Precision::kFast, 6), with_threads(1));
  EXPECT_EQ(spy.seen, (std::vector<std::uint8_t>{1, 1, 0, 0, 1}));
  *counter = 0;
  task.metrics[1].larger_is_better = false;  // 5 first, never below it
  boost(task, small(Precision::kFast, 6), with_threads(1));
  EXPECT_EQ(spy.seen, (std::vector<std::uint8_t>{1, 0, 0, 0, 0}));
  *counter = 0;
  task.progress_metric = 0;
  task.metrics[0].function = scripted;
  task.metrics[1].function = mean_ndcg;
  boost(task, small(Precision::kFast, 6), with_threads(1));
  EXPECT_EQ(spy.seen, (std::vector<std::uint8_t>{1, 1, 0, 0, 1}));
}

TEST(SampledBoosting, SaysThatAdaptingNeedsAMetric) {
  const BinnedDataset data = make_binned({});
  NegativeSampling sampler({.factors = {.top = 0.2}, .adaptive = AdaptiveStrategy::kRatio});
  Lambdarank objective({});
  BoostingTask task{.train = data, .objective = &objective, .sampler = &sampler};
  const auto message = [&] {
    try {
      boost(task, small(Precision::kFast, 2), with_threads(1));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(),
            "adaptive sampling needs a metric to watch: validation data, or the training metric");
  task.metrics = {{.name = "ndcg", .set = 0, .function = mean_ndcg}};
  EXPECT_EQ(message(), "");
  task.progress_metric = 1;
  EXPECT_EQ(message(), "progress is to be read from metric 2 of 1");
}

}  // namespace
}  // namespace glassrank
