#pragma once
// How KernelSHAP's weight is spread over coalitions by their size (Lundberg and Lee 2017).
//
//   weight of all coalitions of size s together   proportional to (M - 1) / (s (M - s)), 0 < s < M
//
// A coalition and its complement weigh the same, so sizes s and M - s are taken together and only
// s <= M / 2 is counted. CoalitionSizes also says which sizes are worth evaluating completely with
// a number of samples: while the samples that would fall on a size by its weight are at least as
// many as it has coalitions (shap's rule).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/function_ref.h"

namespace glassrank {

// log of the number of subsets of `size` of `num_players`.
double log_num_subsets(std::size_t num_players, std::size_t size);

struct CoalitionSize {
  std::size_t size = 0;
  bool is_half = false;    // 2 size = M: the complement has the same size
  double share = 0;        // of the whole weight, of both sizes together; shares add up to 1
  double num_subsets = 0;  // of this size and, unless it is the half, of its complement's
};

// Sizes 1 .. M / 2; at least two players.
std::vector<CoalitionSize> coalition_sizes(std::size_t num_players);
// How many of the first sizes `num_samples` evaluations can do completely.
std::size_t num_full_sizes(const std::vector<CoalitionSize>& sizes, std::uint64_t num_samples);

// Calls visit(members) for every subset of `size` in lexicographic order; one byte per player.
void for_each_subset(std::size_t num_players, std::size_t size,
                     FunctionRef<void(const std::vector<std::uint8_t>&)> visit);

}  // namespace glassrank
