#include "glassrank/objectives/lambda_pairs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"

namespace glassrank {

std::size_t truncation_depth(int truncation) {
  return truncation == 0 ? std::numeric_limits<std::size_t>::max()
                         : static_cast<std::size_t>(truncation);
}

std::vector<std::uint32_t> rank_order(std::span<const double> scores) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return scores[i]; });
  return order;
}

double query_norm(double total) { return total > 0 ? portable_log2(1.0 + total) / total : 1.0; }

void pair_gradients(const QueryView& query, std::span<const std::uint32_t> order,
                    const PairRules& rules, FunctionRef<double(std::size_t, std::size_t)> weight,
                    GradientView out) {
  const std::size_t n = query.grades.size();
  std::vector<double> gradient(n);
  std::vector<double> hessian(n);
  const bool all_equal = n == 0 || query.scores[order.front()] == query.scores[order.back()];
  const bool by_distance = rules.norm_distance && !all_equal;
  double total = 0;
  for (std::size_t i = 0; i < std::min(n, rules.num_tops); ++i) {
    if (query.is_stopped()) throw Error(ErrorKind::kInterrupted, "stopped at the user's request");
    for (std::size_t j = i + 1; j < n; ++j) {
      std::size_t high = order[i];
      std::size_t low = order[j];
      if (query.grades[high] == query.grades[low]) continue;
      if (query.grades[high] < query.grades[low]) std::swap(high, low);
      double delta = weight(i, j);
      const double gap = query.scores[high] - query.scores[low];
      if (by_distance) delta /= kDistanceFloor + std::abs(gap);
      const double chance = 1.0 / (1.0 + portable_exp(rules.sigma * gap));
      const double lambda = rules.sigma * delta * chance;
      gradient[high] -= lambda;
      gradient[low] += lambda;
      const double curvature = rules.sigma * rules.sigma * delta * chance * (1.0 - chance);
      hessian[high] += curvature;
      hessian[low] += curvature;
      total += 2 * lambda;
    }
  }
  const double norm = rules.norm_query ? query_norm(total) : 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    out.gradient[i] = static_cast<float>(gradient[i] * norm);
    out.hessian[i] = static_cast<float>(hessian[i] * norm);
  }
}

}  // namespace glassrank
