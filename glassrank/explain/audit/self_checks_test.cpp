#include "glassrank/explain/audit/self_checks.h"

#include <cmath>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

Explanation with(std::vector<double> attributions, std::vector<double> errors = {}) {
  Explanation explanation;
  explanation.base_value = 1;
  explanation.value = 4;
  explanation.attributions = std::move(attributions);
  explanation.standard_errors = std::move(errors);
  return explanation;
}

Explanation naming(std::vector<std::uint32_t> features) {
  Explanation explanation;
  explanation.features = std::move(features);
  return explanation;
}

TEST(AdditivityResidual, IsWhatIsMissingBesideTheLargestAttribution) {
  EXPECT_DOUBLE_EQ(additivity_residual(with({5, -2})).value(), 0);
  // 1 + 4 - 2 = 3, one short of 4; the largest is 4
  EXPECT_DOUBLE_EQ(additivity_residual(with({4, -2})).value(), 0.25);
  // 1 - 8 + 2 = -5, nine off; the largest by amount is 8
  EXPECT_DOUBLE_EQ(additivity_residual(with({-8, 2})).value(), 9.0 / 8);
  EXPECT_TRUE(std::isinf(additivity_residual(with({0, 0})).value()));
  EXPECT_FALSE(additivity_residual(naming({1})));
}

TEST(AdditivityResidual, IsZeroWhenNothingIsToBeExplained) {
  Explanation nothing = with({0, 0});
  nothing.value = nothing.base_value;
  EXPECT_EQ(additivity_residual(nothing), 0);
}

TEST(ErrorShare, IsTheLargestErrorBesideTheLargestAttribution) {
  EXPECT_DOUBLE_EQ(error_share(with({2, -4}, {0.5, 0.1})).value(), 0.125);
  EXPECT_EQ(error_share(with({2, -4})), 0);
  EXPECT_FALSE(error_share(naming({0})));
  Explanation sampled = with({2, -4});
  sampled.is_sampled = true;
  EXPECT_FALSE(error_share(sampled));
  EXPECT_TRUE(std::isinf(error_share(with({0, 0}, {0.5, 0.1})).value()));
}

TEST(ErrorsOverSeeds, AreStandardDeviationsOfAnswers) {
  // 1, 2, 3: 1. 0, 0, 3: mean 1, (1 + 1 + 4) / 2 = 3.
  const auto errors = errors_over_seeds(with({1, 0}), std::vector{with({2, 0}), with({3, 3})});
  ASSERT_EQ(errors.size(), 2);
  EXPECT_DOUBLE_EQ(errors[0], 1);
  EXPECT_DOUBLE_EQ(errors[1], std::sqrt(3.0));
  EXPECT_TRUE(errors_over_seeds(with({1, 0}), {}).empty());
  EXPECT_TRUE(errors_over_seeds(naming({1}), std::vector{naming({2})}).empty());
}

TEST(Stability, IsTheMeanShareOfFeaturesThatComeAgain) {
  const Explanation first = naming({3, 1, 2});
  // {1,2,9}: 2 of 3; {3}: 1 of 3; {5}: 0
  const std::vector<Explanation> others = {naming({2, 1, 9}), naming({3}), naming({5})};
  EXPECT_DOUBLE_EQ(stability(first, others).value(), (2.0 / 3 + 1.0 / 3 + 0) / 3);
  EXPECT_FALSE(stability(first, {}));
  EXPECT_FALSE(stability(naming({}), std::vector{naming({}), naming({})}));
  EXPECT_EQ(stability(naming({}), std::vector{naming({1})}), 0);
  EXPECT_EQ(shared_features({}, {}), 1);
  EXPECT_EQ(shared_features({}, std::vector<std::uint32_t>{1}), 0);
}

}  // namespace
}  // namespace glassrank
