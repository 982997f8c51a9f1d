#pragma once
// RankLib's models of trees: "## LambdaMART" and other lines (ranklib.h), then an <ensemble> of
// trees (xml_ensemble.h); of Random Forests one per bag, whose scores are averaged.
//
// LambdaMART, MART and Random Forests are read and LambdaMART is written. RankLib takes a missing
// value as 0, so missing_left = (0 <= threshold) on reading; writing a model that sends missing
// values elsewhere gives a notice, and one that treats zero itself as missing is refused where that
// matters. RankLib adds float32: its scores agree with ours to float32 rounding.

#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Throws Error{kInput}.
Model read_ranklib_xml(std::string_view text);
std::string write_ranklib_xml(const Model& model, const Context& context);

}  // namespace glassrank
