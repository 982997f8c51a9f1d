#include "glassrank/models/io/quickrank_xml.h"

#include <fmt/format.h>

#include "glassrank/models/io/xml_ensemble.h"

namespace glassrank {

Model read_quickrank_xml(std::string_view text) {
  XmlEnsemble ensemble = read_xml_ensemble(text, "ranker", NanRule::kGoesRight);
  Model model{.body = {}, .provenance = {{"format", "quickrank"}}};
  std::string type;
  for (const auto& [key, value] : ensemble.info) {
    if (key == "type") type = value;
    model.provenance.emplace_back("quickrank." + key, value);
  }
  model.body = Forest({.trees = std::move(ensemble.trees),
                       .num_features = ensemble.num_features,
                       .feature_names = {},
                       .base_score = 0,
                       .objective = type == "LAMBDAMART" ? "LambdaMART" : type});
  return model;
}

std::string write_quickrank_xml(const Model& model, const Context& context) {
  const Forest forest = require_forest(model, "a QuickRank file");
  require_comparisons(forest, "QuickRank");
  require_zeros_compare(forest, "QuickRank");
  warn_of_lost_missing(forest, NanRule::kGoesRight, "QuickRank", context);
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<ranker>\n<info>\n<type>LAMBDAMART</type>\n<trees>{}</trees>\n"
      "<leaves>{}</leaves>\n<shrinkage>1</shrinkage>\n</info>\n",
      forest.trees().size() + (has_constant_tree(forest) ? 1 : 0), most_leaves(forest));
  write_xml_ensemble(text, forest);
  text += "</ranker>\n";
  return text;
}

}  // namespace glassrank
