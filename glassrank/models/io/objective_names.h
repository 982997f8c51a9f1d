#pragma once
// What one program calls an objective in another program's words.
//
// A forest keeps the name its trainer gave. The written file needs a name the other program knows,
// for that program turns raw scores into predictions by it. Only objectives that mean the same are
// translated; everything else becomes the neutral one, under which a prediction is the raw score.

#include <string>
#include <string_view>

namespace glassrank {

// Empty, which LightGBM takes as "raw scores", when there is no counterpart.
std::string lightgbm_objective(std::string_view objective);

// "reg:squarederror", whose prediction is the raw score, when there is no counterpart.
std::string xgboost_objective(std::string_view objective);

// How XGBoost turns its base_score into a raw score.
enum class XgboostLink { kIdentity, kLogit, kLog };

// Throws Error{kInput} for objectives with several outputs or an unknown link.
XgboostLink xgboost_link(std::string_view objective);
// The raw score of a base_score, computed in float32 as XGBoost does; throws Error{kInput} where
// there is none (a probability of 0).
double xgboost_raw_base(XgboostLink link, float base_score);
// Its inverse.
double xgboost_base_of_raw(XgboostLink link, double raw);

}  // namespace glassrank
