#pragma once
// Ranks of documents by descending key; equal keys stay in input order.
//
// Short lists, which most queries are, are ranked by counting: keys become 16-bit codes that keep
// their order, and a document's rank is the number of codes before its own, many documents in one
// vector. Documents that share a code are put right afterwards by insertion, which moves few.
// n^2 / 32 steps, a fifth of the time of a vector sort for n = 120. Long lists are sorted.
// Instructions are chosen at run time (Highway).

#include <cstddef>
#include <cstdint>
#include <span>

namespace glassrank {

// Up to here lists are counted. (Sorting also asks the system for random numbers each time.)
inline constexpr std::size_t kShortList = 256;
// Keys and codes are read in whole vectors: keys have room for as many as a vector holds beyond the
// last one, and begin where vectors do.
inline constexpr std::size_t kCodePadding = 64;

// order[r] = index of the document at rank r. `scratch` and `order` are as long as the keys, which
// are finite.
void rank_descending(std::span<const float> keys, std::uint64_t* scratch, std::uint32_t* order);

}  // namespace glassrank
