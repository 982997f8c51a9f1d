#include "glassrank/metrics/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/metrics/registry.h"
#include "testing/list_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

// Small multiplicative generator: any deterministic mix of ties, empty and one-document queries.
TestLists mixed_lists(std::size_t num_queries) {
  std::uint64_t state = 12345;
  const auto draw = [&](std::uint64_t bound) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % bound;
  };
  std::vector<TestList> lists(num_queries);
  for (TestList& list : lists) {
    const bool empty = draw(5) == 0;
    for (std::uint64_t i = 1 + draw(60); i > 0; --i) {
      list.scores.push_back(static_cast<double>(draw(200)) / 7);
      list.grades.push_back(empty ? 0.0F : static_cast<float>(draw(5)));
    }
  }
  return TestLists(std::move(lists));
}

// NDCG@k as its definition reads, with nothing shared and nothing clever.
double slow_ndcg(const RankedList& list, std::size_t cutoff) {
  std::vector<std::size_t> order(list.scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return list.scores[i]; });
  std::vector<float> ideal(list.grades.begin(), list.grades.end());
  std::ranges::sort(ideal, std::greater{});
  double dcg = 0;
  double best = 0;
  for (std::size_t r = 0; r < std::min(cutoff, order.size()); ++r) {
    dcg += (std::pow(2.0, list.grades[order[r]]) - 1) / std::log2(static_cast<double>(r) + 2);
    best += (std::pow(2.0, ideal[r]) - 1) / std::log2(static_cast<double>(r) + 2);
  }
  return best == 0 ? 1 : dcg / best;
}

std::vector<MetricSpec> all_metrics() {
  std::vector<MetricSpec> specs;
  for (const MetricInfo& info : metric_table()) {
    specs.push_back(parse_metric(info.name));
    if (info.has_cutoff) specs.push_back(parse_metric(std::string(info.name) + "@10"));
  }
  return specs;
}

TEST(Evaluate, AgreesWithTheDefinitionOfNdcg) {
  const TestLists lists = mixed_lists(300);
  const auto specs = parse_metrics(std::vector<std::string>{"ndcg@1", "ndcg@10", "ndcg@40"});
  const Evaluation evaluation = evaluate(lists, specs, Convention{}, Context{});
  std::vector<std::string_view> ids;
  for (std::size_t m = 0; m < specs.size(); ++m) {
    double sum = 0;
    for (std::size_t q = 0; q < lists.num_queries(); ++q) {
      const double expected = slow_ndcg(lists.list(q, false, ids), specs[m].cutoff);
      EXPECT_NEAR(evaluation.metrics[m].values[q], expected, 1e-14);
      sum += expected;
    }
    EXPECT_NEAR(evaluation.metrics[m].mean, sum / 300, 1e-13);
  }
}

TEST(Evaluate, GivesTheSameBitsForAnyNumberOfThreads) {
  const TestLists lists = mixed_lists(400);
  const auto specs = all_metrics();
  for (const Ties ties : {Ties::kInput, Ties::kWorst, Ties::kAverage}) {
    std::vector<Evaluation> evaluations;
    for (const int threads : {1, 2, 4}) {
      Context context;
      context.threads = std::make_shared<Threads>(threads);
      evaluations.push_back(evaluate(lists, specs, {.ties = ties}, context));
    }
    for (std::size_t m = 0; m < specs.size(); ++m) {
      EXPECT_EQ(evaluations[0].metrics[m].values, evaluations[1].metrics[m].values);
      EXPECT_EQ(evaluations[0].metrics[m].values, evaluations[2].metrics[m].values);
      EXPECT_EQ(evaluations[0].metrics[m].mean, evaluations[2].metrics[m].mean);
      EXPECT_EQ(evaluations[0].metrics[m].num_empty, evaluations[2].metrics[m].num_empty);
    }
    EXPECT_EQ(evaluations[0].num_tied, evaluations[1].num_tied);
  }
}

