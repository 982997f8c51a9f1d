#pragma once
// LightGBM's text model (save_model, model_to_string): versions v3 and v4 read, v4 written.
//
// Semantics, from LightGBM's own decision function:
//   x <= threshold goes left, in double: the threshold becomes the largest float32 not above it,
//     which is the same test for float32 data;
//   missing_type None: NaN is taken as 0, so missing_left = (0 <= threshold);
//   missing_type Zero: NaN and |x| <= 1e-35 go to the default side: zero_is_missing;
//   missing_type NaN:  NaN goes to the default side.
// average_output (random forests): leaf values are divided by the number of trees, so that a sum
// remains: LightGBM's predict up to rounding (its raw_score is not divided). Linear trees
// and more than one class are refused, naming the tree. A split on categories sends those of its
// set left, everything else right, NaN too; their names are the last line, pandas_categorical.
//
// Written: thresholds and leaf values with 17 digits; a base score as a first tree of one leaf (the
// same sum, in the same order); missing_type None comes back as NaN with the same effect; blanks in
// feature names become '_', as in LightGBM. Provenance lines "lightgbm.*" (parameters and
// feature_infos of a model that was read) are written back; for other models feature_infos holds
// the range of the thresholds.

#include <string>
#include <string_view>

#include "glassrank/models/model.h"

namespace glassrank {

inline constexpr int kLightgbmDefaultLeft = 2;  // bit of a decision_type

// Throws Error{kInput} "tree T: ...".
Model read_lightgbm_text(std::string_view text);

std::string write_lightgbm_text(const Model& model);

}  // namespace glassrank
