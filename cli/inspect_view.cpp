#include "cli/inspect_view.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/folders.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/explain/effect_importance.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/forest/forest_summary.h"
#include "glassrank/models/forest/tree_json.h"
#include "glassrank/models/forest/tree_text.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/report/plots/effect_plot.h"

namespace glassrank::cli {
namespace {

constexpr std::size_t kMaxListed = 20;  // names in a list

std::string listed(std::span<const std::uint32_t> features, std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(features.size(), kMaxListed); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", names[features[i]]);
  }
  if (features.size() > kMaxListed) {
    text += fmt::format(" and {} more", features.size() - kMaxListed);
  }
  return text;
}

std::vector<std::vector<std::string>> summary_lines(const Forest& forest,
                                                    const ForestSummary& summary,
                                                    std::span<const std::string> names) {
  std::vector<std::vector<std::string>> lines = {
      {"trees", fmt::format("{}", summary.num_trees)},
      {"leaves",
       fmt::format("{}, {} in the largest tree", summary.num_leaves, summary.most_leaves)},
      {"depth", fmt::format("{} at most, {:.1f} in the mean over leaves", summary.depth,
                            summary.mean_leaf_depth)},
      {"features", fmt::format("{}, {} of them used", forest.num_features(), summary.used.size())}};
  if (!summary.unused.empty()) lines.push_back({"unused", listed(summary.unused, names)});
  lines.push_back({"base score", fmt::format("{}", forest.base_score())});
  if (!summary.has_gains) {
    lines.push_back({"gains", "not in the file: there is no importance by gain"});
  }
  if (!summary.has_counts) lines.push_back({"counts", "of documents are not in the file"});
  return lines;
}

KindView view_of_forest(const Forest& forest, const ViewRequest& request) {
  const ForestSummary summary = summarise(forest);
  KindView view{.objective = forest.objective(),
                .lines = summary_lines(forest, summary, request.names)};
  view.facts = {{"num_trees", summary.num_trees},
                {"num_leaves", summary.num_leaves},
                {"most_leaves", summary.most_leaves},
                {"depth", summary.depth},
                {"mean_leaf_depth", summary.mean_leaf_depth},
                {"num_features", forest.num_features()},
                {"num_used", summary.used.size()},
                {"base_score", forest.base_score()},
                {"has_gains", summary.has_gains},
                {"has_counts", summary.has_counts}};
  view.facts["unused"] = Json::array();
  for (const std::uint32_t f : summary.unused) view.facts["unused"].push_back(request.names[f]);
  for (const std::size_t tree : request.trees) {
    view.parts += '\n' + tree_text(forest, tree, request.names);
    view.part_facts["trees"].push_back(tree_json(forest, tree, request.names));
  }
  return view;
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
  if (folder.empty()) return {};
  const std::vector<std::string> names = display_names(gam);
  make_folder(folder);
  std::vector<std::string> files;
  for (std::size_t place = 0; place < order.size(); ++place) {
    files.push_back(
        (std::filesystem::path(folder) / file_name(place, gam.effect_name(order[place]))).string());
    write_text_file(files.back(), draw_effect(gam, order[place], names).svg());
  }
  return files;
}

std::vector<std::vector<std::string>> summary_lines(const Gam& gam, bool weights_of_data) {
  const Verification found = verify(gam);
  const auto num_pairs =
      static_cast<std::size_t>(std::ranges::count_if(gam.effects(), &GamEffect::is_pair));
  std::size_t num_cells = 0;
  for (const GamEffect& effect : gam.effects()) num_cells += effect.num_cells();
  std::vector<std::vector<std::string>> lines = {
      {"effects", fmt::format("{} curves, {} surfaces of {} cells",
                              gam.effects().size() - num_pairs, num_pairs, num_cells)},
      {"features", fmt::format("{}, {} of them used", found.num_features,
                               found.num_features - found.without_power.size())},
      {"intercept", fmt::format("{}", gam.intercept())}};
  if (gam.effects().empty()) return lines;
  const char* const weights = weights_of_data ? "of the rows of --data"
                              : has_all(gam, &GamEffect::weights)
                                  ? "in the file"
                                  : "not in the file; --data gives them";
  lines.push_back({"weights", weights});
  lines.push_back({"errors", has_all(gam, &GamEffect::errors) ? "over bags" : "not known"});
  return lines;
}

Json effect_json(const Gam& gam, std::size_t e) {
  const GamEffect& effect = gam.effects()[e];
  const EffectImportance importance = importance_of(effect);
  Json json = {{"name", gam.effect_name(e)}, {"features", Json::array()}};
  for (const GamAxis& axis : effect.axes) json["features"].push_back(axis.feature + 1);
  json["cells"] = effect.num_cells();
  if (importance.weighted) json["mean_effect"] = *importance.weighted;
  json["mean_cell"] = importance.unweighted;
  return json;
}

KindView view_of_gam(const Gam& held, const ViewRequest& request, const Context& context) {
  const Gam gam = request.data ? with_weights(held, *request.data, context) : held;
  std::vector<EffectImportance> importances;
  for (const GamEffect& effect : gam.effects()) importances.push_back(importance_of(effect));
  const std::vector<std::size_t> order = effects_by_importance(importances);
  const std::vector<std::string> plots = write_plots(gam, order, request.plots);
  KindView view{.objective = gam.objective(),
                .lines = summary_lines(gam, request.data.has_value())};
  view.facts = {{"num_features", gam.num_features()}, {"intercept", gam.intercept()}};
  const std::string table = effect_table(gam, request.top);
  if (!table.empty()) view.parts = '\n' + table;
  if (!plots.empty())
    view.parts += fmt::format("\n{} pictures in {}\n", plots.size(), request.plots);
  Json& effects = view.part_facts["effects"];
  effects = Json::array();
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (request.top > 0 && place >= request.top) break;
    effects.push_back(effect_json(gam, order[place]));
    if (!plots.empty()) effects.back()["plot"] = plots[place];
  }
  return view;
}

