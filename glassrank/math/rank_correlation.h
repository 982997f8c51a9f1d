#pragma once
// How alike two orders of the same things are: Kendall's tau and Spearman's rho.
//
// Values are scores, not places: the larger comes first. A pair of things is concordant when both
// put it in the same order, discordant when they put it in opposite orders, and neither when one of
// them has it tied. With n things, C and D such pairs, and T_a, T_b pairs tied in a, in b:
//   tau-a = (C - D) / (n (n - 1) / 2)                            ties count as no agreement
//   tau-b = (C - D) / sqrt((n0 - T_a) (n0 - T_b)),  n0 = n (n - 1) / 2       as in scipy
// Cost: O(n log n), by counting exchanges while sorting (Knight 1966).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glassrank {

struct PairCounts {
  std::uint64_t pairs = 0;
  std::uint64_t concordant = 0;
  std::uint64_t discordant = 0;
  std::uint64_t tied_a = 0;  // in a, whatever b says
  std::uint64_t tied_b = 0;

  bool operator==(const PairCounts&) const = default;
};

// `a` and `b` have the same length; no value is NaN.
PairCounts count_pairs(std::span<const double> a, std::span<const double> b);

// Fewer than two things: 1, for there is nothing in which they could differ.
double kendall_tau_a(std::span<const double> a, std::span<const double> b);
// Nothing where one side has all tied.
std::optional<double> kendall_tau_b(std::span<const double> a, std::span<const double> b);
// Places from 1; equal values share the mean of theirs.
std::vector<double> average_ranks(std::span<const double> values);
// Pearson's correlation of the average ranks; nothing where one side has all tied.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);

}  // namespace glassrank