TEST(Evaluate, GivesEachMetricWhatItGivesAlone) {
  // Metrics of other depths and kendall's need for tie groups must not leak into each other.
  const TestLists lists = mixed_lists(50);
  const auto specs = all_metrics();
  const Evaluation together = evaluate(lists, specs, Convention{}, Context{});
  for (std::size_t m = 0; m < specs.size(); ++m) {
    const Evaluation alone = evaluate(lists, {&specs[m], 1}, Convention{}, Context{});
    EXPECT_EQ(alone.metrics[0].values, together.metrics[m].values) << to_text(specs[m]);
  }
}

TEST(Evaluate, CountsEmptyTiedAndSkippedQueries) {
  const TestLists lists({{.scores = {2, 1}, .grades = {0, 1}},
                         {.scores = {1, 1}, .grades = {0, 1}},
                         {.scores = {1, 2}, .grades = {0, 0}}});
  const auto specs = parse_metrics(std::vector<std::string>{"ndcg@1", "p(rel=2)@1"});
  const Evaluation kept = evaluate(lists, specs, Convention{}, Context{});
  EXPECT_EQ(kept.num_queries, 3U);
  EXPECT_EQ(kept.num_documents, 6U);
  EXPECT_EQ(kept.num_tied, 1U);
  EXPECT_EQ(kept.metrics[0].num_empty, 1U);
  EXPECT_EQ(kept.metrics[0].num_counted, 3U);
  EXPECT_DOUBLE_EQ(kept.metrics[0].mean, 1.0 / 3);  // 0, 0 and 1 for the empty one
  EXPECT_EQ(kept.metrics[1].num_empty, 3U);
  const Evaluation skipped = evaluate(lists, specs, {.empty = {.skip = true}}, Context{});
  EXPECT_EQ(skipped.metrics[0].num_counted, 2U);
  EXPECT_EQ(skipped.metrics[0].mean, 0.0);
  EXPECT_EQ(skipped.metrics[1].num_counted, 0U);
  EXPECT_TRUE(std::isnan(skipped.metrics[1].mean));
}

TEST(Evaluate, RoundsScoresWhenAsked) {
  // 1 and 1 + 1e-12 are the same float32: the order falls back to the input's.
  const TestList list{.scores = {1.0, 1.0 + 1e-12}, .grades = {0, 1}};
  EXPECT_EQ(value_of("mrr", list), 1.0);
  EXPECT_EQ(value_of("mrr", list, {.score_precision = ScorePrecision::kFloat32}), 0.5);
}

TEST(Evaluate, NamesTheFirstScoreThatIsNotANumber) {
  std::vector<TestList> lists(500, in_order({1, 0}));
  lists[70].scores[1] = NAN;
  lists[300].scores[0] = NAN;
  const auto spec = parse_metric("ndcg@10");
  EXPECT_EQ(message_of([&] { evaluate(TestLists(lists), {&spec, 1}, {}, Context{}); }),
            "query q70, document d1: the score is not a number");
}

TEST(Evaluate, TakesADatasetWithScores) {
  DatasetParts parts;
  parts.features = Buffer<float>(0);
  parts.grades = {0, 1, 2};
  parts.queries = QueryGroups({"7", "9"}, std::vector<std::size_t>{2, 1});
  StringColumnBuilder ids;
  for (const char* id : {"a", "b", "c"}) ids.add(id);
  parts.document_ids = ids.finish();
  const Dataset data(std::move(parts));
  const auto spec = parse_metric("mrr");
  const std::vector<double> scores = {1, 1, 0};
  const auto by_id =
      evaluate(DatasetLists(data, scores), {&spec, 1}, {.ties = Ties::kDocumentId}, Context{});
  EXPECT_EQ(by_id.metrics[0].values, (std::vector<double>{1, 1}));
  const auto by_input = evaluate(DatasetLists(data, scores), {&spec, 1}, {}, Context{});
  EXPECT_EQ(by_input.metrics[0].values, (std::vector<double>{0.5, 1}));

  EXPECT_EQ(message_of([&] { DatasetLists(data, std::vector<double>{1, 2}); }),
            "2 scores for 3 documents; there must be one per document");
  const std::vector<double> bad = {1, 2, NAN};
  EXPECT_EQ(message_of([&] { evaluate(DatasetLists(data, bad), {&spec, 1}, {}, Context{}); }),
            "query 9, document c: the score is not a number");
}

}  // namespace
}  // namespace glassrank
