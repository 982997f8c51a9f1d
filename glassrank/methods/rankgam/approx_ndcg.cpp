#include "glassrank/methods/rankgam/approx_ndcg.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "glassrank/metrics/gain.h"

namespace glassrank {
namespace {

double ideal_dcg(std::span<const float> grades) {
  std::vector<float> sorted(grades.begin(), grades.end());
  std::ranges::sort(sorted, std::greater<>());
  double sum = 0;
  for (std::size_t r = 0; r < sorted.size(); ++r) sum += exponential_gain(sorted[r]) * discount(r);
  return sum;
}

}  // namespace

std::optional<double> approx_ndcg(std::span<const float> grades, std::span<const float> scores,
                                  double temperature, std::span<float> gradient) {
  const std::size_t n = grades.size();
  std::ranges::fill(gradient, 0.0F);
  const double ideal = ideal_dcg(grades);
  if (!(ideal > 0)) return std::nullopt;

  // Every pair's sigmoid serves both documents: sigmoid(-x) = 1 - sigmoid(x).
  std::vector<double> ranks(n, 1.0);
  std::vector<float> slopes(n * n);  // of the sigmoid, above the diagonal
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double x = (double{scores[j]} - scores[i]) / temperature;
      const double p = 1 / (1 + std::exp(-x));
      ranks[i] += p;
      ranks[j] += 1 - p;
      slopes[i * n + j] = static_cast<float>(p * (1 - p) / temperature);
    }
  }
  double ndcg = 0;
  std::vector<double> by_rank(n);  // d ndcg / d rank
  for (std::size_t i = 0; i < n; ++i) {
    const double log_rank = std::log(1 + ranks[i]);
    const double gain = exponential_gain(grades[i]) * std::numbers::ln2 / ideal;
    ndcg += gain / log_rank;
    by_rank[i] = -gain / (log_rank * log_rank * (1 + ranks[i]));
  }
  // d rank_i / d s_j = slope_ij, d rank_i / d s_i = minus the sum of them.
  std::vector<double> by_score(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double pull = (by_rank[i] - by_rank[j]) * slopes[i * n + j];
      by_score[j] += pull;
      by_score[i] -= pull;
    }
  }
  for (std::size_t i = 0; i < n; ++i) gradient[i] = static_cast<float>(-by_score[i]);
  return ndcg;
}

}  // namespace glassrank
