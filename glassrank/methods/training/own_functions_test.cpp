// Objectives, metrics and callbacks that the caller brings, in every method that takes them.

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/scorer.h"
#include "glassrank/objectives/listnet.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

const Bookshop& small_shop() {
  static const Bookshop made = [] {
    BookshopParams params;
    params.queries = 40;
    params.documents_per_query = 12;
    return make_bookshop(params, 3);
  }();
  return made;
}

std::unique_ptr<Method> short_method(const std::string& name) {
  auto method = make_pipeline(name);
  ParamLister lister;
  method->visit(lister);
  for (const ParamInfo& info : lister.infos) {
    for (const char* length :
         {"num_trees", "num_rounds", "epochs", "max_epochs", "max_rounds", "restarts"}) {
      if (info.name == length) testing::set(*method, length, "4");
    }
    if (info.name == "num_interactions") testing::set(*method, "num_interactions", "1");
    if (info.name == "num_leaves") testing::set(*method, "num_leaves", "4");
  }
  return method;
}

OwnMetric first_grade() {
  return {.name = "first_grade",
          .value = [](const Ranking& ranking) { return static_cast<double>(ranking.grades[0]); }};
}

TEST(OwnObjective, TrainsTheModelOfTheSameObjectiveOfTheRegistry) {
  for (const std::string name : {"lambdamart", "ilmart", "ebm", "ranknet"}) {
    const auto own = short_method(name);
    ASSERT_NE(own->objective(), nullptr) << name;
    own->objective()->own = std::make_shared<const OwnObjective>(
        OwnObjective{.name = "mine", .make = [] { return std::make_unique<Listnet>(); }});
    testing::set(*own, "objective", "mine");
    const auto known = short_method(name);
    testing::set(*known, "objective", "listnet");
    const TrainResult a = testing::train(*own, small_shop().train, &small_shop().valid);
    const TrainResult b = testing::train(*known, small_shop().train, &small_shop().valid);
    const auto scores = [](const TrainResult& result) {
      return score_all(*make_scorer(result.model), small_shop().test, Context{});
    };
    EXPECT_EQ(scores(a), scores(b)) << name;
    const auto infos = list_params(*own);
    EXPECT_TRUE(std::ranges::any_of(infos, [](const ParamInfo& info) {
      return info.name == "objective" && info.value == "mine";
    })) << name;
  }
}

TEST(OwnObjective, IsNamedBeforeItIsBrought) {
  const auto method = short_method("lambdamart");
  EXPECT_NE(message_of([&] { testing::set(*method, "objective", "mine"); }).find("mine"),
            std::string::npos);
  EXPECT_EQ(short_method("mart")->objective(), nullptr);
}

TEST(OwnMetric, IsWatchedStopsAndChoosesTheBestRound) {
  const auto method = short_method("lambdamart");
  testing::set(*method, "num_trees", "12");
  method->watch().own = {std::make_shared<const OwnMetric>(first_grade())};
  method->watch().metric = {"ndcg@10", "first_grade"};
  method->watch().stop_metric = "first_grade";
  const TrainResult found = testing::train(*method, small_shop().train, &small_shop().valid);
  const std::vector<std::string> names = {"train ndcg@10", "train first_grade", "valid ndcg@10",
                                          "valid first_grade"};
  EXPECT_EQ(found.curve.names, names);
  double best = -1;
  for (const std::vector<double>& round : found.curve.rounds) best = std::max(best, round[3]);
  EXPECT_EQ(found.best_metric, best);
  method->watch().stop_metric = "err";
  EXPECT_NE(message_of([&] { stop_metric(method->watch()); }).find("not among the metrics"),
            std::string::npos);
}

