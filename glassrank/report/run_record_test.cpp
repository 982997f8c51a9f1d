#include "glassrank/report/run_record.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/json.h"

namespace glassrank {
namespace {

TEST(RunRecord, HoldsSettingsAndWhatEveryRoundGaveAndTook) {
  LambdamartResult result;
  result.curve_names = {"train ndcg@10", "valid map"};
  result.curve = {{0.5, 0.25}, {0.75, std::numeric_limits<double>::quiet_NaN()}, {0.8, 0.5}};
  result.costs = {{},  // replayed
                  {.rows = 100, .all_rows = 100, .seconds = 0.5},
                  {.rows = 25, .all_rows = 100, .seconds = 0.25}};
  const Json record = Json::parse(
      run_record_json({{"seed", "3"}, {"params.sample.method", "selective"}}, result, "3 rounds"));
  EXPECT_EQ(record["run"]["seed"], "3");
  EXPECT_EQ(record["run"]["params.sample.method"], "selective");
  EXPECT_EQ(record["end"], "3 rounds");
  EXPECT_EQ(record["trees"], 0);
  EXPECT_EQ(record["row_share"], 0.625);    // (1 + 0.25) / 2
  EXPECT_EQ(record["ms_per_tree"], 375.0);  // (500 + 250) / 2
  ASSERT_EQ(record["rounds"].size(), 3U);
  const Json& first = record["rounds"][0];
  EXPECT_EQ(first["round"], 1);
  EXPECT_TRUE(first["rows"].is_null() && first["row_share"].is_null() && first["ms"].is_null());
  EXPECT_EQ(first["train ndcg@10"], 0.5);
  EXPECT_TRUE(record["rounds"][1]["valid map"].is_null());
  EXPECT_EQ(record["rounds"][2]["rows"], 25);
  EXPECT_EQ(record["rounds"][2]["row_share"], 0.25);
  EXPECT_EQ(record["rounds"][2]["ms"], 250.0);
}

TEST(RunRecord, CountsRoundsInEveryBag) {
  LambdamartResult result;
  result.curve_names = {"held-out ndcg@10"};
  result.curve = {{0.5}, {0.75}, {0.25}};
  result.costs = {{}, {}, {}};
  result.ilmart = IlmartSteps{};
  result.ilmart->bags =
      IlmartBags{.reports = {{.num_rounds = 2}, {.num_rounds = 0}, {.num_rounds = 1}}};
  const Json record = Json::parse(run_record_json({}, result, "3 rounds"));
  EXPECT_EQ(record["rounds"][1]["bag"], 1);
  EXPECT_EQ(record["rounds"][1]["round"], 2);
  EXPECT_EQ(record["rounds"][2]["bag"], 3);
  EXPECT_EQ(record["rounds"][2]["round"], 1);
}

TEST(RunRecord, OfNothingNewHasNoMeans) {
  LambdamartResult result;
  result.costs = {{}};
  result.curve = {{}};
  const Json record = Json::parse(run_record_json({}, result, "1 rounds"));
  EXPECT_TRUE(record["row_share"].is_null() && record["ms_per_tree"].is_null());
}

}  // namespace
}  // namespace glassrank
