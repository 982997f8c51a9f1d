#pragma once
// How many pairs of documents keep their order, less those that turn, for many score lists at once:
// lists are lanes.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/explain/greedy/document_pairs.h"
#include "glassrank/explain/masks/fixed_point.h"

namespace glassrank {

inline constexpr std::size_t kListMultiple = 8;  // lists come in eights

// scores[d * num_lists + i] is list i's score of document d; num_lists is a multiple of
// kListMultiple, and both arrays are 64-byte aligned. kept[i] = pairs of list i with the upper
// document above the lower - pairs with it below.
void count_kept_pairs(std::span<const DocumentPair> pairs, const Fixed* scores,
                      std::size_t num_lists, std::int64_t* kept);

}  // namespace glassrank
