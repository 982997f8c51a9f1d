#include "glassrank/metrics/judged_lists.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

JudgedRun small_run() {
  JudgedRun run;
  run.queries.push_back({.id = "301",
                         .documents = {"a", "b", "c"},
                         .scores = {1, 2, 2},
                         .grades = {2, 0, 1},
                         .judged = {true, false, true},
                         .missed_grades = {1, -1}});
  run.queries.push_back({.id = "302",
                         .documents = {},
                         .scores = {},
                         .grades = {},
                         .judged = {},
                         .missed_grades = {1}});
  return run;
}

TEST(JudgedLists, CountJudgedDocumentsThatWereNotRetrieved) {
  const JudgedRun run = small_run();
  const auto specs = parse_metrics(std::vector<std::string>{"r@2", "map", "ndcg", "p@2"});
  const Evaluation evaluation =
      evaluate(JudgedLists(run), specs, find_convention("trec_eval"), Context{});
  // Order by score, then id descending: c (1), b (0), a (2). R = 3: a, c and the missed one.
  EXPECT_DOUBLE_EQ(evaluation.metrics[0].values[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(evaluation.metrics[1].values[0], (1.0 + 2.0 / 3) / 3);
  const double ideal = 2 + 1 / std::log2(3.0) + 0.5;
  EXPECT_DOUBLE_EQ(evaluation.metrics[2].values[0], (1 + 2 * 0.5) / ideal);
  EXPECT_DOUBLE_EQ(evaluation.metrics[3].values[0], 0.5);
  // Nothing retrieved: 0, but not empty.
  for (const MetricValues& metric : evaluation.metrics) {
    EXPECT_EQ(metric.values[1], 0.0);
    EXPECT_EQ(metric.num_empty, 0U);
  }
}

TEST(JudgedLists, NameTheDocumentOfABadScore) {
  JudgedRun run = small_run();
  run.queries[0].scores[1] = NAN;
  const auto spec = parse_metric("p@1");
  try {
    evaluate(JudgedLists(run), {&spec, 1}, Convention{}, Context{});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "query 301, document b: the score is not a number");
  }
}

}  // namespace
}  // namespace glassrank
