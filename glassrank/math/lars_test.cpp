#include "glassrank/math/lars.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "glassrank/math/gram.h"
#include "glassrank/math/lasso.h"
#include "testing/random_samples.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;

Values correlations_at(const Values& gram, const Values& moments, const Values& theta) {
  Values result = moments;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    for (std::size_t j = 0; j < theta.size(); ++j) {
      result[i] -= gram[i * theta.size() + j] * theta[j];
    }
  }
  return result;
}

// Orthogonal columns enter by their moments, and the first step ends where the second one enters.
TEST(Lars, OrthogonalColumnsEnterByTheirCorrelation) {
  const Values gram = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const Values moments = {2, -5, 1};
  const LarsPath path = least_angle_path({.gram = gram, .moments = moments});
  EXPECT_EQ(path.active, (std::vector<std::uint32_t>{1, 0, 2}));
  ASSERT_EQ(path.corners.size(), 4U);
  EXPECT_EQ(path.corners[1], (Values{0, -3, 0}));
  EXPECT_EQ(path.corners[2], (Values{1, -4, 0}));
  EXPECT_EQ(path.corners[3], (Values{2, -5, 1}));
}

TEST(Lars, StopsAfterTheGivenSteps) {
  const Values gram = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const Values moments = {2, -5, 1};
  const LarsPath path = least_angle_path({.gram = gram, .moments = moments, .max_steps = 2});
  EXPECT_EQ(path.active, (std::vector<std::uint32_t>{1, 0}));
}

class LarsOnSamples : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const RandomSample sample(60, 8, static_cast<std::uint64_t>(GetParam()), 3.0);
    centred_.emplace(sample.view());
    weights_ = sample.weights;
    targets_ = centred_->targets;
    const LinearSample view = centred_->view();
    gram_ = weighted_gram(view.inputs, weights_, {});
    moments_ = weighted_moments(view.inputs, weights_, targets_);
  }

  std::optional<CentredSample> centred_;
  Values weights_;
  Values targets_;
  Values gram_;
  Values moments_;
};

TEST_P(LarsOnSamples, EndsAtLeastSquares) {
  for (const bool lasso : {false, true}) {
    const LarsPath path = least_angle_path({.gram = gram_, .moments = moments_, .lasso = lasso});
    for (const double c : correlations_at(gram_, moments_, path.corners.back())) {
      EXPECT_NEAR(c, 0, 1e-8 * std::abs(moments_[0]) + 1e-8);
    }
  }
}

// At a corner of the lasso's path all active columns have the same correlation alpha, no other has
// more, and coordinate descent at that alpha finds the same coefficients.
TEST_P(LarsOnSamples, CornersOfTheLassoAreItsSolutions) {
  const LarsPath path = least_angle_path({.gram = gram_, .moments = moments_, .lasso = true});
  const double weight_sum = centred_->weight_sum;
  const LinearSample view{centred_->view().inputs, targets_, weights_};
  const Lasso descent(view, {});
  for (std::size_t i = 0; i + 1 < path.corners.size(); ++i) {
    const Values& corner = path.corners[i];
    const Values c = correlations_at(gram_, moments_, corner);
    double level = 0;
    for (const double value : c) level = std::max(level, std::abs(value));
    for (std::size_t j = 0; j < corner.size(); ++j) {
      if (corner[j] == 0) continue;
      EXPECT_NEAR(c[j], std::copysign(level, corner[j]), 1e-7 * (1 + level)) << i << " " << j;
    }
    const Values expected = descent.coefficients(level / weight_sum, Values(corner.size()));
    for (std::size_t j = 0; j < corner.size(); ++j) {
      EXPECT_NEAR(corner[j], expected[j], 1e-5) << i << " " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LarsOnSamples, ::testing::Range(0, 6));

TEST(Lars, ACopyOfAColumnDoesNotEnter) {
  const Values gram = {1, 1, 1, 1};
  const Values moments = {2, 2};
  const LarsPath path = least_angle_path({.gram = gram, .moments = moments});
  EXPECT_EQ(path.active, std::vector<std::uint32_t>{0});
  EXPECT_EQ(path.corners.back(), (Values{2, 0}));
}

}  // namespace
}  // namespace glassrank
