#pragma once
// CatBoost's JSON model (save_model(path, format="json")); read only.
//
//   {"features_info": {"float_features": [{"flat_feature_index": 0, "feature_id": "price",
//                                          "nan_value_treatment": "AsFalse", ...}, ...]},
//    "oblivious_trees": [{"splits": [{"border": 9.5, "float_feature_index": 0,
//                                     "split_type": "FloatFeature"}, ...],
//                         "leaf_values": [...], "leaf_weights": [...]}, ...],
//    "scale_and_bias": [1, [0.25]]}
//
// An oblivious tree of depth d asks the same question at all nodes of a level; bit i of a leaf's
// number is x > border of split i. It becomes a tree of 2^d - 1 nodes, split d - 1 at the root.
// Other trees (grow_policy Depthwise, Lossguide) are under "trees", nested. A missing value is
// below every border (AsFalse), above (AsTrue), or below as any comparison with it fails (AsIs).
// The score is bias + scale * sum of leaves. Categories, texts and embeddings are refused, as are
// several outputs.

#include <string_view>

#include "glassrank/models/model.h"

namespace glassrank {

// Throws Error{kInput}, "tree T: ..." where a tree is wrong.
Model read_catboost_json(std::string_view text);

}  // namespace glassrank
