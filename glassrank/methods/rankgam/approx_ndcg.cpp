#include "glassrank/methods/rankgam/approx_ndcg.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "glassrank/base/elementary.h"
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

// sigmoid((s_j - s_i) / temperature) of every pair i < j of which one has gain. It serves both
// documents: sigmoid(-x) = 1 - sigmoid(x).
class PairSigmoids {
 public:
  PairSigmoids(std::span<const float> grades, std::span<const float> scores, double temperature)
      : grades_(grades), scores_(scores), temperature_(temperature) {
    for (std::size_t i = 0; i < grades.size(); ++i) {
      if (grades[i] > 0) with_gain_.push_back(i);
    }
  }

  // Calls use(i, j, sigmoid), i ascending, then j.
  template <typename Use>
  void for_each(Use&& use) const {
    const auto with = [&](std::size_t i, std::size_t j) {
      const double x = (double{scores_[j]} - scores_[i]) / temperature_;
      use(i, j, 1 / (1 + portable_exp(-x)));
    };
    std::size_t next = 0;  // of with_gain_, behind i
    for (std::size_t i = 0; i < grades_.size(); ++i) {
      if (next < with_gain_.size() && with_gain_[next] == i) {
        ++next;
        for (std::size_t j = i + 1; j < grades_.size(); ++j) with(i, j);
      } else {
        for (std::size_t k = next; k < with_gain_.size(); ++k) with(i, with_gain_[k]);
      }
    }
  }

 private:
  std::span<const float> grades_;
  std::span<const float> scores_;
  double temperature_;
  std::vector<std::size_t> with_gain_;
};

}  // namespace

std::optional<double> approx_ndcg(std::span<const float> grades, std::span<const float> scores,
                                  double temperature, std::span<float> gradient) {
  const std::size_t n = grades.size();
  std::ranges::fill(gradient, 0.0F);
  const double ideal = ideal_dcg(grades);
  if (!(ideal > 0)) return std::nullopt;

  const PairSigmoids sigmoids(grades, scores, temperature);
  std::vector<double> ranks(n, 1.0);
  sigmoids.for_each([&](std::size_t i, std::size_t j, double p) {
    ranks[i] += p;
    ranks[j] += 1 - p;
  });
  double ndcg = 0;
  std::vector<double> by_rank(n);  // d ndcg / d rank
  for (std::size_t i = 0; i < n; ++i) {
    const double gain = exponential_gain(grades[i]) * std::numbers::ln2 / ideal;
    if (gain == 0) continue;
    const double log_rank = portable_log(1 + ranks[i]);
    ndcg += gain / log_rank;
    by_rank[i] = -gain / (log_rank * log_rank * (1 + ranks[i]));
  }
  // d rank_i / d s_j = slope_ij, d rank_i / d s_i = minus the sum of them. The sigmoids are taken
  // anew: a table of them would be documents squared, and towers cost far more.
  std::vector<double> by_score(n);
  sigmoids.for_each([&](std::size_t i, std::size_t j, double p) {
    const double pull = (by_rank[i] - by_rank[j]) * static_cast<float>(p * (1 - p) / temperature);
    by_score[j] += pull;
    by_score[i] -= pull;
  });
  for (std::size_t i = 0; i < n; ++i) gradient[i] = static_cast<float>(-by_score[i]);
  return ndcg;
}

}  // namespace glassrank
