#include "cli/inspect_verify.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/gam/verify_gam.h"

namespace glassrank::cli {
namespace {

Json verification_json(const std::string& file, const Verification& found,
                       std::span<const std::string> names) {
  const auto named = [&](std::span<const std::uint32_t> features) {
    Json list = Json::array();
    for (const std::uint32_t f : features) list.push_back(names[f]);
    return list;
  };
  Json json = {{"model", file},
               {"additive", found.is_additive()},
               {"heredity", found.has_heredity()},
               {"num_features", found.num_features}};
  if (found.is_forest) json["num_trees"] = found.num_trees;
  json["no_power"] = named(found.without_power);
  json["effects"] = Json::array();
  for (const VerifiedEffect& effect : found.effects) {
    Json line = {{"features", named(effect.features)}};
    if (found.is_forest) line["trees"] = effect.num_trees;
    json["effects"].push_back(std::move(line));
  }
  json["constant"] = Json::array();
  for (const auto& features : found.constant) json["constant"].push_back(named(features));
  json["large_trees"] = Json::array();
  for (const auto& tree : found.large_trees) {
    json["large_trees"].push_back({{"tree", tree.tree}, {"features", named(tree.features)}});
  }
  json["orphans"] = Json::array();
  for (const auto& orphan : found.orphans) {
    json["orphans"].push_back(
        {{"features", named(orphan.pair)}, {"without_curve", named(orphan.without_curve)}});
  }
  return json;
}

}  // namespace

void inspect_verification(const std::string& file, const Model& model, Output& output) {
  const Verification found = verify(model);
  const std::vector<std::string> names =
      display_names(num_features_of(model), feature_names_of(model), {});
  if (output.json) {
    // Names come from files and may be in any encoding.
    output.out
        << verification_json(file, found, names).dump(2, ' ', false, Json::error_handler_t::replace)
        << '\n';
  } else {
    output.out << fmt::format("model       {}\n{}", file, verification_text(found, names));
  }
  if (found.is_additive()) return;
  output.out.flush();
  fail(ErrorKind::kInput, "{} is not additive: tree {} uses {} features", file,
       found.large_trees[0].tree, found.large_trees[0].features.size());
}

}  // namespace glassrank::cli
