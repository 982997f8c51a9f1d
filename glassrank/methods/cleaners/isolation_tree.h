#pragma once
// One tree of an isolation forest: splits drawn at random until every row is alone or the height is
// reached (Liu, Ting and Zhou, Isolation Forest, ICDM 2008).
//
// A node draws a feature among those whose present values in it are not all equal, and a threshold
// uniform between the smallest and the largest of them; rows with value <= threshold go left. A
// missing value (NaN) says nothing, so its row follows the larger of the two sides. A node is a
// leaf at the height limit, with one row, or when no feature tells its rows apart.
// Path length of a row: the depth of its leaf plus average_path(rows of the sample in that leaf),
// which stands for the tree that was not grown below it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/matrix_view.h"
#include "glassrank/base/random.h"

namespace glassrank {

// c(n) = 2 H(n - 1) - 2 (n - 1) / n with the harmonic number H: the mean path length of an
// unsuccessful search in a binary search tree of n rows. 0 for n <= 1. O(n).
double average_path(std::size_t num_rows);

// Nodes of a tree; node 0 is the root. Children are neighbours: right = left + 1. A leaf is its own
// left child and sends every value there, so that a walk of `depth` steps ends in the leaf of the
// row without asking at each step whether it is there.
struct IsolationNode {
  float threshold = 0;        // of a leaf: +infinity
  std::uint32_t feature = 0;  // the highest bit: missing values go right
  std::uint32_t left = 0;
  float path = 0;  // path length of the rows that end here; of leaves only

  static constexpr std::uint32_t kMissingRight = std::uint32_t{1} << 31;
  std::uint32_t next(const float* row) const {
    const float value = row[feature & ~kMissingRight];
    const bool goes_right = value > threshold;
    const bool is_missing = value != value;
    return left + static_cast<std::uint32_t>(goes_right | (is_missing & (feature >> 31 != 0)));
  }
};

struct IsolationTree {
  std::vector<IsolationNode> nodes;
  std::size_t depth = 0;  // steps of the longest walk

  double path_length(std::span<const float> row) const;
};

// Grown on every row of `sample`. `height` is the largest depth of a leaf.
IsolationTree grow_isolation_tree(MatrixView<const float> sample, std::size_t height,
                                  RandomSequence& random);

}  // namespace glassrank
