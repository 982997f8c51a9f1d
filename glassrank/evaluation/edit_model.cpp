#include "glassrank/evaluation/edit_model.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/metrics/compare_report.h"
#include "glassrank/metrics/fisher_randomisation.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

// The metric of a model: its mean, and its values by query without those that are skipped.
struct Measured {
  double mean = 0;
  std::vector<double> values;
};

// A mistake in the last edit shows before the first one is measured. Weights that come with the
// data are not there yet: any will do to find mistakes.
void try_all(const EditTask& task, Model model) {
  GamParts parts = require_gam(model, "edit").parts();
  for (GamEffect& effect : parts.effects) {
    if (task.data != nullptr && effect.weights.empty()) {
      effect.weights.assign(effect.num_cells(), 1);
    }
  }
  model.body = Gam(std::move(parts));
  for (const GamEdit& edit : task.edits) model = edited(model, edit);
}

void ensure_weights(Model& model, const EditTask& task, const Context& context) {
  const Gam gam = require_gam(model, "edit");
  const auto num_unknown =
      std::ranges::count_if(gam.effects(), [](const auto& e) { return e.weights.empty(); });
  if (num_unknown == 0) return;
  const bool all = static_cast<std::size_t>(num_unknown) == gam.effects().size();
  const std::string what =
      all ? "holds no weights of its cells"
          : fmt::format("holds no weights of the cells of {} effects", num_unknown);
  if (task.data == nullptr) {
    context.warn(fmt::format("{} {}: every cell {}counts alike; --data gives them weights",
                             task.model_name, what, all ? "" : "of them "));
    return;
  }
  context.info(fmt::format("{} {}: those of {} count", task.model_name, what, task.data_name));
  model.body = with_missing_weights(gam, *task.data, context);
}

Measured measure(const Model& model, const EditTask& task, const Context& context) {
  const Evaluation evaluation =
      evaluate_model(*make_scorer(model), *task.data, std::vector{parse_metric(task.metric)},
                     task.convention, context);
  Measured measured{.mean = evaluation.metrics[0].mean, .values = {}};
  // Skipped queries are skipped for every step: whether they are depends on the grades alone.
  for (const double value : evaluation.metrics[0].values) {
    if (value == value) measured.values.push_back(value);
  }
  if (measured.values.empty()) {
    fail(ErrorKind::kInput, "{}: all queries of {} are empty and skipped", task.metric,
         task.data_name);
  }
  return measured;
}

}  // namespace

EditedModel edit_model(const Model& given, const EditTask& task, const Context& context) {
  parse_metric(task.metric);
  try_all(task, given);
  EditedModel result{.model = given, .report = {}};
  ensure_weights(result.model, task, context);
  const bool is_measured = task.data != nullptr;
  Measured before;
  if (is_measured) {
    before = measure(result.model, task, context);
    result.report.metric = task.metric;
    result.report.mean = before.mean;
  }
  for (const GamEdit& edit : task.edits) {
    result.model = edited(result.model, edit);
    EditStep step{.edit = to_text(edit), .mean = {}, .change = {}, .p = {}};
    if (is_measured) {
      Measured now = measure(result.model, task, context);
      step.mean = now.mean;
      step.change = now.mean - before.mean;
      step.p =
          fisher_randomisation(now.values, before.values, task.permutations, context).p.two_sided;
      // The metric before and after, beside the edit: "edit.1.measured".
      Provenance& provenance = result.model.provenance;
      provenance.emplace_back(fmt::format("{}.measured", provenance.back().first),
                              fmt::format("{} {:.6f} before, {:.6f} after, p {} on {}", task.metric,
                                          before.mean, now.mean, p_text(*step.p), task.data_name));
      before = std::move(now);
    }
    result.report.edits.push_back(std::move(step));
  }
  return result;
}

std::string edit_text(const EditReport& report) {
  std::string text;
  if (report.metric) {
    TextColumns table;
    for (const std::size_t number : {1, 2, 3}) table.align_right(number);
    table.add({"edit", *report.metric, "change", "p"});
    table.add({"as it was", fmt::format("{:.6f}", *report.mean), "", ""});
    for (const EditStep& step : report.edits) {
      table.add({step.edit, fmt::format("{:.6f}", *step.mean), fmt::format("{:+.6f}", *step.change),
                 p_text(*step.p)});
    }
    text = table.text();
  }
  return text + fmt::format("{} {} written to {} as {}\n", report.edits.size(),
                            report.edits.size() == 1 ? "edit" : "edits", report.out, report.to);
}

}  // namespace glassrank
