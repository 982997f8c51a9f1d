// glassrank edit: an additive model changed by hand, with what every change does to its quality.

#include <optional>

#include <fmt/format.h>

#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/evaluation/edit_model.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/metrics/convention_text.h"
#include "glassrank/metrics/fisher_randomisation.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/models/gam/gam_edit.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank::cli {
namespace {

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
                  "additive model, a forest whose trees use at most two features each, or, with "
                  "--data, a linear model",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("edit", edits_,
                  "what to do (flatten, smooth, monotone up|down, clamp, drop, purify), then an "
                  "effect, then a range of x; may be repeated",
                  ParamStyle{.required = true, .value_name = "EDIT", .one_value = true});
    visitor.field("out", out_, "file to write the edited model to",
                  {.required = true, .file = FileUse::kOutput});
    visitor.field("to", to_, "format to write", ParamStyle{.value_name = "FORMAT"});
    visitor.field("data", data_, "judged data on which every edit is measured",
                  {.file = FileUse::kInput});
    visitor.field("metric", metric_, "metric to measure", ParamStyle{.value_name = "METRIC"});
    visitor.field("permutations", permutations_, "number of random swaps in the test of every edit",
                  Range{.low = 1, .high = kMostPermutations});
    convention_.visit(visitor);
    model_read_.visit(visitor);
    read_.visit_matching(visitor);
    read_.visit(visitor);
  }

  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses;
    for (const std::vector<std::string>& names : {param_names(convention_), param_names(read_)}) {
      add_uses(uses, names, "data");
    }
    add_uses(uses, {"metric", "permutations", "match", "first_feature"}, "data");
    return uses;
  }
  std::string results() const override { return results_markdown<EditReport>(); }
  void run(const Context& context, Output& output) override {
    EditTask task{.edits = {},
                  .model_name = model_,
                  .data_name = data_,
                  .metric = metric_,
                  .permutations = permutations_,
                  .convention = convention_.resolve()};
    for (const std::string& text : edits_) task.edits.push_back(parse_edit(text));
    const MetricSpec metric = parse_metric(metric_);
    refuse_unused(convention_, {&metric, 1});
    if (model_format(to_).write == nullptr) {
      fail(ErrorKind::kUsage, "models are not written as {}; see glassrank list model-formats",
           to_);
    }
    refuse_unwritable(out_);
    Model model = load_model(model_, context, model_read_);
    std::optional<Dataset> data;
    if (!data_.empty()) data = load_rows_for(model, data_, read_, context);
    make_additive(model, data, context);
    if (data) task.data = &*data;
    EditedModel result = edit_model(model, task, context);
    save_model(out_, result.model, to_, context);
    result.report.out = out_;
    result.report.to = to_;
    output.out << (output.json ? json_text(result.report) : edit_text(result.report));
  }

 private:
  void make_additive(Model& model, const std::optional<Dataset>& data,
                     const Context& context) const {
    const bool has_lines = verify(model).has_lines;
    model.body = as_gam(model_, model, data ? &*data : nullptr, context);
    if (!has_lines) return;
    context.info(fmt::format("{}: the lines of a linear model become steps at the values of {}",
                             model_, data_));
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
