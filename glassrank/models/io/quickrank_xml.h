#pragma once
// QuickRank's XML models: <ranker>, in it <info> (type and training parameters) and an <ensemble>
// of trees (xml_ensemble.h).
//
// Any type with an ensemble is read. QuickRank compares without looking for missing values, so NaN
// fails x <= threshold and goes right; writing a model that sends missing values left gives a
// notice, and one that treats zero as missing is refused where that matters.

#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Throws Error{kInput}.
Model read_quickrank_xml(std::string_view text);
std::string write_quickrank_xml(const Model& model, const Context& context);

}  // namespace glassrank
