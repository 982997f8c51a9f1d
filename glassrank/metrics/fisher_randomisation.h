#pragma once
// Fisher's randomisation test on the difference of means (Smucker, Allan & Carterette, CIKM 2007).
//
// Under the null the two values of a query could have come from either system, so each of the 2^n
// ways of swapping them is equally likely. The statistic is the sum of differences A - B.
//   p = (reached + 1) / (permutations + 1), where `reached` counts random swaps whose statistic is
//   at least as extreme as the observed one; the +1 is the observed data themselves, so p > 0.
//   When 2^n <= permutations all of them are enumerated instead and p = reached / 2^n, exactly.
// Queries with equal values (on the grid below) change nothing and are left out of n.
//
// What "at least as extreme" means for floating numbers: differences are rounded once to a grid of
// step u, about 2^-45 of the largest value (3e-14 for metrics up to 1; coarser only if the sum
// would not fit 62 bits), and summed as integers, so a sum does not depend on any order. A sum
// counts as reaching the observed one if it falls short by at most 2 n u, which covers the rounding
// to the grid and several ulps of noise in each value: what ties in real arithmetic always counts
// as reached. Mean differences apart by less than 2u (6e-14) are thus one number.
//
// Random bits: query i (after leaving out) is swapped in permutation p iff bit i mod 32 of word
// (i mod 128) / 32 of Philox block p in lane i / 128 of the stream "fisher" is set. Results depend
// on the seed only, not on threads.
// Cost: permutations * n / 8 table look-ups; 36 kB a thread.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/metrics/paired.h"

namespace glassrank {

// A billion say p to 3e-5 of itself; more are a slip of the finger.
inline constexpr double kMostPermutations = 1e9;

// How many permutations are at least as extreme as the observed difference, in each direction.
struct ReachedCounts {
  std::uint64_t two_sided = 0;
  std::uint64_t greater = 0;
  std::uint64_t less = 0;
};

struct FisherResult {
  double mean_difference = 0.0;
  PValues p = {};
  ReachedCounts reached = {};
  std::uint64_t permutations = 0;  // drawn, or 2^n when exact
  bool exact = false;
  std::size_t num_different = 0;  // queries on which the systems differ
};

FisherResult fisher_randomisation(std::span<const double> a, std::span<const double> b,
                                  std::uint64_t permutations, const Context& context);

}  // namespace glassrank
