#pragma once
// Which coalitions a KernelSHAP regression sees, by default: pairs of a coalition and its
// complement, each pair once, with weights that do not depend on luck (Covert and Lee 2021 for the
// pairs; Olsen and Jullum 2024 for the weights).
//
//   1. Sizes that the samples can do completely (coalition_sizes.h) are there with their weight.
//   2. Of the others, pairs are drawn: size by its share, members uniformly; a pair that was drawn
//      before counts as a draw and no more.
//   3. After L draws a pair of probability q is there with probability p = 1 - (1 - q)^L. Its
//      weight is q / p: so weighted, the sample's sums have the whole's as their expectation. These
//      weights are scaled to the share that step 1 left.
// A plain sample weighs a pair by how often it came; q / p has the same mean and less variance.

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/explain/shapley/coalition_set.h"
#include "glassrank/explain/shapley/coalition_sizes.h"

namespace glassrank {

// A sample that can grow: what was evaluated stays.
class PairedCoalitions {
 public:
  // At least two players; `num_samples` is the most that will be asked for.
  PairedCoalitions(std::size_t num_players, std::uint64_t num_samples, CounterRandom random);

  // Draws until `num_evaluations` coalitions are there, or draws are nearly always repeats; then
  // sets all weights.
  void grow(std::size_t num_evaluations);
  const CoalitionSet& set() const { return set_; }

 private:
  void add_full_sizes();
  void draw();
  void weigh();

  CoalitionSet set_;
  std::vector<CoalitionSize> sizes_;
  std::size_t num_full_;  // of sizes_
  std::size_t num_full_entries_ = 0;
  double share_left_ = 0;                   // of the weight, for the sizes that are drawn
  std::vector<std::size_t> size_of_entry_;  // index into sizes_, of drawn entries
  std::uint64_t num_draws_ = 0;
  std::unordered_set<std::string> seen_;
  RandomSequence random_;
};

}  // namespace glassrank
