#include "glassrank/objectives/listnet.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

double loss(const std::vector<float>& grades, const std::vector<double>& scores) {
  double score_sum = 0;
  double grade_sum = 0;
  for (std::size_t i = 0; i < grades.size(); ++i) {
    score_sum += std::exp(scores[i]);
    grade_sum += std::exp(grades[i]);
  }
  double sum = 0;
  for (std::size_t i = 0; i < grades.size(); ++i) {
    sum -= std::exp(grades[i]) / grade_sum * std::log(std::exp(scores[i]) / score_sum);
  }
  return sum;
}

struct Gradients {
  std::vector<float> gradient;
  std::vector<float> hessian;
};

Gradients gradients(const std::vector<float>& grades, const std::vector<double>& scores) {
  Gradients out{std::vector<float>(grades.size()), std::vector<float>(grades.size())};
  ObjectiveScratch scratch;
  Listnet().gradients({.grades = grades, .scores = scores}, scratch, {out.gradient, out.hessian});
  return out;
}

// softmax(0, 0) = (1/2, 1/2) and softmax(1, 0) = (e, 1) / (e + 1).
TEST(Listnet, OfTwoDocumentsByHand) {
  const Gradients found = gradients({1, 0}, {0, 0});
  const double q = std::exp(1.0) / (std::exp(1.0) + 1);
  EXPECT_FLOAT_EQ(found.gradient[0], static_cast<float>(0.5 - q));
  EXPECT_FLOAT_EQ(found.gradient[1], static_cast<float>(q - 0.5));
  EXPECT_FLOAT_EQ(found.hessian[0], 0.25F);
}

TEST(Listnet, GradientIsTheSlopeOfTheLoss) {
  const std::vector<float> grades = {0, 2, 1, 4};
  const std::vector<double> scores = {0.3, -1.2, 2.5, 0.1};
  const Gradients found = gradients(grades, scores);
  const double step = 1e-5;
  for (std::size_t i = 0; i < grades.size(); ++i) {
    std::vector<double> up = scores;
    std::vector<double> down = scores;
    up[i] += step;
    down[i] -= step;
    EXPECT_NEAR(found.gradient[i], (loss(grades, up) - loss(grades, down)) / (2 * step), 1e-6);
    const double second =
        (loss(grades, up) - 2 * loss(grades, scores) + loss(grades, down)) / (step * step);
    EXPECT_NEAR(found.hessian[i], second, 1e-4);
  }
}

TEST(Listnet, FarScoresDoNotOverflow) {
  const Gradients found = gradients({1, 0}, {5000, -5000});
  EXPECT_TRUE(std::isfinite(found.gradient[0]));
  EXPECT_GT(found.gradient[0], 0);
}

}  // namespace
}  // namespace glassrank
