#pragma once
// Interventional Shapley values and interactions at one leaf: one row, all background rows at once.
//
// What counts of a background row is its pattern at the leaf (leaf_patterns.h), so rows with equal
// patterns are counted and played once. For a row's pattern P the features it fails, N = ~P, are
// the same in every game; a background pattern B plays if it passes all of N, and A = ~B
// (path_weights.h). Wide leaves, which have no patterns, play every background row by itself.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/explain/tree_shap/leaf_patterns.h"
#include "glassrank/explain/tree_shap/path_weights.h"

namespace glassrank {

// The background rows at one leaf.
struct LeafBackground {
  std::vector<std::uint64_t> patterns;          // different ones, ascending
  std::vector<double> counts;                   // rows that have them
  std::vector<std::vector<std::uint8_t>> wide;  // of a wide leaf: by row, as wide_pattern() gives
};

LeafBackground count_patterns(std::span<const std::uint64_t> of_rows);

// Where pair (i, j) of a path's features is among d (d - 1) / 2 of them, i < j.
constexpr std::size_t place_of_pair(std::size_t i, std::size_t j) { return j * (j - 1) / 2 + i; }

struct LeafGame {
  const PatternLeaf& leaf;
  const LeafBackground& background;
  const PathWeights& weights;
  double scale = 0;  // the leaf's value divided by the number of background rows

  std::size_t num_features() const { return leaf.features.size(); }
  // The value of each of the path's features; false, and nothing written, if no background row
  // plays.
  bool values(std::uint64_t pattern, std::span<double> values) const;
  // And the interaction of each pair of them.
  bool interactions(std::uint64_t pattern, std::span<double> interactions) const;

  // The same for wide leaves.
  void wide_values(std::span<const std::uint8_t> passes, std::span<double> values) const;
  void wide_interactions(std::span<const std::uint8_t> passes,
                         std::span<double> interactions) const;
};

}  // namespace glassrank
