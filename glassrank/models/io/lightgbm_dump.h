#pragma once
// LightGBM's JSON dump (Booster.dump_model), which Vespa takes.
//
//   {"name": "tree", "version": "v4", "num_class": 1, "num_tree_per_iteration": 1,
//    "max_feature_idx": 135, "objective": "lambdarank", "feature_names": [...],
//    "tree_info": [{"tree_index": 0, "tree_structure":
//      {"split_feature": 3, "threshold": 9.5, "decision_type": "<=", "default_left": true,
//       "missing_type": "NaN", "split_gain": 3.5, "internal_value": ..., "left_child": {...},
//       "right_child": {"leaf_value": -0.5, "leaf_weight": 1.25, "leaf_count": 80}}}, ...]}
//
// x <= threshold goes left, in double; missing values as in the text model (lightgbm_text.h). Leaf
// values have all their digits, so that scores are those of the text model to the last bit. A split
// on categories has the decision_type "==" and the codes that go left as its threshold, "0||3||7".
// More than one score per row is refused. A base score becomes a first tree of one leaf. The dump
// does not say how the model was trained.

#include <string>
#include <string_view>

#include "glassrank/models/model.h"

namespace glassrank {

// Throws Error{kInput}, "tree T: ..." where a tree is wrong.
Model read_lightgbm_dump(std::string_view text);
std::string write_lightgbm_dump(const Model& model);

}  // namespace glassrank
