#include "glassrank/report/inspect_model.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/folders.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/explain/find_importance.h"
#include "glassrank/explain/importance.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/forest/tree_text.h"
#include "glassrank/models/model_kinds.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/plots/effect_plot.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxCharacters = 80;  // of a provenance value

Forest forest_for(std::string_view option, const Model& model, const std::string& file) {
  return require_forest(model, fmt::format("{}: {}", file, option));
}

// Gains and splits are of trees; permutation is for every model.
Importance measure(const LoadedModel& loaded, const InspectRequest& request,
                   std::vector<std::string> names, const Context& context) {
  Importance importance{.names = std::move(names), .permutation = {}, .gain = {}, .splits = {}};
  if (!request.has_importance) return importance;
  const auto is_wanted = [&](ImportanceKind kind) {
    return request.kinds.empty() || request.kinds.contains(kind);
  };
  match(
      loaded.model,
      [&](const Forest& forest) {
        if (is_wanted(ImportanceKind::kSplits)) importance.splits = split_importance(forest);
        if (is_wanted(ImportanceKind::kGain)) importance.gain = gain_importance(forest);
      },
      [&](const auto&) {
        if (request.kinds.contains(ImportanceKind::kSplits)) {
          forest_for("--importance splits", loaded.model, request.model);
        }
        if (request.kinds.contains(ImportanceKind::kGain)) {
          forest_for("--importance gain", loaded.model, request.model);
        }
      });
  if (!importance.gain && request.kinds.contains(ImportanceKind::kGain)) {
    fail(ErrorKind::kInput,
         "{}: this {} file does not hold the gains of its splits, so there is no importance by "
         "gain; splits and permutation (with --data) need none",
         request.model, loaded.format.name);
  }
  if (request.data != nullptr && is_wanted(ImportanceKind::kPermutation)) {
    importance.permutation =
        permutation_importance(*make_scorer(loaded.model), *request.data, request.permutation,
                               request.convention, context);
  }
  return importance;
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

std::string write_plot(const std::string& folder, const Gam& gam, std::size_t effect,
                       std::size_t place, std::span<const FeatureRange> ranges) {
  const std::string path =
      (std::filesystem::path(folder) / file_name(place, gam.effect_name(effect))).string();
  write_text_file(path, draw_effect(gam, effect, display_names(gam), ranges).svg());
  return path;
}

// Parameters of training on one line, everything else on a line of its own. Last of all: a model of
// another tool may bring ninety of them.
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
  return text.empty() ? "" : fmt::format("\nprovenance\n{}", text);
}

}  // namespace

void InspectReport::visit(ResultVisitor& visitor) const {
  visitor.field("model", model, "the file");
  visitor.field("format", format, "its format");
  visitor.field("objective", kind == nullptr ? std::string() : kind->objective(),
                "what it was trained for; empty: not known");
  if (kind != nullptr) kind->visit_facts(visitor);
  visitor.texts("provenance", provenance, "how it came to be");
  if (importance.has_any()) {
    importance_report(importance, top).visit(visitor);
  } else if (kind == nullptr) {
    ImportanceReport{}.visit(visitor);
  }
  if (kind != nullptr) kind->visit_parts(visitor);
}

InspectReport inspect_model(const LoadedModel& loaded, const InspectRequest& request,
                            const Context& context) {
  Model shown = loaded.model;
  if (!request.plots.empty()) shown.body = as_gam(request.model, loaded.model);
  for (const std::size_t tree : request.trees) {
    tree_of(forest_for("--trees", shown, request.model), tree);
  }
  const std::vector<std::string> names = display_names(
      num_features_of(shown), feature_names_of(shown),
      request.data != nullptr ? request.data->feature_names() : std::span<const std::string>());
  std::size_t num_plots = 0;
  ReportRequest of_kind{
      .names = names, .data = request.data, .trees = request.trees, .top = request.top};
  if (!request.plots.empty()) {
    make_folder(request.plots);
    std::vector<FeatureRange> ranges;
    if (request.data != nullptr) ranges = ranges_of(*request.data);
    of_kind.draw = [&, ranges](const Gam& gam, std::size_t effect, std::size_t place) {
      num_plots = place + 1;
      return write_plot(request.plots, gam, effect, place, ranges);
    };
  }
  InspectReport report{
      .model = request.model,
      .format = std::string(loaded.format.name),
      .format_doc = std::string(loaded.format.doc),
      .provenance = loaded.model.provenance,
      .kind = report_of(shown, of_kind, context),
      .importance = measure({.model = shown, .format = loaded.format}, request, names, context),
      .top = request.top};
  report.num_plots = num_plots;
  return report;
}

InspectReport inspect_black_box(const Scorer& scorer, const InspectRequest& request,
                                const Context& context) {
  if (request.data == nullptr) {
    fail(ErrorKind::kUsage,
         "only the scores of a command are known; give --data, judged documents, "
         "for its permutation importance");
  }
  for (const ImportanceKind kind : request.kinds) {
    if (kind == ImportanceKind::kPermutation) continue;
    fail(ErrorKind::kUsage,
         "only the scores of a command are known; gain and splits are of models with trees");
  }
  return {.model = request.model,
          .format = "command",
          .format_doc = "only its scores are known",
          .provenance = {},
          .kind = nullptr,
          .importance = find_importance({.scorer = scorer,
                                         .data = request.data,
                                         .permutation = request.permutation,
                                         .convention = request.convention},
                                        context),
          .top = request.top};
}

std::string inspect_text(const InspectReport& report) {
  TextColumns table;
  table.add({"model", report.model});
  table.add({"format", fmt::format("{}: {}", report.format, report.format_doc)});
  if (report.kind != nullptr) {
    const std::string objective = report.kind->objective();
    table.add({"objective", objective.empty() ? "not known" : objective});
    for (const auto& [name, value] : report.kind->lines()) table.add({name, value});
  }
  std::string text = table.text();
  if (report.importance.permutation) {
    const PermutationResult& result = *report.importance.permutation;
    text += fmt::format(
        "\n{} is {:.4f} over {} queries; it drops by this much when a feature is permuted {}, {} "
        "times each:\n",
        result.params.metric, result.value, result.num_queries,
        result.params.permute == PermuteOver::kAll ? "over all documents" : "within queries",
        result.params.repeats);
  }
  const std::string importances = importance_table(report.importance, report.top);
  if (!importances.empty()) text += '\n' + importances;
  if (report.kind != nullptr) text += report.kind->parts_text();
  return text + provenance_text(report.provenance);
}

}  // namespace glassrank
