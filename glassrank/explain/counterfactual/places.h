#pragma once
// The values of a document's features that a counterfactual search chooses from.
//
// A feature has places in ascending order of value: the value it has, and for every other cell of
// the model the nearest allowed value in that cell. Values between them make no difference to the
// score and cost more, so nothing is lost. A line, a network or a black box has no cells: its
// places are values that occur in the background data, evenly by rows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/explain/counterfactual/limits.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct FeaturePlaces {
  std::vector<float> values;  // ascending; a single NaN where the value is missing
  std::vector<double> costs;  // of each, in spreads; 0 at `own`
  std::vector<float> ends;    // the value farthest away that is in the same cell
  std::uint32_t own = 0;      // the place of the present value

  std::size_t size() const { return values.size(); }
  bool can_move() const { return values.size() > 1; }
};

// One per feature. `num_values`: of a black box.
std::vector<FeaturePlaces> feature_places(const Subject& subject, std::span<const float> row,
                                          std::span<const FeatureLimit> limits,
                                          std::size_t num_values);

}  // namespace glassrank
