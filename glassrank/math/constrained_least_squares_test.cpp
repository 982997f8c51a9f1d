#include "glassrank/math/constrained_least_squares.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "testing/random_samples.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;

// phi_1 should be 2 and phi_2 should be 3, but their sum is 7: each takes half of what is missing.
TEST(ConstrainedLeastSquares, SharesWhatIsMissing) {
  const Values rows = {1, 0, 0, 1};
  const Values weights = {1, 1};
  const auto solver = ConstrainedLeastSquares::of({rows.data(), 2, 2}, weights, {});
  ASSERT_TRUE(solver);
  const Values phi = solver->solve(Values{2, 3}, 7);
  EXPECT_NEAR(phi[0], 3, 1e-14);
  EXPECT_NEAR(phi[1], 4, 1e-14);
}

// At the optimum the gradient X'W (y - X phi) is a multiple of 1: nothing can be gained that keeps
// the sum.
TEST(ConstrainedLeastSquares, SatisfiesTheNormalEquationsAndTheConstraint) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RandomSample sample(60, 1 + seed, seed, 2.0);
    const LinearSample view = sample.view();
    const auto solver = ConstrainedLeastSquares::of(view.inputs, view.weights, {});
    ASSERT_TRUE(solver);
    const Values phi = solver->solve(view.targets, 1.75);
    EXPECT_NEAR(std::accumulate(phi.begin(), phi.end(), 0.0), 1.75, 1e-9);
    Values gradient(phi.size());
    for (std::size_t r = 0; r < view.num_rows(); ++r) {
      double rest = view.targets[r];
      for (std::size_t j = 0; j < phi.size(); ++j) rest -= view.inputs(r, j) * phi[j];
      for (std::size_t j = 0; j < phi.size(); ++j) {
        gradient[j] += view.weights[r] * rest * view.inputs(r, j);
      }
    }
    for (const double value : gradient) {
      EXPECT_NEAR(value, gradient[0], 1e-8 * (1 + std::abs(gradient[0])));
    }
  }
}

// One row says phi_1 = 2; the sum says the rest.
TEST(ConstrainedLeastSquares, TheConstraintMaySettleWhatTheRowsDoNot) {
  const Values rows = {1, 0};
  const Values weights = {3};
  const auto solver = ConstrainedLeastSquares::of({rows.data(), 1, 2}, weights, {});
  ASSERT_TRUE(solver);
  const Values phi = solver->solve(Values{2}, 10);
  EXPECT_NEAR(phi[0], 2, 1e-12);
  EXPECT_NEAR(phi[1], 8, 1e-12);
}

TEST(ConstrainedLeastSquares, RefusesWhatIsNotSettled) {
  const Values rows = {1, 0, 0};
  const Values weights = {1};
  EXPECT_FALSE(ConstrainedLeastSquares::of({rows.data(), 1, 3}, weights, {}));
}

TEST(ConstrainedLeastSquares, InfluenceIsTheChangeOfTheSolution) {
  const RandomSample sample(25, 4, 3, 1.0);
  const LinearSample view = sample.view();
  const auto solver = ConstrainedLeastSquares::of(view.inputs, view.weights, {});
  ASSERT_TRUE(solver);
  const Values influence = solver->influence({});
  const Values before = solver->solve(view.targets, 1);
  for (std::size_t r = 0; r < view.num_rows(); ++r) {
    Values targets = sample.targets;
    targets[r] += 1;
    const Values after = solver->solve(targets, 1);
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_NEAR(after[j] - before[j], influence[r * 4 + j], 1e-9);
    }
  }
}

}  // namespace
}  // namespace glassrank
