#include "glassrank/models/io/ranklib_xml.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/xml_ensemble.h"

namespace glassrank {
namespace {

constexpr std::string_view kPrefix = "ranklib.";

// "## No. of trees = 100" -> {"ranklib.No. of trees", "100"}.
void add_header_line(std::string_view line, Provenance& provenance) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return;
  provenance.emplace_back(fmt::format("{}{}", kPrefix, trim_blanks(line.substr(0, equals))),
                          trim_blanks(line.substr(equals + 1)));
}

}  // namespace

Model read_ranklib_xml(std::string_view text) {
  LineReader lines(text);
  Model model{.body = {}, .provenance = {{"format", "ranklib"}}};
  std::string_view type;
  while (!lines.at_end() && (lines.peek().starts_with("##") || trim_blanks(lines.peek()).empty())) {
    const std::string_view line = lines.next();
    if (trim_blanks(line).empty()) continue;
    if (type.empty()) type = trim_blanks(line.substr(2));
    add_header_line(line.substr(2), model.provenance);
  }
  if (type != "LambdaMART" && type != "MART") {
    fail(ErrorKind::kInput, "RankLib model of type '{}'; only LambdaMART and MART are supported",
         type);
  }
  const std::string_view xml = text.substr(text.size() - lines.bytes_left());
  XmlEnsemble ensemble = read_xml_ensemble(xml, "", NanRule::kAsZero);
  model.body = Forest({.trees = std::move(ensemble.trees),
                       .num_features = ensemble.num_features,
                       .feature_names = {},
                       .base_score = 0,
                       .objective = std::string(type)});
  return model;
}

std::string write_ranklib_xml(const Model& model, const Context& context) {
  const Forest forest = require_forest(model, "a RankLib file");
  require_zeros_compare(forest, "RankLib");
  warn_of_lost_missing(forest, NanRule::kAsZero, "RankLib", context);
  const std::size_t num_trees = forest.trees().size() + (forest.base_score() != 0 ? 1 : 0);
  std::string text = fmt::format("## LambdaMART\n## No. of trees = {}\n## No. of leaves = {}\n",
                                 num_trees, most_leaves(forest));
  for (const auto& [key, value] : model.provenance) {
    if (!key.starts_with(kPrefix)) continue;
    const std::string_view name = std::string_view(key).substr(kPrefix.size());
    if (name == "No. of trees" || name == "No. of leaves") continue;
    if (key.find('\n') != std::string::npos || value.find('\n') != std::string::npos) continue;
    text += fmt::format("## {} = {}\n", name, value);
  }
  text += '\n';
  write_xml_ensemble(text, forest);
  return text;
}

}  // namespace glassrank
