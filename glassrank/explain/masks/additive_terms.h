#pragma once
// An additive model as a sum over what is known: for one document against a reference row,
//   score(S) = constant + sum over f in S of single[f] + sum over pairs f, g in S of pair[f, g]
// because every curve and surface depends on one or two features. With v the table, x the
// document's cells and r the reference's,
//   curve f:      constant += v(r)      single[f] += v(x) - v(r)
//   surface f,g:  constant += v(r, r)   single[f] += v(x, r) - v(r, r)   single[g] likewise
//                 pair[f, g] += v(x, x) - v(x, r) - v(r, x) + v(r, r)
// Terms of several references add up: their sum is that of the scores. Whole numbers
// (fixed_point.h).

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/masks/fixed_point.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

struct AdditiveTerms {
  Fixed constant = 0;
  std::vector<Fixed> singles;  // by feature
  std::vector<Fixed> pairs;    // by surface, in the order of AdditiveTable::surfaces
};

class AdditiveTable {
 public:
  // Sums of up to `num_summed` scores must fit.
  AdditiveTable(const Gam& gam, std::size_t num_summed);

  const Gam& gam() const { return gam_; }
  const FixedPoint& point() const { return point_; }
  // The features of each surface.
  std::span<const std::pair<std::uint32_t, std::uint32_t>> surfaces() const { return surfaces_; }

  // The cells of a row: one or two per effect, in order.
  std::vector<std::size_t> cells_of(std::span<const float> row) const;
  AdditiveTerms no_terms() const;
  void add_terms(std::span<const std::size_t> document, std::span<const std::size_t> reference,
                 AdditiveTerms& terms) const;

 private:
  Gam gam_;
  FixedPoint point_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> surfaces_;
};

}  // namespace glassrank
