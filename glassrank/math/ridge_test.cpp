#include "glassrank/math/ridge.h"

#include <gtest/gtest.h>

#include "testing/random_samples.h"

namespace glassrank {
namespace {

// x = 0, 1, 2 and y = 0, 2, 4: centred moments 4 and squares 2, so theta = 4 / (2 + 2) = 1, and the
// line goes through the means (1, 2).
TEST(Ridge, OfAHandComputedExample) {
  const std::vector<double> inputs = {0, 1, 2};
  const std::vector<double> targets = {0, 2, 4};
  const std::vector<double> weights = {1, 1, 1};
  const LinearFit fit = fit_ridge({{inputs.data(), 3, 1}, targets, weights}, 2, {});
  EXPECT_DOUBLE_EQ(fit.coefficients[0], 1);
  EXPECT_DOUBLE_EQ(fit.intercept, 1);
}

// The gradient of the objective is 0 in every coefficient and in the intercept.
TEST(Ridge, SatisfiesTheNormalEquations) {
  for (const double alpha : {0.01, 1.0, 100.0}) {
    const RandomSample sample(80, 6, 5, 1.0);
    const LinearSample view = sample.view();
    const LinearFit fit = fit_ridge(view, alpha, {});
    std::vector<double> gradient(7);
    for (std::size_t j = 0; j < 6; ++j) gradient[j] = -alpha * fit.coefficients[j];
    for (std::size_t r = 0; r < view.num_rows(); ++r) {
      const double rest = view.weights[r] * (view.targets[r] - fit.at(view.inputs.row(r)));
      for (std::size_t j = 0; j < 6; ++j) gradient[j] += rest * view.inputs(r, j);
      gradient[6] += rest;
    }
    for (const double value : gradient) EXPECT_NEAR(value, 0, 1e-8);
  }
}

TEST(Ridge, CopiesOfAColumnShareItsCoefficient) {
  const std::vector<double> inputs = {0, 0, 1, 1, 2, 2};
  const std::vector<double> targets = {0, 2, 4};
  const std::vector<double> weights = {1, 1, 1};
  const LinearFit fit = fit_ridge({{inputs.data(), 3, 2}, targets, weights}, 1e-6, {});
  EXPECT_NEAR(fit.coefficients[0], 1, 1e-5);
  EXPECT_NEAR(fit.coefficients[1], 1, 1e-5);
}

}  // namespace
}  // namespace glassrank
