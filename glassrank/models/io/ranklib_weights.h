#pragma once
// RankLib's models of weights, all in one line:
//
//   ## Linear Regression   0:bias 1:weight 2:weight ...          score = bias + sum of weight * x
//   ## Coordinate Ascent   1:weight 2:weight ...                 score = sum of weight * x
//   ## RankBoost           feature:threshold:weight ...          score = sum of weight * [x >
//   threshold]
//
// RankLib writes the first feature's weight where its bias belongs and reads it back as the bias:
// all scores are off by the same amount, and no ranking changes. We read what is written.
// A RankBoost model is additive: curves with a step at every threshold, objective "rankboost".

#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Throw Error{kInput} naming the word that is not as above, a feature that comes twice.
Model read_ranklib_linear(std::string_view text);
Model read_ranklib_boost(std::string_view text);

// Missing values that count as another number than 0 are lost, with a notice.
std::string write_ranklib_linear(const Model& model, const Context& context);
// Whether the model was trained by RankBoost and is still curves alone.
bool is_ranklib_boost(const Gam& gam);
std::string write_ranklib_boost(const Model& model, const Context& context);

}  // namespace glassrank
