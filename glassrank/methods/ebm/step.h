#pragma once
// One step of cyclic boosting: a small tree on the cells of one effect, turned into a table of what
// it adds to the score.
//
// A curve's cells are its value bins in ascending order and, last, the missing one; a surface's are
// those of two curves, row-major (models/gam.h). For cutting, missing values lie below all others,
// as in interpret. With sums G of gradients and H of hessians a leaf adds
//
//   -learning_rate * G / H,       and a cut gains   sum over its parts of G^2 / H, less the whole's
//
// Curve: leaves are cut in two, the best gain first, up to max_leaves.
// Surface: one cut on one axis, then one on the other axis on either side of it, not necessarily
// the same: four leaves. Both orders of axes are tried (interpret 0.2.7).
// A leaf has at least min_leaf_rows rows and a hessian of at least min_leaf_hessian; of equal gains
// the lowest cut wins. Without a cut that gains there is no step.
// Cost: cells * max_leaves; 4 * cells for surfaces.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/boosting/tree/split.h"
#include "glassrank/methods/pairs/cell_sum.h"

namespace glassrank {

struct StepRules {
  std::size_t max_leaves = 3;  // of curves
  double min_leaf_rows = 2;
  double min_leaf_hessian = 1e-3;
  double learning_rate = 0.01;
};

// The cell at a place in the order of cutting: missing first.
inline std::size_t cell_at(std::size_t place, std::size_t num_cells) {
  return place == 0 ? num_cells - 1 : place - 1;
}
inline bool is_leaf(const CellSum& sum, const StepRules& rules) {
  return sum.rows >= rules.min_leaf_rows && sum.hessian >= rules.min_leaf_hessian &&
         sum.hessian > 0;
}
inline double leaf_strength(const CellSum& sum) { return newton_score(sum.gradient, sum.hessian); }
inline float leaf_step(const CellSum& sum, const StepRules& rules) {
  return static_cast<float>(-rules.learning_rate * sum.gradient / sum.hessian);
}
// More than what differences of sums leave of nothing.
inline bool is_gain(double cut, double whole) { return cut - whole > 1e-12 * whole; }

// Memory reused from step to step.
using StepScratch = std::vector<CellSum>;

// Writes what each cell adds and tells whether any cut gained; if not, `step` is zeros.
bool fit_curve(std::span<const CellSum> cells, const StepRules& rules, StepScratch& scratch,
               std::span<float> step);

struct SurfaceCells {
  std::span<const CellSum> cells;
  std::size_t height = 0;  // cells of the first axis, with the missing one
  std::size_t width = 0;
};
bool fit_surface(const SurfaceCells& surface, const StepRules& rules, StepScratch& scratch,
                 std::span<float> step);

}  // namespace glassrank
