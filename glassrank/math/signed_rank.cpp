#include "glassrank/math/signed_rank.h"

#include <cstddef>
#include <vector>

namespace glassrank {

SignedRankTails signed_rank_tails(std::span<const std::uint32_t> doubled_ranks,
                                  std::uint64_t doubled_w) {
  std::vector<double> probability = {1.0};
  for (const std::uint32_t rank : doubled_ranks) {
    const std::size_t old_size = probability.size();
    probability.resize(old_size + rank, 0.0);
    for (std::size_t s = probability.size(); s-- > 0;) {
      const double with = s >= rank ? probability[s - rank] : 0.0;
      probability[s] = (probability[s] + with) / 2;
    }
  }
  SignedRankTails tails{0, 0};
  for (std::size_t s = 0; s < probability.size(); ++s) {
    if (s >= doubled_w) tails.upper += probability[s];
    if (s <= doubled_w) tails.lower += probability[s];
  }
  return tails;
}

}  // namespace glassrank
