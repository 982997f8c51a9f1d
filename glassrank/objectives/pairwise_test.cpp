#include "glassrank/objectives/pairwise.h"

#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/objectives/lambda_pairs.h"
#include "testing/objective_fixture.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

using testing::gradients_of;

// The better document is 1 below: p = 1 / (1 + e^-1) = 0.73105858, p (1 - p) = 0.19661193. The
// third has the first one's grade and makes one pair with the second, at distance log 3: p = 1/4.
TEST(Pairwise, MatchesByHand) {
  Pairwise objective({.norm = false});
  const auto r = gradients_of(objective, {0, 1, 0}, {1, 0, -std::log(3.0)});
  EXPECT_NEAR(r.gradient[0], 0.73105858, 1e-7);
  EXPECT_NEAR(r.gradient[1], -0.73105858 - 0.25, 1e-7);
  EXPECT_NEAR(r.gradient[2], 0.25, 1e-7);
  EXPECT_NEAR(r.hessian[0], 0.19661193, 1e-7);
  EXPECT_NEAR(r.hessian[1], 0.19661193 + 0.1875, 1e-7);
}

// S = 2 * (0.73105858 + 0.25) = 1.96211716; 1.56662870 / 1.96211716 = 0.79843790.
TEST(Pairwise, NormRescalesTheQuery) {
  Pairwise objective({});
  const auto r = gradients_of(objective, {0, 1, 0}, {1, 0, -std::log(3.0)});
  EXPECT_NEAR(r.gradient[0], 0.73105858 * 0.79843790, 1e-7);
  EXPECT_NEAR(r.hessian[0], 0.19661193 * 0.79843790, 1e-6);
}

// Pairs with a document among the first `depth` of the order given.
double pair_loss(const testing::RandomQuery& q, const std::vector<double>& scores,
                 const std::vector<std::uint32_t>& order, std::size_t depth, double sigma) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(depth, order.size()); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const float difference = q.grades[order[i]] - q.grades[order[j]];
      if (difference == 0) continue;
      const double gap = (scores[order[i]] - scores[order[j]]) * (difference > 0 ? 1 : -1);
      sum += std::log1p(std::exp(-sigma * gap));
    }
  }
  return sum;
}

TEST(Pairwise, IsTheSlopeAndCurvatureOfItsLoss) {
  for (const int truncation : {0, 3, 30}) {
    const auto q = testing::random_query(3, 14);
    Pairwise objective({.norm = false, .pair_truncation = truncation, .sigma = 1.5});
    const auto r = gradients_of(objective, q.grades, q.scores);
    const auto order = rank_order(q.scores);
    const testing::Loss loss = [&](const std::vector<double>& scores) {
      return pair_loss(q, scores, order, truncation_depth(truncation), 1.5);
    };
    for (std::size_t i = 0; i < q.grades.size(); ++i) {
      EXPECT_NEAR(r.gradient[i], testing::slope(loss, q.scores, i), 1e-5);
      EXPECT_NEAR(r.hessian[i], testing::curvature(loss, q.scores, i, i), 1e-4);
    }
  }
}

// All pairs go without ranks; the loops over ranked pairs are their oracle.
TEST_ON_EVERY_TARGET(Pairwise, AllPairsAreThePlainLoops) {
  for (const bool norm : {false, true}) {
    for (const double spread : {1.0, 40.0, 400.0}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        auto q = testing::random_query(seed, 2 + seed);
        for (double& score : q.scores) score *= spread;
        Pairwise objective({.norm = norm, .pair_truncation = 0, .sigma = 1.5});
        const auto found = gradients_of(objective, q.grades, q.scores);
        std::vector<float> gradient(q.grades.size());
        std::vector<float> hessian(q.grades.size());
        const std::size_t all = truncation_depth(0);
        pair_gradients({.grades = q.grades, .scores = q.scores}, rank_order(q.scores),
                       {.num_tops = all, .sigma = 1.5, .norm_query = norm},
                       [](std::size_t, std::size_t) { return 1.0; }, {gradient, hessian});
        for (std::size_t i = 0; i < gradient.size(); ++i) {
          EXPECT_NEAR(found.gradient[i], gradient[i], 1e-6 * (1 + std::abs(gradient[i])));
          EXPECT_NEAR(found.hessian[i], hessian[i], 1e-6 * (1 + std::abs(hessian[i])));
        }
      }
    }
  }
}

TEST(Pairwise, GradientsSumToZeroAndOneGradeOrOneDocumentGivesNone) {
  Pairwise objective({});
  const auto q = testing::random_query(4, 60);
  const auto r = gradients_of(objective, q.grades, q.scores);
  EXPECT_NEAR(std::accumulate(r.gradient.begin(), r.gradient.end(), 0.0), 0, 1e-5);
  EXPECT_EQ(gradients_of(objective, {2, 2, 2}, {1, 2, 3}).gradient, std::vector<float>(3, 0.0F));
  EXPECT_EQ(gradients_of(objective, {2}, {1}).hessian, std::vector<float>(1, 0.0F));
  EXPECT_TRUE(gradients_of(objective, std::vector<float>{}, {}).gradient.empty());
}

}  // namespace
}  // namespace glassrank
