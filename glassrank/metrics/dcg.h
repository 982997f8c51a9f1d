#pragma once
// Discounted cumulative gain (Jarvelin & Kekalainen 2002):
//
//   DCG@k = sum over ranks r < k of gain(grade at r) / log2(r + 2)
//
// A run of equal scores over ranks [b, e) adds, with ties averaged, its mean gain times the
// discounts of the ranks in [b, min(e, k)) (McSherry & Najork 2008). The ideal is the largest DCG
// of any order of all judged documents; one that a double does not hold is an Error{kInput}.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "glassrank/metrics/gain.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {

// DCG for one gain and cutoff, with what can be computed once: gains of small whole grades,
// discounts, which grades are worth most.
class Dcg {
 public:
  Dcg(Gain gain, std::size_t cutoff);

  double of(const Ranking& ranking) const;
  // Over the documents of both spans, in any order. O(n) for small whole grades.
  double ideal(std::span<const float> listed, std::span<const float> missed = {}) const;
  // Exchanging ranks a and b adds scale * (gain_b - gain_a) * (discount_a - discount_b), where
  // ranks below the cutoff have no discount.
  std::unique_ptr<SwapDeltas> swap_deltas(const Ranking& ranking, double scale) const;
  // The same as ideal() by sorting all gains: any grades, and its oracle.
  double ideal_by_sorting(std::span<const float> listed, std::span<const float> missed = {}) const;

 private:
  double gain_of(float grade) const;
  double discount_at(std::size_t rank) const {
    return rank < discounts_.size() ? discounts_[rank] : discount(rank);
  }
  double expected(const Ranking& ranking) const;

  Gain gain_;
  std::size_t cutoff_;
  std::vector<double> discounts_;
  std::vector<double> level_gains_;          // of grades 0, 1, 2, ...
  std::vector<std::size_t> levels_by_gain_;  // grades, largest gain first
};

MetricInfo dcg_info();

}  // namespace glassrank
