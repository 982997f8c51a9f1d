// ties = average against its definition: the mean over every order of documents with equal scores.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/metrics/registry.h"
#include "testing/list_fixture.h"

namespace glassrank {
namespace {

double mean_over_orders(const std::string& metric, const TestList& list, Convention convention) {
  convention.ties = Ties::kInput;
  std::vector<std::size_t> order(list.scores.size());
  std::iota(order.begin(), order.end(), 0);
  double sum = 0;
  std::size_t count = 0;
  do {
    const auto rises = [&](std::size_t a, std::size_t b) {
      return list.scores[a] < list.scores[b];
    };
    if (std::ranges::adjacent_find(order, rises) != order.end()) continue;
    std::vector<float> grades;
    for (const std::size_t slot : order) grades.push_back(list.grades[slot]);
    sum += value_of(metric, in_order(grades, list.missed), convention);
    ++count;
  } while (std::ranges::next_permutation(order).found);
  return sum / static_cast<double>(count);
}

TestList random_list() {
  TestList list;
  const auto size = *rc::gen::inRange<std::size_t>(0, 7);
  const int num_scores = *rc::gen::inRange(1, 5);
  for (std::size_t i = 0; i < size; ++i) {
    list.scores.push_back(*rc::gen::inRange(0, num_scores));
    list.grades.push_back(static_cast<float>(*rc::gen::inRange(0, 5)));
  }
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    list.missed.push_back(static_cast<float>(*rc::gen::inRange(0, 5)));
  }
  return list;
}

TEST(TiesAverage, IsTheMeanOverAllOrdersForEveryMetric) {
  for (const MetricInfo& info : metric_table()) {
    if (info.name == "kendall") continue;  // its ties are not the convention's
    EXPECT_TRUE(rc::check(std::string(info.name) + " averaged == mean over orders", [&] {
      std::string metric(info.name);
      if (info.has_cutoff && *rc::gen::inRange(0, 4) > 0) {
        metric += fmt::format("@{}", *rc::gen::inRange(1, 7));
      }
      const TestList list = random_list();
      const Convention convention{
          .gain = *rc::gen::element(GainKind::kExponential, GainKind::kLinear),
          .ties = Ties::kAverage,
          .ap_divisor = *rc::gen::element(ApDivisor::kRelevant, ApDivisor::kRelevantOrCutoff,
                                          ApDivisor::kHits),
          .relevant_grade = *rc::gen::element(1.0, 2.0)};
      const double expected = mean_over_orders(metric, list, convention);
      RC_ASSERT(std::abs(value_of(metric, list, convention) - expected) < 1e-12);
    }));
  }
}

TEST(TiesWorst, IsTheSmallestValueOverAllOrders) {
  EXPECT_TRUE(rc::check("ndcg with the lower grade first is the minimum", [] {
    const TestList list = random_list();
    const double worst = value_of("ndcg@3", list, {.ties = Ties::kWorst});
    RC_ASSERT(worst <= value_of("ndcg@3", list, {.ties = Ties::kInput}) + 1e-15);
    RC_ASSERT(worst <= value_of("ndcg@3", list, {.ties = Ties::kReverse}) + 1e-15);
  }));
}

}  // namespace
}  // namespace glassrank
