#include "glassrank/math/svr.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "testing/random_samples.h"

namespace glassrank {
namespace {

double objective(const LinearSample& sample, const LinearFit& line, const SvrSetup& setup) {
  double mean = 0;
  double weight_sum = 0;
  for (std::size_t r = 0; r < sample.num_rows(); ++r) {
    mean += sample.weights[r] * sample.targets[r];
    weight_sum += sample.weights[r];
  }
  mean /= weight_sum;
  double sum = (line.intercept - mean) * (line.intercept - mean) / 2;
  for (const double theta : line.coefficients) sum += theta * theta / 2;
  for (std::size_t r = 0; r < sample.num_rows(); ++r) {
    const double error = std::abs(sample.targets[r] - line.at(sample.inputs.row(r)));
    sum += setup.c * sample.weights[r] * std::max(0.0, error - setup.epsilon);
  }
  return sum;
}

// x = -1, 1 and y = -3, 3 with C large: the flattest line within epsilon = 1 of both has slope 2.
TEST(Svr, OfAHandComputedExample) {
  const std::vector<double> inputs = {-1, 1};
  const std::vector<double> targets = {-3, 3};
  const std::vector<double> weights = {1, 1};
  const SvrFit fit = fit_svr({{inputs.data(), 2, 1}, targets, weights},
                             {.c = 100, .epsilon = 1, .tolerance = 1e-12});
  EXPECT_NEAR(fit.line.coefficients[0], 2, 1e-5);
  EXPECT_NEAR(fit.line.intercept, 0, 1e-5);
  // With C = 1/2 each row pulls with at most 1/2: theta = 1/2 * 1 + 1/2 * 1 = 1.
  const SvrFit soft = fit_svr({{inputs.data(), 2, 1}, targets, weights},
                              {.c = 0.5, .epsilon = 1, .tolerance = 1e-12});
  EXPECT_NEAR(soft.line.coefficients[0], 1, 1e-5);
}

TEST(Svr, PrimalAndDualMeet) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const RandomSample sample(120, 5, seed, 0.5);
    const SvrSetup setup{.c = 0.1, .epsilon = 0.3, .tolerance = 1e-4, .max_sweeps = 200000};
    const SvrFit fit = fit_svr(sample.view(), setup);
    EXPECT_LE(fit.primal - fit.dual, setup.tolerance * fit.primal);
    EXPECT_GE(fit.primal - fit.dual, -1e-9 * fit.primal);
    EXPECT_NEAR(fit.primal, objective(sample.view(), fit.line, setup), 1e-9 * fit.primal);
  }
}

TEST(Svr, NoSmallChangeOfTheLineIsBetter) {
  const RandomSample sample(60, 3, 9, 0.5);
  const SvrSetup setup{.c = 0.2, .epsilon = 0.2, .tolerance = 1e-9, .max_sweeps = 200000};
  const SvrFit fit = fit_svr(sample.view(), setup);
  const double best = objective(sample.view(), fit.line, setup);
  RandomSequence random(CounterRandom(4, "changes"));
  for (int i = 0; i < 200; ++i) {
    LinearFit other = fit.line;
    other.intercept += 0.01 * random.normal();
    for (double& theta : other.coefficients) theta += 0.01 * random.normal();
    EXPECT_GE(objective(sample.view(), other, setup), best * (1 - 1e-9));
  }
}

TEST(Svr, TargetsWithinEpsilonNeedNoSlope) {
  RandomSample sample(20, 3, 1);
  for (std::size_t r = 0; r < 20; ++r) sample.targets[r] = r % 2 == 0 ? 1.0 : 1.1;
  const SvrFit fit = fit_svr(sample.view(), {.epsilon = 0.2});
  EXPECT_EQ(fit.line.coefficients, std::vector<double>(3));
  EXPECT_NEAR(fit.line.intercept, 1.05, 0.05);
}

TEST(Svr, ARowWithoutWeightSaysNothing) {
  const RandomSample sample(50, 3, 6, 0.5);
  RandomSample other = sample;
  other.inputs.insert(other.inputs.end(), {100, -100, 50});
  other.targets.push_back(-1000);
  other.weights.push_back(1e-300);
  const SvrSetup setup{.c = 0.1, .epsilon = 0.3, .tolerance = 1e-8, .max_sweeps = 100000};
  const SvrFit without = fit_svr(sample.view(), setup);
  const SvrFit with = fit_svr(other.view(), setup);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(without.line.coefficients[j], with.line.coefficients[j], 1e-3);
  }
}

}  // namespace
}  // namespace glassrank
