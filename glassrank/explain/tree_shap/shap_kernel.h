#pragma once
// The inner loops of path-dependent TreeSHAP: a block of rows at once (shap_plan.h has the
// mathematics, shap_pairs.h that of interactions).
//
//   1. columns of the block, one value of every row side by side
//   2. tree by tree, for as many rows as a vector has lanes: the step of every node, then a sweep
//      down and one up for every few points, all nodes of a kind in one loop
//
// A lane is a row and never meets another. Compiled once for each instruction set and chosen at run
// time; every one does the same multiplications and additions and gives the same bits.

#include <cstddef>
#include <cstdint>

#include "glassrank/base/buffer.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/tree_shap/shap_pairs.h"
#include "glassrank/explain/tree_shap/shap_plan.h"

namespace glassrank {

inline constexpr std::size_t kShapRows = 64;  // of a block; a multiple of every vector's lanes
inline constexpr std::size_t kMaxShapLanes = 8;
// Of a block whose interactions are asked for: there are thousands of pairs, and their sums must
// stay in the cache.
inline constexpr std::size_t kShapPairRows = kMaxShapLanes;

// Memory for one block; made once and used again.
struct ShapWorkspace {
  explicit ShapWorkspace(const ShapPlan& plan);

  Buffer<float> columns;      // by column, kShapRows each
  Buffer<double> steps;       // by slot, a vector each
  Buffer<double> sweeps;      // by slot and point, a vector each: C going down, G going up
  Buffer<std::uint8_t> open;  // by edge, a bit per row: whether it takes this edge and took the
                              // ones of the same feature above
};

// Some trees of a plan and the block of rows in the workspace's columns.
struct ShapBlock {
  std::size_t first_tree = 0;
  std::size_t end_tree = 0;
  std::size_t num_rows = 0;        // 1 .. kShapRows, with interactions .. kShapPairRows
  double* values = nullptr;        // added to; by feature used, kShapRows each
  double* interactions = nullptr;  // if asked for: by pair, kShapPairRows each
};

// Step 1; at most kShapRows rows. Where there are fewer, the rest of a column is 0.
void load_shap_columns(const ShapPlan& plan, MatrixView<const float> rows,
                       ShapWorkspace& workspace);

// Step 2: adds what the trees add to phi.
void add_shap_values(const ShapPlan& plan, const ShapBlock& block, ShapWorkspace& workspace);
// And to the interactions I_ij.
void add_shap_interactions(const ShapPlan& plan, const ShapPairs& pairs, const ShapBlock& block,
                           ShapWorkspace& workspace);

}  // namespace glassrank
