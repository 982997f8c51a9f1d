#pragma once
// Solr's learning to rank: MultipleAdditiveTreesModel in JSON, as it is uploaded to the model
// store.
//
//   {"class": "org.apache.solr.ltr.model.MultipleAdditiveTreesModel", "name": "glassrank",
//    "features": [{"name": "price"}, {"name": "bm25"}],
//    "params": {"trees": [{"weight": "1", "root":
//      {"feature": "price", "threshold": "9.5", "left": {"value": "0.25"},
//       "right": {"value": "-0.5"}}}, ...]}}
//
// Numbers are texts or numbers, float32. Solr adds 1e-6 to every threshold (in float32) and sends
// x <= threshold + 1e-6 left; reading does the same, and writing takes it off again, so that the
// sum is our threshold or, near 0, the nearest below. A missing value counts as 0
// (isNullSameAsZero), or goes where the node's `missing` says if that is false. Sums are float32
// there: scores agree to its rounding. Features are known by their names in the feature store, and
// there are as many as are listed. Normalisers of features are refused. A base score becomes a
// first tree of one leaf; features without names are called by their numbers, from 1.

#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Throws Error{kInput}, "tree T: ..." where a tree is wrong.
Model read_solr_json(std::string_view text);
// A notice tells of thresholds and missing values that are lost.
std::string write_solr_json(const Model& model, const Context& context);

}  // namespace glassrank
