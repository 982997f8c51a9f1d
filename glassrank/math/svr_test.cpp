#include "glassrank/math/svr.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "testing/random_samples.h"

namespace glassrank {
namespace {

double mean_of_targets(const LinearSample& sample) {
  double mean = 0;
  double weight_sum = 0;
  for (std::size_t r = 0; r < sample.num_rows(); ++r) {
    mean += sample.weights[r] * sample.targets[r];
    weight_sum += sample.weights[r];
  }
  return mean / weight_sum;
}

double objective(const LinearSample& sample, const LinearFit& line, const SvrSetup& setup) {
  const double b = line.intercept - mean_of_targets(sample);
  double sum = b * b / 2;
  for (const double theta : line.coefficients) sum += theta * theta / 2;
  for (std::size_t r = 0; r < sample.num_rows(); ++r) {
    const double error = std::abs(sample.targets[r] - line.at(sample.inputs.row(r)));
    sum += setup.c * sample.weights[r] * std::max(0.0, error - setup.epsilon);
  }
  return sum;
}

// The slow way: dual coordinate descent (Ho and Lin 2012), one row's multiplier at a time.
LinearFit by_coordinates(const LinearSample& sample, const SvrSetup& setup, int sweeps) {
  const double mean = mean_of_targets(sample);
  std::vector<double> betas(sample.num_rows());
  LinearFit line{.intercept = mean, .coefficients = std::vector<double>(sample.num_columns())};
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t r = 0; r < sample.num_rows(); ++r) {
      const auto row = sample.inputs.row(r);
      double square = 1;
      for (const double x : row) square += x * x;
      const double gradient = line.at(row) - sample.targets[r];
      double next = 0;
      if (gradient + setup.epsilon < square * betas[r]) {
        next = betas[r] - (gradient + setup.epsilon) / square;
      } else if (gradient - setup.epsilon > square * betas[r]) {
        next = betas[r] - (gradient - setup.epsilon) / square;
      }
      const double limit = setup.c * sample.weights[r];
      const double change = std::clamp(next, -limit, limit) - betas[r];
      betas[r] += change;
      line.intercept += change;
      for (std::size_t j = 0; j < row.size(); ++j) line.coefficients[j] += change * row[j];
    }
  }
  return line;
}

// x = -1, 1 and y = -3, 3 with C large: the flattest line within epsilon = 1 of both has slope 2.
TEST(Svr, OfAHandComputedExample) {
  const std::vector<double> inputs = {-1, 1};
  const std::vector<double> targets = {-3, 3};
  const std::vector<double> weights = {1, 1};
  const LinearSample sample{{inputs.data(), 2, 1}, targets, weights};
  const SvrFit fit = fit_svr(sample, {.c = 100, .epsilon = 1, .tolerance = 1e-9}, {});
  EXPECT_NEAR(fit.line.coefficients[0], 2, 1e-4);
  EXPECT_NEAR(fit.line.intercept, 0, 1e-4);
  // With C = 1/2 each row pulls with at most 1/2: theta = 1/2 * 1 + 1/2 * 1 = 1.
  const SvrFit soft = fit_svr(sample, {.c = 0.5, .epsilon = 1, .tolerance = 1e-9}, {});
  EXPECT_NEAR(soft.line.coefficients[0], 1, 1e-4);
}

TEST(Svr, PrimalAndDualMeet) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const double c : {0.01, 1.0, 50.0}) {
      const RandomSample sample(30 + 40 * seed, 1 + seed, seed, 0.5);
      const SvrSetup setup{.c = c, .epsilon = 0.3, .tolerance = 1e-6};
      const SvrFit fit = fit_svr(sample.view(), setup, {});
      EXPECT_LE(fit.primal - fit.dual, setup.tolerance * fit.primal) << seed << " " << c;
      EXPECT_GE(fit.primal - fit.dual, -1e-9 * fit.primal);
      // Inputs are kept as floats.
      EXPECT_NEAR(fit.primal, objective(sample.view(), fit.line, setup), 1e-6 * fit.primal);
    }
  }
}

TEST(Svr, FindsTheLineOfCoordinateDescent) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const RandomSample sample(60, 3, seed, 0.5);
    const SvrSetup setup{.c = 0.05, .epsilon = 0.2, .tolerance = 1e-9};
    const LinearFit fit = fit_svr(sample.view(), setup, {}).line;
    const LinearFit slow = by_coordinates(sample.view(), setup, 20000);
    EXPECT_NEAR(fit.intercept, slow.intercept, 2e-3);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(fit.coefficients[j], slow.coefficients[j], 2e-3) << seed << " " << j;
    }
  }
}

TEST(Svr, NoSmallChangeOfTheLineIsBetter) {
  const RandomSample sample(60, 3, 9, 0.5);
  const SvrSetup setup{.c = 0.2, .epsilon = 0.2, .tolerance = 1e-9};
  const SvrFit fit = fit_svr(sample.view(), setup, {});
  const double best = objective(sample.view(), fit.line, setup);
  RandomSequence random(CounterRandom(4, "changes"));
  for (int i = 0; i < 200; ++i) {
    LinearFit other = fit.line;
    other.intercept += 0.01 * random.normal();
    for (double& theta : other.coefficients) theta += 0.01 * random.normal();
    EXPECT_GE(objective(sample.view(), other, setup), best * (1 - 1e-8));
  }
}

TEST(Svr, TargetsWithinEpsilonNeedNoSlope) {
  RandomSample sample(20, 3, 1);
  for (std::size_t r = 0; r < 20; ++r) sample.targets[r] = r % 2 == 0 ? 1.0 : 1.1;
  const SvrFit fit = fit_svr(sample.view(), {.epsilon = 0.2}, {});
  EXPECT_EQ(fit.line.coefficients, std::vector<double>(3));
  EXPECT_NEAR(fit.line.intercept, 1.05, 0.05);
  EXPECT_EQ(fit.num_steps, 0);
}

TEST(Svr, ARowWithoutWeightSaysNothing) {
  const RandomSample sample(50, 3, 6, 0.5);
  RandomSample other = sample;
  other.inputs.insert(other.inputs.end(), {100, -100, 50});
  other.targets.push_back(-1000);
  for (const double weight : {0.0, 1e-300}) {
    RandomSample with_row = other;
    with_row.weights.push_back(weight);
    const SvrFit without = fit_svr(sample.view(), {.epsilon = 0.3}, {});
    const SvrFit with = fit_svr(with_row.view(), {.epsilon = 0.3}, {});
    EXPECT_EQ(without.line.coefficients, with.line.coefficients);
  }
}

TEST(Svr, HasTheSameBytesForAnyThreads) {
  const RandomSample sample(300, 12, 2, 0.5);
  const auto with = [&](int threads) {
    const Context context{.threads = std::make_shared<const Threads>(threads)};
    return fit_svr(sample.view(), {.epsilon = 0.3}, context).line.coefficients;
  };
  EXPECT_EQ(with(1), with(2));
  EXPECT_EQ(with(1), with(4));
}

}  // namespace
}  // namespace glassrank
