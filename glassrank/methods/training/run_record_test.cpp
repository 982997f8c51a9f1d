#include "glassrank/methods/training/run_record.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/json.h"
#include "glassrank/methods/lambdamart/boosted_runs.h"

namespace glassrank {
namespace {

Json record_of(const Provenance& run, const TrainResult& result) {
  return Json::parse(json_text(run_record(run, result)));
}

// What a training of trees makes of its rounds.
TrainResult trained(const LambdamartResult& result) {
  const TrainingData data{Dataset()};
  return boosted_result(result, {}, {.data = data});
}

TEST(RunRecord, HoldsSettingsAndWhatEveryRoundGaveAndTook) {
  LambdamartResult result;
  result.num_rounds = 3;
  result.curve_names = {"train ndcg@10", "valid map"};
  result.curve = {{0.5, 0.25}, {0.75, std::numeric_limits<double>::quiet_NaN()}, {0.8, 0.5}};
  result.costs = {{},  // replayed
                  {.rows = 100, .all_rows = 100, .seconds = 0.5},
                  {.rows = 25, .all_rows = 100, .seconds = 0.25}};
  const Json record =
      record_of({{"seed", "3"}, {"params.sample.method", "selective"}}, trained(result));
  ASSERT_EQ(record["run"].size(), 2U);
  EXPECT_EQ(record["run"]["seed"], "3");
  EXPECT_EQ(record["run"]["params.sample.method"], "selective");
  EXPECT_EQ(record["report"]["outcome"], "3 rounds");
  EXPECT_EQ(record["report"]["num_trees"], 0);
  EXPECT_EQ(record["report"]["row_share"], 0.625);    // (1 + 0.25) / 2
  EXPECT_EQ(record["report"]["ms_per_tree"], 375.0);  // (500 + 250) / 2
  ASSERT_EQ(record["rounds"].size(), 3U);
  const Json& first = record["rounds"][0];
  EXPECT_EQ(first["round"], 1);
  for (const char* absent : {"bag", "num_rows", "row_share", "ms"}) {
    EXPECT_TRUE(!first.contains(absent) || first[absent].is_null()) << absent;
  }
  EXPECT_EQ(first["metrics"]["train ndcg@10"], 0.5);
  EXPECT_TRUE(record["rounds"][1]["metrics"]["valid map"].is_null());
  EXPECT_EQ(record["rounds"][2]["num_rows"], 25);
  EXPECT_EQ(record["rounds"][2]["row_share"], 0.25);
  EXPECT_EQ(record["rounds"][2]["ms"], 250.0);
}

TEST(RunRecord, CountsRoundsInEveryBag) {
  TrainResult result;
  result.curve = {
      .names = {"held-out ndcg@10"},
      .rounds = {{0.5}, {0.75}, {0.25}},
      .costs = {{}, {}, {}},
      .places = {{.bag = 1, .round = 1}, {.bag = 1, .round = 2}, {.bag = 3, .round = 1}}};
  const Json record = record_of({}, result);
  EXPECT_EQ(record["rounds"][1]["bag"], 1);
  EXPECT_EQ(record["rounds"][1]["round"], 2);
  EXPECT_EQ(record["rounds"][2]["bag"], 3);
  EXPECT_EQ(record["rounds"][2]["round"], 1);
}

TEST(RunRecord, OfNothingNewHasNoMeans) {
  LambdamartResult result;
  result.costs = {{}};
  result.curve = {{}};
  const Json record = record_of({}, trained(result));
  for (const char* absent : {"row_share", "ms_per_tree"}) {
    EXPECT_TRUE(!record["report"].contains(absent) || record["report"][absent].is_null()) << absent;
  }
}

}  // namespace
}  // namespace glassrank
