#include "glassrank/math/lasso.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "testing/random_samples.h"

namespace glassrank {
namespace {

// The largest violation of the conditions of the optimum, from the rows:
//   |c_j| <= alpha where theta_j = 0,  c_j = alpha sign(theta_j) elsewhere,
// c_j = sum w x_j (residual) / sum w; and the residuals have mean 0.
double violation(const LinearSample& sample, const LinearFit& fit, double alpha) {
  std::vector<double> correlations(sample.num_columns());
  double mean = 0;
  for (std::size_t r = 0; r < sample.num_rows(); ++r) {
    const double rest = sample.weights[r] * (sample.targets[r] - fit.at(sample.inputs.row(r)));
    mean += rest;
    for (std::size_t j = 0; j < correlations.size(); ++j) {
      correlations[j] += rest * sample.inputs(r, j);
    }
  }
  const double sum = std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  double worst = std::abs(mean / sum);
  for (std::size_t j = 0; j < correlations.size(); ++j) {
    const double theta = fit.coefficients[j];
    const double c = correlations[j] / sum;
    worst = std::max(worst,
                     theta == 0 ? std::abs(c) - alpha : std::abs(c - std::copysign(alpha, theta)));
  }
  return worst;
}

TEST(Lasso, SatisfiesTheConditionsOfTheOptimumAlongThePath) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const RandomSample sample(100, 9, seed, 0.5);
    const Lasso lasso(sample.view(), {});
    for (const double share : {1.5, 1.0, 0.5, 0.1, 0.01, 0.0}) {
      const double alpha = share * lasso.alpha_max();
      EXPECT_LE(violation(sample.view(), lasso.fit(alpha), alpha), 1e-7 * lasso.alpha_max());
    }
  }
}

TEST(Lasso, HasNoCoefficientFromAlphaMaxOn) {
  const RandomSample sample(50, 6, 8);
  const Lasso lasso(sample.view(), {});
  const auto num_used = [&](double alpha) {
    const LinearFit fit = lasso.fit(alpha);
    return std::ranges::count_if(fit.coefficients, [](double theta) { return theta != 0; });
  };
  EXPECT_EQ(num_used(lasso.alpha_max()), 0);
  EXPECT_EQ(num_used(lasso.alpha_max() * 0.999), 1);
}

// x = -1, 1 and y = -3, 3: c = 3 at theta = 0, square 1, so theta = 3 - alpha.
TEST(Lasso, ShrinksByAlpha) {
  const std::vector<double> inputs = {-1, 1};
  const std::vector<double> targets = {-3, 3};
  const std::vector<double> weights = {2, 2};
  const Lasso lasso({{inputs.data(), 2, 1}, targets, weights}, {});
  EXPECT_DOUBLE_EQ(lasso.alpha_max(), 3);
  EXPECT_DOUBLE_EQ(lasso.fit(1).coefficients[0], 2);
  EXPECT_DOUBLE_EQ(lasso.fit(4).coefficients[0], 0);
}

TEST(Lasso, BicFindsTheColumnsThatCount) {
  const RandomSample sample(400, 9, 11, 0.3);
  const LinearFit fit = Lasso(sample.view(), {}).fit_by_bic();
  for (std::size_t j = 0; j < 9; ++j) {
    EXPECT_NEAR(fit.coefficients[j], sample.truth[j], 0.15) << j;
    EXPECT_TRUE(fit.coefficients[j] != 0 || std::abs(sample.truth[j]) < 0.2) << j;
  }
}

TEST(Lasso, EqualTargetsLeaveNothingToExplain) {
  RandomSample sample(30, 4, 2);
  std::ranges::fill(sample.targets, 0.3);
  const LinearFit fit = Lasso(sample.view(), {}).fit_by_bic();
  EXPECT_EQ(fit.coefficients, std::vector<double>(4));
  EXPECT_EQ(fit.intercept, 0.3);
}

TEST(Lasso, AConstantColumnGetsNothing) {
  RandomSample sample(30, 3, 2);
  for (std::size_t r = 0; r < 30; ++r) sample.inputs[r * 3 + 1] = 7;
  const Lasso lasso(sample.view(), {});
  EXPECT_NEAR(lasso.fit(lasso.alpha_max() / 100).coefficients[1], 0, 1e-9);
}

}  // namespace
}  // namespace glassrank
