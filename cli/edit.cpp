// glassrank edit: an additive model changed by hand, with what every change does to its quality.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/output_file.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/evaluation/model_results.h"
#include "glassrank/metrics/compare_report.h"
#include "glassrank/metrics/fisher_randomisation.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/gam_edit.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank::cli {
namespace {

// The model after an edit, or before the first one.
struct Step {
  std::string edit;
  std::vector<double> values;  // of the metric, by query; empty without data
  double mean = 0;
  double p = 1;  // two-sided, against the step before
};

class EditCommand final : public Command {
 public:
  std::string name() const override { return "edit"; }
  std::string summary() const override {
    return "Change curves and surfaces of an additive model by hand, with the metric before and "
           "after";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank edit --model ilmart.txt --edit 'monotone up price 0..100' --edit 'drop age' "
        "--data valid.txt --out edited.txt",
        "glassrank edit --model ilmart.txt --edit 'clamp price x pages to -0.5..0.5' --out "
        "tables.json --to gam-json"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("model", model_,
                  "additive model, or a forest whose trees use at most two features each",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("edit", edits_,
                  "flatten, smooth, monotone up|down, clamp, drop or purify, an effect, and a "
                  "range of x; may be repeated",
                  ParamStyle{.required = true, .value_name = "EDIT", .one_value = true});
    visitor.field("out", out_, "where the edited model goes",
                  {.required = true, .file = FileUse::kOutput});
    visitor.field("to", to_, "format to write", ParamStyle{.value_name = "FORMAT"});
    visitor.field("data", data_, "judged documents to measure every edit on",
                  {.file = FileUse::kInput});
    visitor.field("metric", metric_, "what to measure", ParamStyle{.value_name = "METRIC"});
    visitor.field("permutations", permutations_, "of the randomisation test of every edit",
                  Range{.low = 1, .high = 1e12});
    convention_.visit(visitor);
    model_read_.visit(visitor);
    read_.visit_matching(visitor);
    read_.visit(visitor);
  }

  std::string results() const override { return results_markdown<EditReport>(); }
  void run(const Context& context, Output& output) override {
    std::vector<GamEdit> edits;
    for (const std::string& text : edits_) edits.push_back(parse_edit(text));
    const MetricSpec metric = parse_metric(metric_);
    if (model_format(to_).write == nullptr) {
      fail(ErrorKind::kUsage, "models are not written as {}; see glassrank list models", to_);
    }
    refuse_unwritable(out_);
    Model model = load_additive(context);
    try_all(edits, model);
    std::optional<Dataset> data;
    if (!data_.empty()) data = load_rows_for(model, data_, read_, context);
    ensure_weights(model, data, context);
    std::vector<Step> steps = {measure(model, data, metric, context)};
    for (const GamEdit& edit : edits) {
      model = edited(model, edit);
      Step step = measure(model, data, metric, context);
      step.edit = to_text(edit);
      if (data) {
        step.p = fisher_randomisation(step.values, steps.back().values, permutations_, context)
                     .p.two_sided;
      }
      if (data) record(step, steps.back(), model.provenance);
      steps.push_back(std::move(step));
    }
    save_model(out_, model, to_, context);
    print(steps, data.has_value(), output);
  }

 private:
  // A mistake in the last edit shows before the first one is measured. Weights that come with the
  // data are not there yet: any will do to find mistakes.
  void try_all(const std::vector<GamEdit>& edits, Model model) const {
    GamParts parts = require_gam(model, "edit").parts();
    for (GamEffect& effect : parts.effects) {
      if (!data_.empty() && effect.weights.empty()) effect.weights.assign(effect.num_cells(), 1);
    }
    model.body = Gam(std::move(parts));
    for (const GamEdit& edit : edits) model = edited(model, edit);
  }

  Model load_additive(const Context& context) const {
    Model model = load_model(model_, context, model_read_);
    try {
      model.body = as_gam(model);
    } catch (Error& error) {
      error.add_context(model_);
      throw;
    }
    return model;
  }

  void ensure_weights(Model& model, const std::optional<Dataset>& data,
                      const Context& context) const {
    const Gam gam = require_gam(model, "edit");
    const auto num_unknown =
        std::ranges::count_if(gam.effects(), [](const auto& e) { return e.weights.empty(); });
    if (num_unknown == 0) return;
    const bool all = static_cast<std::size_t>(num_unknown) == gam.effects().size();
    const std::string what =
        all ? "holds no weights of its cells"
            : fmt::format("holds no weights of the cells of {} effects", num_unknown);
    if (data) {
      context.info(fmt::format("{} {}: those of {} count", model_, what, data_));
      GamParts parts = with_weights(gam, *data, context).parts();
      for (std::size_t e = 0; e < parts.effects.size(); ++e) {
        const std::vector<double>& known = gam.effects()[e].weights;
        if (!known.empty()) parts.effects[e].weights = known;
      }
      model.body = Gam(std::move(parts));
    } else {
      context.warn(fmt::format("{} {}: every cell {}counts alike; --data gives them weights",
                               model_, what, all ? "" : "of them "));
    }
  }

  Step measure(const Model& model, const std::optional<Dataset>& data, const MetricSpec& metric,
               const Context& context) const {
    if (!data) return {};
    const Evaluation evaluation = evaluate_model(*make_scorer(model), *data, std::vector{metric},
                                                 convention_.resolve(), context);
    Step step{.edit = {}, .values = {}, .mean = evaluation.metrics[0].mean};
    // Skipped queries are skipped for every step: whether they are depends on the grades alone.
    for (const double value : evaluation.metrics[0].values) {
      if (value == value) step.values.push_back(value);
    }
    if (step.values.empty()) {
      fail(ErrorKind::kInput, "{}: all queries of {} are empty and skipped", metric_, data_);
    }
    return step;
  }

  // The metric before and after, beside the edit: "edit.1.measured".
  void record(const Step& step, const Step& before, Provenance& provenance) const {
    const std::string key = fmt::format("{}.measured", provenance.back().first);
    provenance.emplace_back(key, fmt::format("{} {:.6f} before, {:.6f} after, p {} on {}", metric_,
                                             before.mean, step.mean, p_text(step.p), data_));
  }

  void print(const std::vector<Step>& steps, bool measured, Output& output) const {
    if (output.json) {
      EditReport report{.out = out_, .to = to_, .metric = {}, .mean = {}, .edits = {}};
      if (measured) {
        report.metric = metric_;
        report.mean = steps[0].mean;
      }
      for (std::size_t i = 1; i < steps.size(); ++i) {
        report.edits.push_back({.edit = steps[i].edit, .mean = {}, .change = {}, .p = {}});
        if (!measured) continue;
        report.edits.back().mean = steps[i].mean;
        report.edits.back().change = steps[i].mean - steps[i - 1].mean;
        report.edits.back().p = steps[i].p;
      }
      output.out << json_text(report);
      return;
    }
    if (measured) {
      TextColumns table;
      for (const std::size_t number : {1, 2, 3}) table.align_right(number);
      table.add({"edit", metric_, "change", "p"});
      table.add({"as it was", fmt::format("{:.6f}", steps[0].mean), "", ""});
      for (std::size_t i = 1; i < steps.size(); ++i) {
        table.add({steps[i].edit, fmt::format("{:.6f}", steps[i].mean),
                   fmt::format("{:+.6f}", steps[i].mean - steps[i - 1].mean), p_text(steps[i].p)});
      }
      output.out << table.text();
    }
    output.out << fmt::format("{} {} written to {} as {}\n", steps.size() - 1,
                              steps.size() == 2 ? "edit" : "edits", out_, to_);
  }

  std::string model_;
  std::vector<std::string> edits_;
  std::string out_;
  std::string to_ = "native";
  std::string data_;
  std::string metric_ = "ndcg@10";
  std::uint64_t permutations_ = 100'000;
  ConventionChoice convention_;
  ModelReadParams model_read_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_edit_command() { return std::make_unique<EditCommand>(); }

}  // namespace glassrank::cli
