#include "glassrank/report/bundle/recorded_run.h"

#include <gtest/gtest.h>

#include "glassrank/base/json.h"
#include "glassrank/methods/training/run_record.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

const Provenance kRun = {{"method", "ilmart"}, {"train.digest", "12"}};

// What a training would write.
std::string record_text(const TrainingCurve& curve) {
  TrainResult result;
  result.curve = curve;
  return json_text(run_record(kRun, result));
}

TEST(RecordedRun, IsReadAsATrainingWroteIt) {
  const RecordedRun run = parse_run_record(record_text(
      {.names = {"train ndcg@5", "valid ndcg@5", "valid map"}, .rounds = {{1, 2, 3}, {4, 5, 6}}}));
  EXPECT_EQ(run.settings, kRun);
  const std::vector<RecordedSeries> series = recorded_series(run, "ndcg@5");
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[1].name, "valid ndcg@5");
  EXPECT_EQ(series[1].rounds, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(series[1].values, (std::vector<double>{2, 5}));
  EXPECT_EQ(recorded_series(run, "err").size(), 3U);  // none of it: all there are
}

TEST(RecordedRun, IsTheMeanOverBags) {
  const RecordedRun run = parse_run_record(record_text({.names = {"valid map"},
                                                        .rounds = {{1}, {3}, {5}},
                                                        .costs = {},
                                                        .places = {{1, 1}, {2, 1}, {1, 2}}}));
  EXPECT_EQ(recorded_series(run, "map")[0].values, (std::vector<double>{2, 5}));
}

TEST(RecordedRun, IsOfTheModelThatHasItsSettings) {
  const RecordedRun run = parse_run_record(record_text({.names = {"m"}, .rounds = {{1}}}));
  Provenance lines = kRun;
  lines.emplace_back("cleaning", "none");
  EXPECT_TRUE(is_record_of(run, {.body = Forest(), .provenance = lines}));
  lines[1].second = "13";
  EXPECT_FALSE(is_record_of(run, {.body = Forest(), .provenance = lines}));
}

TEST(RecordedRun, SaysThatAnotherFileIsNone) {
  for (const char* text : {R"({"run": {}, "rounds": []})", R"({"run": 3, "rounds": []})"}) {
    EXPECT_EQ(message_of([&] { parse_run_record(text); }),
              "this is no record of a training (glassrank train --record FILE)")
        << text;
  }
  EXPECT_EQ(message_of([] { parse_run_record("{}"); }), "'run' is missing");
}

}  // namespace
}  // namespace glassrank
