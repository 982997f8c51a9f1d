#pragma once
// What of a feature's axis a picture of an additive model shows.
//
// The cells that hold the middle 99 % of the rows, between two finite ends; logarithmic where the
// edges are positive, span more than 300 to 1 and most rows lie low. Open cells at the ends get
// some room beyond their edge, but none where the data have no value. An edge within 1e-35 of 0 is
// drawn at 0: it is how LightGBM writes the border between 0 and what is above, and an axis down to
// 1e-35 would show nothing else.

#include <cstddef>
#include <optional>
#include <span>

#include "glassrank/models/gam/gam.h"
#include "glassrank/report/plots/ticks.h"

namespace glassrank {

// The values that a feature has in data.
struct FeatureRange {
  double low = 0;
  double high = 0;
  bool is_switch = false;  // 0 and 1 are the only ones
};

struct ShownAxis {
  std::size_t first = 0;  // cell
  std::size_t last = 0;
  Span span;
  bool log = false;
  double outside = 0;  // share of the rows

  // Where a shown cell begins and ends, within the span.
  Span of_cell(const GamAxis& axis, std::size_t cell) const;
};

// `weights` of the rows by cell, or empty: not known.
ShownAxis shown_axis(const GamAxis& axis, std::span<const double> weights,
                     const std::optional<FeatureRange>& range = {});

// Where an edge stands on an axis.
double place_of_edge(float edge);

}  // namespace glassrank
