#include "glassrank/methods/rankgam/approx_ndcg.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "glassrank/base/elementary.h"
#include "glassrank/metrics/gain.h"

namespace glassrank {
namespace {

double ideal_dcg(std::vector<double> gains) {
  std::ranges::sort(gains, std::greater<>());
  double sum = 0;
  for (std::size_t r = 0; r < gains.size(); ++r) sum += gains[r] * discount(r);
  return sum;
}

// sigmoid((s_j - s_i) / temperature) of every pair i < j of which one has gain. It serves both
// documents: sigmoid(-x) = 1 - sigmoid(x).
class PairSigmoids {
 public:
  PairSigmoids(std::span<const double> gains, std::span<const float> scores, double temperature,
               const Context& context)
      : scores_(scores), temperature_(temperature), context_(context) {
    for (std::size_t i = 0; i < gains.size(); ++i) {
      if (gains[i] > 0) with_gain_.push_back(i);
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
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      context_.check_stop();  // next to the exponentials of a row it is nothing
      if (next < with_gain_.size() && with_gain_[next] == i) {
        ++next;
        for (std::size_t j = i + 1; j < scores_.size(); ++j) with(i, j);
      } else {
        for (std::size_t k = next; k < with_gain_.size(); ++k) with(i, with_gain_[k]);
      }
    }
  }

 private:
  std::span<const float> scores_;
  double temperature_;
  const Context& context_;
  std::vector<std::size_t> with_gain_;
};

}  // namespace

std::optional<double> approx_ndcg(std::span<const float> grades, std::span<const float> scores,
                                  double temperature, std::span<float> gradient, const Gain& gain,
                                  const Context& context) {
  const std::size_t n = grades.size();
  std::ranges::fill(gradient, 0.0F);
  std::vector<double> gains(n);
  for (std::size_t i = 0; i < n; ++i) gains[i] = gain(grades[i]);
  const double ideal = ideal_dcg(gains);
  if (!(ideal > 0)) return std::nullopt;

  const PairSigmoids sigmoids(gains, scores, temperature, context);
  std::vector<double> ranks(n, 1.0);
  sigmoids.for_each([&](std::size_t i, std::size_t j, double p) {
    ranks[i] += p;
    ranks[j] += 1 - p;
  });
  double ndcg = 0;
  std::vector<double> by_rank(n);  // d ndcg / d rank
  for (std::size_t i = 0; i < n; ++i) {
    if (gains[i] == 0) continue;
    const double share = gains[i] * std::numbers::ln2 / ideal;
    const double log_rank = portable_log(1 + ranks[i]);
    ndcg += share / log_rank;
    by_rank[i] = -share / (log_rank * log_rank * (1 + ranks[i]));
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
