#include "glassrank/objectives/logistic.h"

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/objective_fixture.h"

namespace glassrank {
namespace {

using testing::gradients_of;

// p(0) = 1/2; p(log 3) = 3/4.
TEST(Logistic, MatchesByHand) {
  Logistic objective;
  const auto r = gradients_of(objective, {1, 0, 0.25}, {0, std::log(3.0), std::log(3.0)});
  EXPECT_FLOAT_EQ(r.gradient[0], -0.5F);
  EXPECT_FLOAT_EQ(r.gradient[1], 0.75F);
  EXPECT_FLOAT_EQ(r.gradient[2], 0.5F);
  EXPECT_FLOAT_EQ(r.hessian[0], 0.25F);
  EXPECT_FLOAT_EQ(r.hessian[1], 3.0F / 16);
}

TEST(Logistic, IsTheSlopeAndCurvatureOfItsLoss) {
  auto q = testing::random_query(2, 12);
  for (float& grade : q.grades) grade /= 4;
  Logistic objective;
  const auto r = gradients_of(objective, q.grades, q.scores);
  const testing::Loss loss = [&](const std::vector<double>& scores) {
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = 1 / (1 + std::exp(-scores[i]));
      sum -= q.grades[i] * std::log(p) + (1 - q.grades[i]) * std::log(1 - p);
    }
    return sum;
  };
  for (std::size_t i = 0; i < q.grades.size(); ++i) {
    EXPECT_NEAR(r.gradient[i], testing::slope(loss, q.scores, i), 1e-6);
    EXPECT_NEAR(r.hessian[i], testing::curvature(loss, q.scores, i, i), 1e-5);
  }
}

TEST(Logistic, StaysFiniteForScoresFarOut) {
  Logistic objective;
  const auto r = gradients_of(objective, {1, 0}, {-2000, 2000});
  EXPECT_EQ(r.gradient, (std::vector<float>{-1, 1}));
  EXPECT_EQ(r.hessian, (std::vector<float>{0, 0}));
}

double initial(const std::vector<float>& grades, const std::vector<float>& weights) {
  const QueryGroups queries({"q"}, std::array{grades.size()});
  Logistic objective;
  objective.prepare({.grades = grades, .weights = weights, .queries = queries});
  return objective.initial_score();
}

// Mean grade 3/4 by weight: log(3).
TEST(Logistic, StartsFromTheLogOddsOfTheMeanGradeByWeight) {
  EXPECT_DOUBLE_EQ(initial({1, 0}, {3, 1}), std::log(3.0));
  EXPECT_DOUBLE_EQ(initial({1, 0}, {}), 0);
  EXPECT_NEAR(initial({0, 0}, {}), std::log(1e-15), 1e-9);
  EXPECT_NEAR(initial({1, 1}, {}), -std::log(1e-15), 0.1);
}

TEST(Logistic, RefusesGradesThatAreNoProbabilities) {
  try {
    initial({0, 2}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_STREQ(error.what(),
                 "query q: grade 2 is not between 0 and 1, as the logistic objective needs it");
  }
}

}  // namespace
}  // namespace glassrank
