#include "glassrank/methods/rankgam/approx_ndcg.h"

#include <cmath>
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

TEST(ApproxNdcg, SaysNothingOfAListWithoutGain) {
  std::vector<float> gradient(2, 7);
  EXPECT_FALSE(approx_ndcg(std::vector<float>{0, 0}, std::vector<float>{1, 2}, 0.1, gradient));
  EXPECT_EQ(gradient, (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace glassrank
