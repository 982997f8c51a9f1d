#pragma once
// RankLib's model files (RankyMcRankFace, Elasticsearch-LTR, OpenSearch-LTR), by what they hold:
//
//   ## LambdaMART, ## MART, ## Random Forests    trees in XML               (ranklib_xml.h)
//   ## Linear Regression, ## Coordinate Ascent   "feature:weight" in a line (ranklib_weights.h)
//   ## RankBoost                                 "feature:threshold:weight" (ranklib_weights.h)
//   ## RankNet                                   weights of units           (ranklib_net.h)
//
// Lines "## key = value" become provenance. RankLib takes a missing value as 0 and computes in
// float32: its scores agree with ours to that rounding.

#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/models/model.h"

namespace glassrank {

// The lines above the model.
struct RanklibHeader {
  std::string_view type;  // "LambdaMART"
  Provenance provenance;  // {"format", "ranklib"}, {"ranklib.No. of trees", "100"}, ...
  std::string_view body;  // what follows them
};
RanklibHeader read_ranklib_header(std::string_view text);
// "## TYPE", then what the provenance has of other lines but those named.
std::string ranklib_header(std::string_view type, const Provenance& provenance,
                           const Provenance& own_lines);

// Throw Error{kInput}: a type we do not know, a model RankLib has no file for.
Model read_ranklib(std::string_view text);
std::string write_ranklib(const Model& model, const Context& context);

}  // namespace glassrank
