#include "glassrank/math/distributions.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/math/fast_normal_quantile.h"

namespace glassrank {
namespace {

// Reference values: R's pt, pnorm, qnorm.
TEST(StudentT, HasTheTabulatedTails) {
  EXPECT_NEAR(student_t_two_sided(2.2281388519862744, 10), 0.05, 1e-12);
  EXPECT_NEAR(student_t_upper(1.8124611228116756, 10), 0.05, 1e-12);
  EXPECT_NEAR(student_t_upper(0.0, 3), 0.5, 1e-15);
  EXPECT_EQ(student_t_upper(std::numeric_limits<double>::infinity(), 3), 0.0);
}

TEST(StudentT, QuantileUndoesTheUpperTail) {
  EXPECT_NEAR(student_t_quantile(0.975, 10), 2.2281388519862744, 1e-12);
  EXPECT_NEAR(student_t_upper(student_t_quantile(0.9, 4), 4), 0.1, 1e-14);
}

TEST(Normal, HasTheTabulatedTails) {
  EXPECT_NEAR(normal_upper(1.959963984540054), 0.025, 1e-14);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
}

TEST(FastNormalQuantile, IsTheQuantileToNineDigits) {
  for (const double p :
       {1e-12, 1e-5, 0.01, 0.02425, 0.03, 0.2, 0.5, 0.77, 0.975, 0.999, 1 - 1e-9}) {
    const double expected = normal_quantile(p);
    EXPECT_NEAR(fast_normal_quantile(p), expected, 2e-9 * std::abs(expected) + 1e-15) << p;
  }
  EXPECT_EQ(fast_normal_quantile(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(fast_normal_quantile(1), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace glassrank
