#pragma once
// XGBoost's models (save_model): JSON and UBJSON read, JSON written.
//
// Semantics: x < split_condition goes left, in float32, which is x <= the next float32 below;
// a missing value goes left iff default_left; the score is base_score brought to the raw scale by
// the objective's link (a probability by logit, a mean of counts by log) plus the leaves. XGBoost
// adds in float32, we in double: scores agree to float32 rounding. Boosters gbtree and dart (leaf
// values times the tree's weight) are read; gblinear, categorical splits, vector leaves and more
// than one class or target are refused. base_score is understood as "5E-1" (to 3.0) and "[5E-1]".
// A model that was stopped early has best_iteration among its attributes: the trees up to that
// round are read, as XGBRanker.predict uses them, unless all are asked for.
//
// Written: names that are only the numbers of columns are left out, since XGBoost refuses data
// without names for a model that has some, but if they count from 1 an attribute says so; nodes in
// breadth-first order with siblings side by side, as XGBoost's predictor needs; leaf values and
// base_score rounded to float32; base_score as "5E-1", which all versions read. An infinite
// condition is written 1e39, which XGBoost reads as infinity; x <= inf (LightGBM: missing against
// all the rest) becomes x < inf, the same for every value XGBoost accepts in data. A node where
// zero counts as missing can be written only if zero goes the same way by comparison.

#include <string>
#include <string_view>

#include "glassrank/models/io/read_params.h"
#include "glassrank/models/model.h"

namespace glassrank {

// A line of provenance: the file is ours, and its column 0 is feature 1 of LETOR text.
inline constexpr std::string_view kXgboostFirstFeature = "xgboost.first_feature";

// Throw Error{kInput}, "tree T: ..." where a tree is wrong.
Model read_xgboost_json(std::string_view text, const ModelReadParams& read = {});
Model read_xgboost_ubjson(std::string_view bytes, const ModelReadParams& read = {});

// Throws Error{kInput} "tree T, node N: ..." for what XGBoost cannot express.
std::string write_xgboost_json(const Model& model);

}  // namespace glassrank
