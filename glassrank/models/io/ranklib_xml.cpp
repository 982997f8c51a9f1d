#include "glassrank/models/io/ranklib_xml.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/trim.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/io/ranklib.h"
#include "glassrank/models/io/xml_ensemble.h"

namespace glassrank {

namespace {

constexpr std::string_view kEnsembleEnd = "</ensemble>";

// A file of one ensemble as a whole, mistakes and all; each of several on its own.
std::vector<std::string_view> ensembles_in(std::string_view body) {
  std::vector<std::string_view> parts;
  for (std::size_t end = body.find(kEnsembleEnd); end != std::string_view::npos;
       end = body.find(kEnsembleEnd)) {
    parts.push_back(body.substr(0, end + kEnsembleEnd.size()));
    body.remove_prefix(parts.back().size());
    if (trim_blanks(body).empty()) return parts;
  }
  parts.push_back(body);
  return parts;
}

}  // namespace

Model read_ranklib_xml(std::string_view text) {
  RanklibHeader header = read_ranklib_header(text);
  std::vector<XmlEnsemble> bags;
  std::size_t num_features = 0;
  const bool has_bags = header.type == "Random Forests";
  for (const std::string_view xml :
       has_bags ? ensembles_in(header.body) : std::vector{header.body}) {
    bags.push_back(read_xml_ensemble(xml, "", NanRule::kAsZero));
    num_features = std::max(num_features, bags.back().num_features);
  }
  std::vector<Forest> forests;
  for (XmlEnsemble& bag : bags) {
    forests.push_back(Forest({.trees = std::move(bag.trees),
                              .num_features = num_features,
                              .feature_names = {},
                              .base_score = 0,
                              .objective = std::string(header.type)}));
  }
  return {.body = mean_forest(forests), .provenance = std::move(header.provenance)};
}

std::string write_ranklib_xml(const Model& model, const Context& context) {
  const Forest forest = require_forest(model, "a RankLib file");
  require_comparisons(forest, "RankLib");
  require_zeros_compare(forest, "RankLib");
  warn_of_lost_missing(forest, NanRule::kAsZero, "RankLib", context);
  const std::size_t num_trees = forest.trees().size() + (has_constant_tree(forest) ? 1 : 0);
  std::string text = ranklib_header("LambdaMART", model.provenance,
                                    {{"No. of trees", fmt::format("{}", num_trees)},
                                     {"No. of leaves", fmt::format("{}", most_leaves(forest))}});
  text += '\n';
  write_xml_ensemble(text, forest);
  return text;
}

}  // namespace glassrank
