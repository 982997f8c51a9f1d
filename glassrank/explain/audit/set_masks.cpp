#include "glassrank/explain/audit/set_masks.h"

#include <algorithm>

#include "glassrank/base/error.h"

namespace glassrank {

std::vector<std::uint8_t> set_masks(std::span<const std::vector<std::uint32_t>> sets,
                                    std::size_t num_features) {
  std::vector<std::uint8_t> masks(2 * sets.size() * num_features);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto both = std::span(masks).subspan(2 * s * num_features, 2 * num_features);
    const auto only = both.first(num_features);
    const auto without = both.last(num_features);
    std::ranges::fill(without, std::uint8_t{1});
    for (const std::uint32_t feature : sets[s]) {
      if (feature >= num_features) {
        fail(ErrorKind::kUsage, "there is no feature {}; the ranker has {} features", feature + 1,
             num_features);
      }
      only[feature] = 1;
      without[feature] = 0;
    }
  }
  return masks;
}

}  // namespace glassrank
