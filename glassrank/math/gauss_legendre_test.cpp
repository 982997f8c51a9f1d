#include "glassrank/math/gauss_legendre.h"

#include <cmath>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

double integral_of_power(const Quadrature& rule, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    sum += rule.weights[i] * std::pow(rule.nodes[i], power);
  }
  return sum;
}

TEST(GaussLegendre, TwoNodesAreThoseOfTheBooks) {
  const Quadrature rule = gauss_legendre(2);
  EXPECT_NEAR(rule.nodes[0], 0.5 - std::sqrt(1.0 / 12), 1e-16);
  EXPECT_NEAR(rule.nodes[1], 0.5 + std::sqrt(1.0 / 12), 1e-16);
  EXPECT_DOUBLE_EQ(rule.weights[0], 0.5);
  EXPECT_DOUBLE_EQ(rule.weights[1], 0.5);
}

TEST(GaussLegendre, OneNodeIsTheMiddle) {
  const Quadrature rule = gauss_legendre(1);
  EXPECT_EQ(rule.nodes[0], 0.5);
  EXPECT_EQ(rule.weights[0], 1);
}

TEST(GaussLegendre, IsExactBelowTwiceTheNodes) {
  for (int n = 1; n <= 60; ++n) {
    const Quadrature rule = gauss_legendre(static_cast<std::size_t>(n));
    for (int power = 0; power < 2 * n; ++power) {
      EXPECT_NEAR(integral_of_power(rule, power), 1.0 / (power + 1), 1e-15) << n << ' ' << power;
    }
  }
}

TEST(GaussLegendre, IsNotExactAtTwiceTheNodes) {
  for (int n = 1; n <= 6; ++n) {
    const Quadrature rule = gauss_legendre(static_cast<std::size_t>(n));
    EXPECT_GT(std::abs(integral_of_power(rule, 2 * n) - 1.0 / (2 * n + 1)), 1e-9) << n;
  }
}

TEST(GaussLegendre, NodesAscendInsideTheRange) {
  const Quadrature rule = gauss_legendre(51);
  double before = 0;
  for (std::size_t i = 0; i < 51; ++i) {
    EXPECT_GT(rule.nodes[i], before);
    EXPECT_LT(rule.nodes[i], 1);
    EXPECT_GT(rule.weights[i], 0);
    before = rule.nodes[i];
  }
}

}  // namespace
}  // namespace glassrank
