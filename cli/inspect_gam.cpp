#include "cli/inspect_gam.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/folders.h"
#include "glassrank/base/json.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/explain/effect_importance.h"
#include "glassrank/models/forest/forest_summary.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/report/plots/effect_plot.h"

namespace glassrank::cli {
namespace {

constexpr std::size_t kMaxCharacters = 80;  // of a provenance value

std::string dumped(const Json& json) {
  // Names come from files and may be in any encoding.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> names_of(const Gam& gam) {
  return display_names(
      Forest({.trees = {},
              .num_features = gam.num_features(),
              .feature_names = {gam.feature_names().begin(), gam.feature_names().end()}}));
}

bool has_all(const Gam& gam, std::vector<double> GamEffect::* cells) {
  return std::ranges::all_of(gam.effects(),
                             [&](const GamEffect& effect) { return !(effect.*cells).empty(); });
}

// "price_x_pages.svg": what any file system takes, numbered by importance so that a folder lists
// what matters first.
std::string file_name(std::size_t place, const std::string& effect) {
  std::string name;
  for (const char c : effect) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.';
    name += plain ? c : '_';
  }
  return fmt::format("{:03}_{}.svg", place + 1, name.substr(0, 80));
}

std::vector<std::string> write_plots(const Gam& gam, std::span<const std::size_t> order,
                                     const std::string& folder) {
  const std::vector<std::string> names = names_of(gam);
  make_folder(folder);
  std::vector<std::string> files;
  for (std::size_t place = 0; place < order.size(); ++place) {
    files.push_back(
        (std::filesystem::path(folder) / file_name(place, gam.effect_name(order[place]))).string());
    write_text_file(files.back(), draw_effect(gam, order[place], names).svg());
  }
  return files;
}

// What is known of the cells beside their values.
void add_cells(TextColumns& table, const Gam& gam, bool from_data) {
  const char* const weights = from_data ? "of the rows of --data"
                              : has_all(gam, &GamEffect::weights)
                                  ? "in the file"
                                  : "not in the file; --data gives them";
  table.add({"weights", weights});
  table.add({"errors", has_all(gam, &GamEffect::errors) ? "over bags" : "not known"});
}

void print_summary(const GamInspection& inspection, const LoadedModel& loaded, const Gam& gam,
                   bool from_data, Output& output) {
  const Verification found = verify({.body = gam, .provenance = {}});
  const auto num_pairs = static_cast<std::size_t>(
      std::ranges::count_if(gam.effects(), [](const auto& effect) { return effect.is_pair(); }));
  std::size_t num_cells = 0;
  for (const GamEffect& effect : gam.effects()) num_cells += effect.num_cells();
  TextColumns table;
  table.add({"model", inspection.model});
  table.add({"format", fmt::format("{}: {}", loaded.format.name, loaded.format.doc)});
  table.add({"objective", gam.objective().empty() ? "not known" : gam.objective()});
  table.add({"effects", fmt::format("{} curves, {} surfaces of {} cells",
                                    gam.effects().size() - num_pairs, num_pairs, num_cells)});
  table.add({"features", fmt::format("{}, {} of them used", found.num_features,
                                     found.num_features - found.without_power.size())});
  table.add({"intercept", fmt::format("{}", gam.intercept())});
  if (!gam.effects().empty()) add_cells(table, gam, from_data);
  output.out << table.text() << provenance_text(loaded.model.provenance);
  const std::string effects = effect_table(gam, inspection.top);
  if (!effects.empty()) output.out << '\n' << effects;
}

void print_json(const GamInspection& inspection, const LoadedModel& loaded, const Gam& gam,
                std::span<const std::size_t> order, std::span<const std::string> plots,
                Output& output) {
  Json json = {{"model", inspection.model},
               {"format", loaded.format.name},
               {"objective", gam.objective()},
               {"num_features", gam.num_features()},
               {"intercept", gam.intercept()}};
  json["provenance"] = Json::object();
  for (const auto& [key, value] : loaded.model.provenance) json["provenance"][key] = value;
  json["effects"] = Json::array();
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (inspection.top > 0 && place >= inspection.top) break;
    const GamEffect& effect = gam.effects()[order[place]];
    const EffectImportance importance = importance_of(effect);
    Json line = {{"name", gam.effect_name(order[place])}, {"features", Json::array()}};
    for (const GamAxis& axis : effect.axes) line["features"].push_back(axis.feature + 1);
    line["cells"] = effect.num_cells();
    if (importance.weighted) line["mean_effect"] = *importance.weighted;
    line["mean_cell"] = importance.unweighted;
    if (place < plots.size()) line["plot"] = plots[place];
    json["effects"].push_back(std::move(line));
  }
  output.out << dumped(json);
}

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

std::string provenance_text(const Provenance& provenance) {
  constexpr std::string_view kParams = "params.";
  TextColumns table;
  std::vector<std::string> params;  // lines
  for (const auto& [key, value] : provenance) {
    if (key.starts_with(kParams)) {
      const std::string param = fmt::format("{}={}", key.substr(kParams.size()), value);
      if (params.empty() || params.back().size() + param.size() >= kMaxCharacters) {
        params.push_back(param);
      } else {
        params.back() += fmt::format(" {}", param);
      }
    } else if (!value.empty()) {
      table.add({fmt::format("  {}", key), value.size() <= kMaxCharacters
                                               ? value
                                               : value.substr(0, kMaxCharacters) + " ..."});
    }
  }
  for (std::size_t i = 0; i < params.size(); ++i) table.add({i == 0 ? "  params" : "", params[i]});
  const std::string text = table.text();
  return text.empty() ? "" : fmt::format("provenance\n{}", text);
}

void inspect_gam(const GamInspection& inspection, const LoadedModel& loaded,
                 const std::optional<Dataset>& data, const Context& context, Output& output) {
  const auto& held = std::get<Gam>(loaded.model.body);
  const Gam gam = data ? with_weights(held, *data, context) : held;
  std::vector<EffectImportance> importances;
  for (const GamEffect& effect : gam.effects()) importances.push_back(importance_of(effect));
  const std::vector<std::size_t> order = effects_by_importance(importances);
  std::vector<std::string> plots;
  if (!inspection.plots.empty()) plots = write_plots(gam, order, inspection.plots);
  if (output.json) {
    print_json(inspection, loaded, gam, order, plots, output);
    return;
  }
  print_summary(inspection, loaded, gam, data.has_value(), output);
  if (!plots.empty()) {
    output.out << fmt::format("\n{} pictures in {}\n", plots.size(), inspection.plots);
  }
}

void inspect_verification(const std::string& file, const Model& model, Output& output) {
  const Verification found = verify(model);
  const auto* gam = std::get_if<Gam>(&model.body);
  const std::vector<std::string> names =
      gam != nullptr ? names_of(*gam) : display_names(std::get<Forest>(model.body));
  if (output.json) {
    output.out << dumped(verification_json(file, found, names));
  } else {
    output.out << fmt::format("model       {}\n{}", file, verification_text(found, names));
  }
  if (found.is_additive()) return;
  output.out.flush();
  fail(ErrorKind::kInput, "{} is not additive: tree {} uses {} features", file,
       found.large_trees[0].tree, found.large_trees[0].features.size());
}

}  // namespace glassrank::cli
