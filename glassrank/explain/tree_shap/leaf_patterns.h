#pragma once
// Which features of the path to a leaf a row passes, for every leaf and many rows at once.
//
// The pattern of a row at a leaf has a bit for each different feature on the path, in the order of
// first use: whether the row goes the path's way at all its splits on that feature. Patterns are
// worked out edge by edge from the root, for a block of rows in one loop an edge:
//   first split on a feature:  pattern(child) = pattern(parent) | passes << bit
//   later splits:              pattern(child) = pattern(parent) & ~(fails << bit)
// Cost: 2 operations per row and edge. A path with more than 64 different features has no pattern:
// its leaf is wide, and gets its splits instead.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/matrix_view.h"
#include "glassrank/models/forest/tree.h"

namespace glassrank {

inline constexpr std::size_t kMaxPatternBits = 64;
inline constexpr std::uint32_t kNoPatternLeaf = static_cast<std::uint32_t>(-1);

struct PatternEdge {
  TreeNode node;  // its decision
  bool to_left = false;
  bool is_repeat = false;
  std::uint8_t bit = 0;
  std::uint32_t depth = 0;  // of the child; the root has 0
  std::uint32_t leaf = kNoPatternLeaf;
};

struct WideSplit {
  TreeNode node;
  bool to_left = false;
  std::uint32_t place = 0;  // of its feature among the leaf's
};

struct PatternLeaf {
  double value = 0;
  std::vector<std::uint32_t> features;  // those on the path, by bit
  std::vector<WideSplit> splits;        // of a wide leaf, all of its path

  bool is_wide() const { return features.size() > kMaxPatternBits; }
};

struct PatternTree {
  std::vector<PatternEdge> edges;  // a subtree follows the edge that leads to it; none to what has
                                   // wide leaves only
  std::vector<PatternLeaf> leaves;
  std::uint32_t depth = 0;
};

PatternTree make_pattern_tree(const Tree& tree);

// Rows turned on their side: a feature's values side by side.
struct RowColumns {
  explicit RowColumns(MatrixView<const float> rows);
  const float* column(std::size_t feature) const { return values.data() + feature * num_rows; }

  std::size_t num_rows = 0;
  std::vector<float> values;
};

// Calls visit(leaf's number, patterns of the rows) for every leaf but the wide ones. `patterns` is
// memory that is used again.
template <typename Visit>
void visit_patterns(const PatternTree& tree, const RowColumns& rows,
                    std::vector<std::uint64_t>& patterns, const Visit& visit);

// One step of it: an edge for all rows.
void follow_edge(const PatternEdge& edge, const RowColumns& rows,
                 std::span<const std::uint64_t> parent, std::span<std::uint64_t> child);

// For each feature of a wide leaf, whether the row passes; 1 or 0.
std::vector<std::uint8_t> wide_pattern(const PatternLeaf& leaf, std::span<const float> row);

template <typename Visit>
void visit_patterns(const PatternTree& tree, const RowColumns& rows,
                    std::vector<std::uint64_t>& patterns, const Visit& visit) {
  const std::size_t n = rows.num_rows;
  patterns.resize(std::max(patterns.size(), (tree.depth + 1) * n));
  const auto at = [&](std::size_t depth) { return std::span(patterns).subspan(depth * n, n); };
  std::ranges::fill(at(0), std::uint64_t{0});
  for (const PatternEdge& edge : tree.edges) {
    follow_edge(edge, rows, at(edge.depth - 1), at(edge.depth));
    if (edge.leaf != kNoPatternLeaf) {
      visit(std::size_t{edge.leaf}, std::span<const std::uint64_t>(at(edge.depth)));
    }
  }
}

}  // namespace glassrank
