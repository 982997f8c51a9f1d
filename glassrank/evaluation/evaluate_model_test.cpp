#include "glassrank/evaluation/evaluate_model.h"

#include <cmath>

#include <gtest/gtest.h>

#include "testing/study_fixture.h"

namespace glassrank {
namespace {

using testing::documents_of;

// The sum of both features, by a function: nothing of a model is needed.
std::unique_ptr<const Scorer> sums() {
  return make_function_scorer(2, [](MatrixView<const float> rows, std::span<double> scores) {
    for (std::size_t r = 0; r < rows.num_rows(); ++r) scores[r] = rows(r, 0) + rows(r, 1);
  });
}

// The relevant document is second in query 0 and first in query 1; query 2 has none.
Dataset three_queries() {
  return documents_of({2, 2, 1}, {1, 0, 0, 1, 0}, {{1, 1}, {2, 1}, {0, 0}, {0, 3}, {1, 1}});
}

TEST(EvaluateModel, ScoresAndThenEvaluates) {
  const std::vector<MetricSpec> metrics = std::vector{parse_metric("mrr"), parse_metric("ndcg@10")};
  const Evaluation found = evaluate_model(*sums(), three_queries(), metrics, {});
  ASSERT_EQ(found.metrics.size(), 2U);
  EXPECT_EQ(found.metrics[0].values, (std::vector<double>{0.5, 1, 0}));
  EXPECT_EQ(found.metrics[0].mean, 0.5);
  EXPECT_NEAR(found.metrics[1].values[0], 1 / std::log2(3.0), 1e-15);
  EXPECT_EQ(found.num_documents, 5U);
}

TEST(EvaluateModel, GoesByTheConvention) {
  const std::vector<MetricSpec> metrics = std::vector{parse_metric("mrr")};
  const Evaluation found =
      evaluate_model(*sums(), three_queries(), metrics, {.empty = {.skip = true}}, {});
  EXPECT_EQ(found.metrics[0].num_counted, 2U);
  EXPECT_EQ(found.metrics[0].mean, 0.75);
}

TEST(EvaluateModel, GivesValuesByQueryAndMeansByMetric) {
  EXPECT_EQ(query_values(*sums(), three_queries(), parse_metric("mrr"), {}),
            (std::vector<double>{0.5, 1, 0}));
  const std::vector<double> means = mean_values(
      *sums(), three_queries(), std::vector{parse_metric("mrr"), parse_metric("p@1")}, {});
  EXPECT_EQ(means.size(), 2U);
  EXPECT_EQ(means[0], 0.5);
  EXPECT_NEAR(means[1], 1.0 / 3, 1e-15);
}

}  // namespace
}  // namespace glassrank