// Features by descending amount of their weights.
KindView view_of_linear(const Linear& linear, const ViewRequest& request) {
  std::vector<std::uint32_t> order = linear.used_features();
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(linear.weights()[a]) > std::abs(linear.weights()[b]);
  });
  KindView view{.objective = linear.objective()};
  view.lines = {
      {"features", fmt::format("{}, {} of them used", linear.num_features(), order.size())},
      {"intercept", fmt::format("{}", linear.intercept())}};
  view.facts = {{"num_features", linear.num_features()}, {"intercept", linear.intercept()}};
  Json& weights = view.part_facts["weights"];
  weights = Json::array();
  TextColumns table;
  for (const std::size_t column : {1, 2}) table.align_right(column);
  table.add({"feature", "weight", "missing counts as"});
  for (std::size_t i = 0; i < order.size() && (request.top == 0 || i < request.top); ++i) {
    const std::uint32_t f = order[i];
    table.add({request.names[f], fmt::format("{:.6g}", linear.weights()[f]),
               fmt::format("{:.6g}", linear.fill(f))});
    weights.push_back({{"name", request.names[f]},
                       {"feature", f + 1},
                       {"weight", linear.weights()[f]},
                       {"fill", linear.fill(f)}});
  }
  if (!order.empty()) view.parts = '\n' + table.text();
  return view;
}

KindView view_of_mlp(const Mlp& mlp) {
  KindView view{.objective = mlp.objective()};
  std::vector<std::string> sizes = {fmt::format("{}", mlp.num_features())};
  std::vector<std::string> activations;
  for (const MlpLayer& layer : mlp.layers()) {
    sizes.push_back(fmt::format("{}", layer.num_outputs()));
    activations.emplace_back(name_of(layer.activation));
  }
  view.lines = {{"layers", fmt::format("{} units", fmt::join(sizes, " - "))},
                {"activations", fmt::format("{}", fmt::join(activations, ", "))},
                {"weights", fmt::format("{}", mlp.num_weights())},
                {"features", fmt::format("{}, {} of them used", mlp.num_features(),
                                         mlp.used_features().size())}};
  view.facts = {{"num_features", mlp.num_features()},
                {"num_weights", mlp.num_weights()},
                {"layers", Json::array()}};
  for (const MlpLayer& layer : mlp.layers()) {
    view.facts["layers"].push_back(
        {{"num_outputs", layer.num_outputs()}, {"activation", name_of(layer.activation)}});
  }
  return view;
}

}  // namespace

KindView view_of(const Model& model, const ViewRequest& request, const Context& context) {
  return match(
      model, [&](const Forest& forest) { return view_of_forest(forest, request); },
      [&](const Gam& gam) { return view_of_gam(gam, request, context); },
      [&](const Linear& linear) { return view_of_linear(linear, request); },
      [&](const Mlp& mlp) { return view_of_mlp(mlp); });
}

}  // namespace glassrank::cli
