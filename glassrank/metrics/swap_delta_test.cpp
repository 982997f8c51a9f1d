#include "glassrank/metrics/swap_delta.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/metrics/registry.h"

namespace glassrank {
namespace {

double change_of(const std::string& metric, const std::vector<float>& grades, std::size_t a,
                 std::size_t b) {
  const auto made = make_metric(parse_metric(metric), Convention{});
  const Ranking ranking{.grades = grades, .listed = grades};
  return made->swap_deltas(ranking)->change(a, b);
}

// ideal = 1; the relevant document goes from 1 / log2(4) to 1 / log2(2).
TEST(SwapDelta, OfNdcgByHand) {
  EXPECT_DOUBLE_EQ(change_of("ndcg", {0, 0, 1}, 0, 2), 0.5);
  EXPECT_DOUBLE_EQ(change_of("ndcg", {0, 0, 1}, 2, 0), 0.5);
  EXPECT_DOUBLE_EQ(change_of("ndcg@2", {0, 0, 1}, 0, 2), 1.0);
  EXPECT_DOUBLE_EQ(change_of("ndcg@2", {1, 0, 0}, 0, 2), -1.0);
}

// Before: (1/2 + 2/4) / 2 = 1/2. Ranks 0 and 3 exchanged: (1/1 + 2/2) / 2 = 1.
TEST(SwapDelta, OfAveragePrecisionByHand) {
  EXPECT_DOUBLE_EQ(change_of("map", {0, 1, 0, 1}, 0, 3), 0.5);
  // Before @3: (1/2) / 2 = 1/4.
  EXPECT_DOUBLE_EQ(change_of("map@3", {0, 1, 0, 1}, 0, 3), 0.75);
}

// 1/2 becomes 1/3 when the first relevant document goes below the second.
TEST(SwapDelta, OfReciprocalRankByHand) {
  EXPECT_DOUBLE_EQ(change_of("mrr", {0, 2, 1, 0}, 1, 3), 1.0 / 3 - 1.0 / 2);
  EXPECT_DOUBLE_EQ(change_of("mrr@2", {0, 2, 1, 0}, 1, 3), -1.0 / 2);
  EXPECT_DOUBLE_EQ(change_of("mrr", {0, 2, 1, 0}, 0, 2), 1.0 / 2);
}

// Satisfactions 0, 15/16. Before: 15/16 / 2; after: 15/16.
TEST(SwapDelta, OfErrByHand) {
  EXPECT_DOUBLE_EQ(change_of("err", {0, 4}, 0, 1), 15.0 / 32);
  EXPECT_DOUBLE_EQ(change_of("err@1", {0, 4}, 0, 1), 15.0 / 16);
}

// Precision has no fast form. Two of the first three become one.
TEST(SwapDelta, EvaluatesAgainWhereThereIsNoFastForm) {
  EXPECT_DOUBLE_EQ(change_of("p@3", {1, 0, 1, 0}, 0, 3), -1.0 / 3);
}

TEST(SwapDelta, IsZeroForAnEmptyQueryAndForOneRank) {
  for (const MetricInfo& info : metric_table()) {
    if (info.name == "kendall") continue;  // needs scores
    EXPECT_EQ(change_of(std::string(info.name), {0, 0, 0}, 0, 2), 0) << info.name;
    EXPECT_EQ(change_of(std::string(info.name), {0, 1, 0}, 1, 1), 0) << info.name;
  }
}

std::vector<float> random_grades(int size, bool probabilities) {
  std::vector<float> grades;
  for (int i = 0; i < size; ++i) {
    const auto grade = static_cast<float>(*rc::gen::inRange(0, 5));
    grades.push_back(probabilities ? grade / 4 : grade);
  }
  return grades;
}

TEST(SwapDelta, FastFormsEqualEvaluatingTwice) {
  for (const std::string name : {"ndcg", "dcg", "map", "mrr", "err"}) {
    EXPECT_TRUE(rc::check(name + ": fast == slow", [&] {
      const Convention convention{
          .gain = *rc::gen::element(GainKind::kExponential, GainKind::kLinear),
          .empty = {.value = *rc::gen::element(0.0, 1.0)},
          .ap_divisor = *rc::gen::element(ApDivisor::kRelevant, ApDivisor::kRelevantOrCutoff,
                                          ApDivisor::kHits),
          .map_no_hits = *rc::gen::element(NoHits::kZero, NoHits::kEmpty),
          .relevant_grade = *rc::gen::element(1.0, 0.5),
          .stop = *rc::gen::element(StopProbability::kExponential, StopProbability::kGrade),
          .max_grade = *rc::gen::element(0.0, 4.0)};
      const bool probabilities = convention.stop == StopProbability::kGrade;
      const auto grades = random_grades(*rc::gen::inRange(2, 12), probabilities);
      const auto missed = random_grades(*rc::gen::inRange(0, 3), probabilities);
      const int cutoff = *rc::gen::inRange(0, 14);
      const auto metric = make_metric(
          parse_metric(cutoff == 0 ? name : fmt::format("{}@{}", name, cutoff)), convention);
      const Ranking ranking{.grades = grades, .listed = grades, .missed = missed};
      const auto fast = metric->swap_deltas(ranking);
      const auto slow = slow_swap_deltas(*metric, ranking);
      for (std::size_t a = 0; a < grades.size(); ++a) {
        for (std::size_t b = 0; b < grades.size(); ++b) {
          RC_ASSERT(std::abs(fast->change(a, b) - slow->change(a, b)) < 1e-12);
        }
      }
    }));
  }
}

// A long list of satisfying documents: the chance of reaching its end is far below the rounding of
// its sum.
TEST(SwapDelta, OfErrStaysExactFarDown) {
  std::vector<float> grades(400, 3);
  grades[100] = 4;
  grades[350] = 0;
  const auto metric = make_metric(parse_metric("err"), Convention{});
  const Ranking ranking{.grades = grades, .listed = grades};
  const auto fast = metric->swap_deltas(ranking);
  const auto slow = slow_swap_deltas(*metric, ranking);
  for (const std::size_t other : {0, 1, 5, 50, 399}) {
    EXPECT_NEAR(fast->change(100, other), slow->change(100, other), 1e-15);
    EXPECT_NEAR(fast->change(350, other), slow->change(350, other), 1e-15);
  }
}

}  // namespace
}  // namespace glassrank