TEST(OwnMetric, SeesTheGradesInTheOrderOfTheScores) {
  const Dataset& data = small_shop().test;
  const std::vector<double> scores(data.grades().begin(), data.grades().end());
  WatchParams watch;
  watch.own = {std::make_shared<const OwnMetric>(first_grade())};
  watch.metric = {"first_grade"};
  const Evaluation found =
      evaluate(DatasetLists(data, scores), watched_metrics(watch), {}, Context{});
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    const auto grades = data.grades().subspan(rows.begin, rows.size());
    EXPECT_EQ(found.metrics[0].values[q], *std::ranges::max_element(grades));
  }
  watch.own = {std::make_shared<const OwnMetric>(
      OwnMetric{.name = "first_grade", .value = [&](const Ranking& ranking) {
                  EXPECT_EQ(ranking.query_id, data.queries().id(ranking.query));
                  EXPECT_EQ(ranking.listed.size(), data.queries().rows(ranking.query).size());
                  return static_cast<double>(ranking.query);
                }})};
  const Evaluation numbered =
      evaluate(DatasetLists(data, scores), watched_metrics(watch), {}, Context{});
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    EXPECT_EQ(numbered.metrics[0].values[q], static_cast<double>(q));
  }
  const Convention average{.ties = Ties::kAverage};
  const auto specs = watched_metrics(watch);
  EXPECT_NE(message_of([&] {
              evaluate(DatasetLists(data, scores), specs, average, Context{});
            }).find("ties cannot be averaged"),
            std::string::npos);
}

TEST(RoundCallback, SeesEveryRoundAndEndsTheTraining) {
  std::vector<std::string> without;
  for (const MethodInfo& info : method_table()) {
    const std::string name(info.name);
    const auto method = short_method(name);
    if (name == "linear") testing::set(*method, "objective", "lambdarank");
    if (name == "ebm") testing::set(*method, "bags", "1");
    if (!method->traits().calls_back) {
      without.push_back(name);
      continue;
    }
    std::vector<std::size_t> seen;
    method->watch().after_round = [&](const WatchedRound& round) {
      EXPECT_EQ(round.names.size(), round.metrics.size());
      seen.push_back(round.round);
      return round.round < 2;
    };
    testing::train(*method, small_shop().train, &small_shop().valid);
    ASSERT_GE(seen.size(), 2U) << name;
    EXPECT_EQ(seen[0], 1U);
    EXPECT_EQ(seen[1], 2U);
    if (name != "ilmart" && name != "ebm") {  // two steps, two trainings
      EXPECT_EQ(seen.size(), 2U) << name;
    }
  }
  EXPECT_EQ(without, std::vector<std::string>{"tree"});
}

TEST(RoundCallback, EndsEveryBagOfAnEbm) {
  const auto method = short_method("ebm");
  testing::set(*method, "bags", "5");
  testing::set(*method, "num_interactions", "1");
  testing::set(*method, "max_rounds", "50");
  std::mutex mutex;
  std::map<std::string, std::size_t> last;
  method->watch().after_round = [&](const WatchedRound& round) {
    const std::scoped_lock lock(mutex);
    last[std::string(round.training)] = round.round;
    return false;
  };
  Context one_thread;
  one_thread.threads = std::make_shared<const Threads>(1);
  const TrainingData data(small_shop().train);
  method->train({.data = data}, one_thread);
  const std::map<std::string, std::size_t> once = {
      {"bag 1 of 5, curves", 1},   {"bag 2 of 5, curves", 1},   {"bag 3 of 5, curves", 1},
      {"bag 4 of 5, curves", 1},   {"bag 5 of 5, curves", 1},   {"bag 1 of 5, surfaces", 1},
      {"bag 2 of 5, surfaces", 1}, {"bag 3 of 5, surfaces", 1}, {"bag 4 of 5, surfaces", 1},
      {"bag 5 of 5, surfaces", 1}};
  EXPECT_EQ(last, once);
}

TEST(RoundCallback, IsToldWhichBagItIs) {
  const auto method = short_method("lambdamart");
  testing::set(*method, "bags", "2");
  std::mutex mutex;
  std::set<std::string> trainings;
  method->watch().after_round = [&](const WatchedRound& round) {
    const std::scoped_lock lock(mutex);
    trainings.emplace(round.training);
    return true;
  };
  testing::train(*method, small_shop().train, nullptr);
  EXPECT_EQ(trainings, (std::set<std::string>{"bag 1 of 2", "bag 2 of 2"}));
}

}  // namespace
}  // namespace glassrank
