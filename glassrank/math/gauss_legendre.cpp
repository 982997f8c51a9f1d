#include "glassrank/math/gauss_legendre.h"

#include <cmath>
#include <numbers>

namespace glassrank {
namespace {

struct Legendre {
  long double value = 0;
  long double slope = 0;
};

// P_n and its derivative, by the three-term recurrence; |t| < 1.
Legendre legendre(std::size_t n, long double t) {
  long double before = 1;
  long double value = t;
  for (std::size_t k = 2; k <= n; ++k) {
    const auto degree = static_cast<long double>(k);
    const long double next = ((2 * degree - 1) * t * value - (degree - 1) * before) / degree;
    before = value;
    value = next;
  }
  return {.value = value,
          .slope = static_cast<long double>(n) * (t * value - before) / (t * t - 1)};
}

}  // namespace

Quadrature gauss_legendre(std::size_t num_nodes) {
  constexpr int kMaxSteps = 20;  // Newton doubles the digits each time; 4 or 5 steps do
  constexpr long double kStepIsNone = 1e-18L;
  Quadrature result{.nodes = std::vector<double>(num_nodes),
                    .weights = std::vector<double>(num_nodes)};
  const auto n = static_cast<long double>(num_nodes);
  for (std::size_t i = 0; i < (num_nodes + 1) / 2; ++i) {
    // The i-th largest zero; its mirror image is the i-th smallest. The middle one is 0 itself.
    const bool is_middle = 2 * i + 1 == num_nodes;
    long double t = is_middle ? 0
                              : std::cos(std::numbers::pi_v<long double> *
                                         (static_cast<long double>(i) + 0.75L) / (n + 0.5L));
    Legendre at = legendre(num_nodes, t);
    for (int step = 0; step < kMaxSteps && !is_middle; ++step) {
      const long double change = at.value / at.slope;
      t -= change;
      at = legendre(num_nodes, t);
      if (std::abs(change) < kStepIsNone) break;
    }
    const long double weight = 1 / ((1 - t * t) * at.slope * at.slope);
    result.nodes[i] = static_cast<double>((1 - t) / 2);
    result.nodes[num_nodes - 1 - i] = static_cast<double>((1 + t) / 2);
    result.weights[i] = result.weights[num_nodes - 1 - i] = static_cast<double>(weight);
  }
  return result;
}

}  // namespace glassrank
