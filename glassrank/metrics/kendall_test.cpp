#include "glassrank/metrics/kendall.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "testing/list_fixture.h"

namespace glassrank {
namespace {

// The definition, pair by pair.
double slow_tau_b(const TestList& list) {
  double balance = 0;
  double unequal_scores = 0;
  double unequal_grades = 0;
  for (std::size_t i = 0; i < list.scores.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double s = list.scores[i] - list.scores[j];
      const double g = list.grades[i] - list.grades[j];
      balance += (s * g > 0) - (s * g < 0);
      unequal_scores += s != 0;
      unequal_grades += g != 0;
    }
  }
  return unequal_scores == 0 ? 0 : balance / std::sqrt(unequal_scores * unequal_grades);
}

TEST(Kendall, CountsPairsOrderedAlikeAndOppositely) {
  EXPECT_DOUBLE_EQ(value_of("kendall", in_order({3, 2, 1})), 1.0);
  EXPECT_DOUBLE_EQ(value_of("kendall", in_order({1, 2, 3})), -1.0);
  // Grades 2 0 1 in order: concordant 2, discordant 1, of 3.
  EXPECT_DOUBLE_EQ(value_of("kendall", in_order({2, 0, 1})), 1.0 / 3);
  // Grades 1 0 0: two concordant, one pair of equal grades: 2 / sqrt(3 * 2).
  EXPECT_DOUBLE_EQ(value_of("kendall", in_order({1, 0, 0})), 2 / std::sqrt(6.0));
}

TEST(Kendall, OfEqualScoresIsZeroAndOfEqualGradesEmpty) {
  EXPECT_EQ(value_of("kendall", {.scores = {1, 1}, .grades = {1, 0}}), 0.0);
  EXPECT_EQ(value_of("kendall", in_order({2, 2}), {.empty = {.value = -0.5}}), -0.5);
  EXPECT_EQ(value_of("kendall", in_order({2}), {.empty = {.value = -0.5}}), -0.5);
}

TEST(Kendall, EqualsTheCountOverAllPairsAndIgnoresTheTiesPolicy) {
  EXPECT_TRUE(rc::check("tau-b by inversions == tau-b by pairs", [] {
    const auto size = *rc::gen::inRange<std::size_t>(2, 30);
    TestList list;
    for (std::size_t i = 0; i < size; ++i) {
      list.scores.push_back(*rc::gen::inRange(0, 8));
      list.grades.push_back(static_cast<float>(*rc::gen::inRange(0, 5)));
    }
    list.grades[0] = 5;  // never all equal
    const auto ties = *rc::gen::element(Ties::kInput, Ties::kWorst, Ties::kAverage);
    RC_ASSERT(std::abs(value_of("kendall", list, {.ties = ties}) - slow_tau_b(list)) < 1e-12);
  }));
}

}  // namespace
}  // namespace glassrank
