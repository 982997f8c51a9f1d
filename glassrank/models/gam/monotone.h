#pragma once
// Whether an additive model is monotone in a feature, and the nearest model that is.
//
// All effects with the feature x count together: its curve c and its surfaces S_j with other
// features z_j. At an edge of x (of any of them) the score changes by
//   rise(z) = dc + sum over j of dS_j(z_j)         d: cell above the edge less the cell below it
// The z_j are different features, so the smallest rise is dc + sum over j of min_z dS_j(z): the
// model never falls with x if that is not negative at any edge. Missing values of x have no place
// in the order; those of z count like any other.
//
// nearest_monotone() moves the values of all these effects as little as possible, in weighted
// squares over their cells, so that the smallest rise is >= 0 at every edge: a quadratic program.
// It is solved by Dykstra's projections, one edge after the other. The projection on one edge's
// condition is exact: the cells at the edge share what is missing (Newton's method on a concave
// function that is linear in pieces). A last pass takes away what rounding leaves.
// Cost: sweeps over all cells next to edges, mostly some hundreds.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "glassrank/models/gam/gam.h"

namespace glassrank {

// Of a model in one feature: by how much a score can fall and rise between neighbouring cells.
struct Monotonicity {
  double largest_fall = 0;
  double largest_rise = 0;
  float fall_edge = 0;  // where these are
  float rise_edge = 0;

  bool never_falls() const { return largest_fall == 0; }
  bool never_rises() const { return largest_rise == 0; }
};
// Changes within the rounding of a sum of the model's values count as none.
Monotonicity monotonicity(const Gam& gam, std::uint32_t feature);

struct MonotoneRule {
  std::uint32_t feature = 0;
  double sign = 1;  // 1: up, -1: down
  // Edges of x with low <= edge < high.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};
// The effects of the nearest model. Weights are those of the cells; cells without rows weigh next
// to nothing, and all alike where no weights are known. Cells that are not moved keep their bits.
std::vector<GamEffect> nearest_monotone(const Gam& gam, const MonotoneRule& rule);

}  // namespace glassrank
