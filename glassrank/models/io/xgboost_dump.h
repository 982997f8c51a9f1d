#pragma once
// XGBoost's JSON dump (get_dump(dump_format="json"), dump_model): what Elasticsearch and OpenSearch
// LTR take as model/xgboost+json.
//
//   [{"nodeid": 0, "split": "price", "split_condition": 9.5, "yes": 1, "no": 2, "missing": 1,
//     "gain": 3.5, "cover": 120,                        with_stats=True only
//     "children": [{"nodeid": 1, "leaf": 0.25}, {"nodeid": 2, "leaf": -0.5}]}, ...]
//
// or {"objective": "rank:ndcg", "splits": [...]}, as Elasticsearch has it too. x < split_condition
// goes to `yes`, in float32; a missing value to `missing`. A dump has no base_score (scores are
// lower by it, rankings the same), not how many features there are, and of their names those that
// are used: f0, f1, ... are numbers of columns. Splits on categories and indicators are refused.
//
// Written: an array, numbers as float32; a base score becomes a first tree of one leaf.

#include <string>
#include <string_view>

#include "glassrank/models/model.h"

namespace glassrank {

// Throws Error{kInput}, "tree T: ..." where a tree is wrong.
Model read_xgboost_dump(std::string_view text);
// Throws Error{kInput} for what XGBoost cannot express.
std::string write_xgboost_dump(const Model& model);

}  // namespace glassrank
