#pragma once
// Interventional games at all leaves of a forest, and what plays them for a block of rows.
//
// The rows' patterns at a leaf (leaf_patterns.h) are worked out for the whole block; each different
// one is played once (leaf_game.h), and every row adds what its pattern won.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/tree_shap/grouped_sums.h"
#include "glassrank/explain/tree_shap/leaf_game.h"
#include "glassrank/explain/tree_shap/leaf_patterns.h"
#include "glassrank/explain/tree_shap/path_weights.h"
#include "glassrank/explain/tree_shap/pattern_index.h"

namespace glassrank {

struct GameTree {
  PatternTree tree;
  std::vector<LeafBackground> backgrounds;        // by leaf
  std::vector<std::vector<std::uint32_t>> pairs;  // by leaf and place_of_pair; made when asked for
};

struct Games {
  std::size_t num_features = 0;
  std::size_t num_background = 0;
  double base_value = 0;
  std::vector<GameTree> trees;  // those with nodes
  PathWeights weights{0};

  LeafGame at(const GameTree& tree, std::size_t leaf) const {
    return {.leaf = tree.tree.leaves[leaf],
            .background = tree.backgrounds[leaf],
            .weights = weights,
            .scale = tree.tree.leaves[leaf].value / static_cast<double>(num_background)};
  }
};

// Plays a block of rows at every leaf of some trees. Values go to `sums`, a row after the other;
// interactions, if there is room for them, are added where they are wanted.
class GameWorker {
 public:
  GameWorker(const Games& games, MatrixView<const float> rows, MatrixView<double>* interactions)
      : games_(games), all_rows_(rows), interactions_(interactions) {}

  void load(std::size_t begin, std::size_t end);
  void add(TreeRange trees, std::span<double> sums);

 private:
  void play(const GameTree& tree, std::size_t leaf, std::span<const std::uint64_t> patterns,
            std::span<double> sums);
  void play_wide(const GameTree& tree, std::size_t leaf, std::span<double> sums);
  void add_row(const GameTree& tree, std::size_t leaf, std::size_t row, const double* values,
               const double* pairs, std::span<double> sums) const;

  const Games& games_;
  MatrixView<const float> all_rows_;
  MatrixView<double>* interactions_;
  std::size_t begin_ = 0;
  MatrixView<const float> rows_;
  RowColumns columns_{{}};
  std::vector<std::uint64_t> patterns_;
  PatternIndex index_;
  std::vector<std::uint32_t> numbers_;  // by row, of its pattern
  std::vector<double> values_;          // by pattern
  std::vector<double> pair_values_;
  std::vector<std::uint8_t> plays_;
};

}  // namespace glassrank
