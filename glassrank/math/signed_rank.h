#pragma once
// The exact null distribution of Wilcoxon's signed-rank statistic, with or without ties.
//
//   W+ = sum of the ranks of the positive differences; under the null every sign is a fair coin.
//
// Ranks are given doubled, so that average ranks of ties (2.5) are integers too. The distribution
// is built by adding one rank at a time, p(s) <- (p(s) + p(s - r)) / 2; every entry is a multiple
// of 2^-n, hence exact in double precision up to n = 53. Cost: n times the sum of the doubled
// ranks, so O(n^3).

#include <cstdint>
#include <span>

namespace glassrank {

struct SignedRankTails {
  double upper;  // P(W+ >= w)
  double lower;  // P(W+ <= w)
};
SignedRankTails signed_rank_tails(std::span<const std::uint32_t> doubled_ranks,
                                  std::uint64_t doubled_w);

}  // namespace glassrank
