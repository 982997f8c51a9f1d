#pragma once
// A set of features as the two masks that audits ask about: only the set known, all but the set
// known.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glassrank {

// Two rows of `num_features` bytes per set, in this order. Throws Error{kUsage} naming a feature
// that is not there.
std::vector<std::uint8_t> set_masks(std::span<const std::vector<std::uint32_t>> sets,
                                    std::size_t num_features);

}  // namespace glassrank
