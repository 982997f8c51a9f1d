#include "glassrank/methods/ebm/choose_pairs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace glassrank {

std::vector<RankedFeaturePair> choose_pairs(std::span<const std::vector<RankedFeaturePair>> ranked,
                                            std::span<const std::uint32_t> features,
                                            std::size_t count) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> rank_sums;
  for (const std::vector<RankedFeaturePair>& pairs : ranked) {
    for (std::size_t rank = 0; rank < pairs.size(); ++rank) {
      rank_sums[{pairs[rank].first, pairs[rank].second}] += static_cast<double>(rank);
    }
  }
  std::vector<RankedFeaturePair> chosen;
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (std::size_t j = i + 1; j < features.size(); ++j) {
      const double sum = rank_sums[{features[i], features[j]}];
      chosen.push_back({.first = features[i],
                        .second = features[j],
                        .statistic = -(sum / static_cast<double>(ranked.size()))});
    }
  }
  std::ranges::stable_sort(chosen, std::greater<>(), &RankedFeaturePair::statistic);
  chosen.resize(count);
  return chosen;
}

}  // namespace glassrank
