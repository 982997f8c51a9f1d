#include "glassrank/methods/rankgam/approx_ndcg.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

TEST(ApproxNdcg, OfTwoDocumentsIsAsByHand) {
  // Grades 1 and 0, scores 0 and .1, temperature .1: the first document's rank is
  // 1 + 1/(1 + 1/e) = 1.7311; ndcg = 1 / log2(2.7311) = .68990.
  std::vector<float> gradient(2);
  const auto ndcg =
      approx_ndcg(std::vector<float>{1, 0}, std::vector<float>{0, 0.1F}, 0.1, gradient);
  ASSERT_TRUE(ndcg.has_value());
  EXPECT_NEAR(*ndcg, 1 / std::log2(2 + 1 / (1 + std::exp(-1))), 1e-6);
  EXPECT_LT(gradient[0], 0);  // a larger score lowers the loss
  EXPECT_FLOAT_EQ(gradient[0], -gradient[1]);
}

TEST(ApproxNdcg, NearsNdcgAsTheTemperatureFalls) {
  // Ranked 0 2 1: (3 / log2(3) + 1 / 2) / (3 + 1 / log2(3)).
  std::vector<float> gradient(3);
  const auto ndcg =
      approx_ndcg(std::vector<float>{0, 2, 1}, std::vector<float>{3, 2, 1}, 1e-3, gradient);
  const double log3 = std::log2(3.0);
  EXPECT_NEAR(*ndcg, (3 / log3 + 0.5) / (3 + 1 / log3), 1e-9);
}

TEST(ApproxNdcg, GradientIsThatOfFiniteDifferences) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    RandomSequence random(CounterRandom(seed, "approx_ndcg"));
    const std::size_t n = 2 + random.below(12);
    std::vector<float> grades;
    std::vector<float> scores;
    for (std::size_t i = 0; i < n; ++i) {
      grades.push_back(static_cast<float>(random.below(5)));
      scores.push_back(static_cast<float>(random.normal()));
    }
    grades[0] = 1;
    std::vector<float> gradient(n);
    std::vector<float> unused(n);
    approx_ndcg(grades, scores, 0.5, gradient);
    for (std::size_t i = 0; i < n; ++i) {
      const float before = scores[i];
      constexpr float kStep = 1.0F / 1024;
      scores[i] = before + kStep;
      const double above = *approx_ndcg(grades, scores, 0.5, unused);
      scores[i] = before - kStep;
      const double below = *approx_ndcg(grades, scores, 0.5, unused);
      scores[i] = before;
      EXPECT_NEAR(gradient[i], -(above - below) / (2 * kStep), 2e-4) << seed << ' ' << i;
    }
  }
}

TEST(ApproxNdcg, IsTheFormulaOverAllPairs) {
  // The slow way: the rank of every document by the definition, its derivatives in a table.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomSequence random(CounterRandom(seed, "approx_ndcg pairs"));
    const std::size_t n = 1 + random.below(30);
    std::vector<float> grades;
    std::vector<float> scores;
    for (std::size_t i = 0; i < n; ++i) {
      grades.push_back(random.below(3) == 0 ? static_cast<float>(random.below(5)) : 0.0F);
      scores.push_back(static_cast<float>(random.normal()));
    }
    grades[n / 2] = 2;
    std::vector<float> sorted = grades;
    std::ranges::sort(sorted, std::greater<>());
    double ideal = 0;
    for (std::size_t r = 0; r < n; ++r) {
      ideal += (std::exp2(sorted[r]) - 1) / std::log2(2.0 + static_cast<double>(r));
    }
    double expected = 0;
    std::vector<double> slopes(n);  // of ndcg by score
    for (std::size_t i = 0; i < n; ++i) {
      const auto chance = [&](std::size_t j) {
        return 1 / (1 + std::exp((double{scores[i]} - scores[j]) / 0.2));
      };
      double rank = 0.5;
      for (std::size_t j = 0; j < n; ++j) rank += chance(j);
      const double gain = (std::exp2(grades[i]) - 1) / ideal;
      expected += gain / std::log2(1 + rank);
      const double by_rank = -gain * std::log(2.0) / (std::pow(std::log(1 + rank), 2) * (1 + rank));
      for (std::size_t j = 0; j < n; ++j) {
        const double slope = by_rank * chance(j) * (1 - chance(j)) / 0.2;
        slopes[j] += slope;
        slopes[i] -= slope;
      }
    }
    std::vector<float> gradient(n);
    EXPECT_NEAR(*approx_ndcg(grades, scores, 0.2, gradient), expected, 1e-12);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(gradient[i], -slopes[i], 1e-6);
  }
}

TEST(ApproxNdcg, TakesListsWhosePairsWouldNotFitInMemory) {
  // 200,000 documents have 40 thousand million pairs, 200,000 of them with gain. All scores are
  // equal: the rank of the one with gain is 1 + 199,999 / 2.
  const std::size_t n = 200'000;
  std::vector<float> grades(n);
  grades[n / 3] = 1;
  std::vector<float> gradient(n);
  const auto ndcg = approx_ndcg(grades, std::vector<float>(n), 0.1, gradient);
  EXPECT_NEAR(*ndcg, 1 / std::log2(2 + (n - 1) / 2.0), 1e-9);
  EXPECT_LT(gradient[n / 3], 0);
  EXPECT_GT(gradient[0], 0);
}

TEST(ApproxNdcg, SaysNothingOfAListWithoutGain) {
  std::vector<float> gradient(2, 7);
  EXPECT_FALSE(approx_ndcg(std::vector<float>{0, 0}, std::vector<float>{1, 2}, 0.1, gradient));
  EXPECT_EQ(gradient, (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace glassrank
