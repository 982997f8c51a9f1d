// glassrank report: one HTML file that shows a model, its quality, its reasons and how far to trust
// them.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/report_inputs.h"
#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/base/result.h"
#include "glassrank/report/bundle/make_bundle.h"
#include "glassrank/report/page/report_page.h"

namespace glassrank::cli {
namespace {

// What --json prints.
struct WrittenReport {
  std::string out;
  std::size_t num_bytes = 0;
  std::vector<std::string> models;
  std::string metric;
  double mean = 0;
  std::size_t num_documents = 0;
  std::vector<std::string> warnings;

  void visit(ResultVisitor& visitor) const {
    visitor.field("out", out, "HTML file to write");
    visitor.field("num_bytes", num_bytes, "its size");
    visitor.field("models", models, "by name");
    visitor.field("metric", metric, "the first one");
    visitor.field("mean", mean, "of the first model");
    visitor.field("num_documents", num_documents, "documents that can be looked at one by one");
    visitor.field("warnings", warnings, "what a reader should know first");
  }
};

class ReportCommand final : public Command {
 public:
  std::string name() const override { return "report"; }
  std::string summary() const override {
    return "One HTML file that shows a model, its quality, its reasons and how far to trust them";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank report --model model.txt --data test.txt --train train.txt --out report.html",
        "glassrank report --model model.txt --model lightgbm.txt --data test.txt --out "
        "report.html --explainers tree-shap,decision-path"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.section("data");
    visitor.field("model", models_,
                  "model in any format that can be read; the first is explained, others are "
                  "compared with it",
                  {.required = true, .file = FileUse::kInput, .one_value = true});
    visitor.field("data", data_, "judged documents to rank",
                  {.required = true, .file = FileUse::kInput});
    visitor.field("train", train_,
                  "training data; shows which values are usual and which grades may be wrong",
                  {.file = FileUse::kInput});
    visitor.field(
        "record", records_,
        "record of a model's training (train --record), for the learning curve of a model "
        "without trees; forests show that of their own trees",
        {.file = FileUse::kInput, .one_value = true});
    visitor.section("output");
    visitor.field("out", out_, "HTML file to write", {.required = true, .file = FileUse::kOutput});
    visitor.field("bundle", bundle_, "also write the page's data as JSON to this file",
                  {.file = FileUse::kOutput});
    visitor.section("report");
    visitor.field("name", names_,
                  "what the models are called, in their order; none: as their files",
                  {.value_name = "NAME", .one_value = true});
    params_.visit(visitor);
    visitor.section("advanced");
    read_.visit_matching(visitor);
    visitor.group("read", read_);
  }

  std::string results() const override {
    return results_markdown<WrittenReport>() +
           "\nThe page's data, as `--bundle FILE` writes it:\n\n" +
           results_markdown<ReportBundle>();
  }
  void run(const Context& context, Output& output) override {
    refuse_unwritable(out_);
    if (!bundle_.empty()) refuse_unwritable(bundle_);
    const ReportBundle bundle = make(context);
    const std::string html = report_html(bundle);
    write_text_files({{{bundle_, bundle_.empty() ? "" : json_text(bundle)}, {out_, html}}});
    const MetricComparison& metric = bundle.comparison.metrics.front();
    WrittenReport written{.out = out_,
                          .num_bytes = html.size(),
                          .models = {},
                          .metric = metric.metric,
                          .mean = metric.systems.front().mean,
                          .num_documents = bundle.documents.names.size(),
                          .warnings = bundle.warnings};
    for (const BundleModel& model : bundle.models) written.models.push_back(model.name);
    if (output.json) {
      output.out << json_text(written);
      return;
    }
    output.out << fmt::format("{}: {:.1f} MB, {} document{}, {} {:.4f} for {}\n", out_,
                              static_cast<double>(html.size()) / 1e6, written.num_documents,
                              written.num_documents == 1 ? "" : "s", written.metric, written.mean,
                              written.models.front());
    for (const std::string& warning : bundle.warnings) output.out << warning << '\n';
  }

 private:
  ReportBundle make(const Context& context) const {
    const ReportFiles files{.models = models_,
                            .names = names_,
                            .data = data_,
                            .train = train_,
                            .read = read_,
                            .records = records_};
    const std::string command =
        command_text(name(), list_params(*this), list_params(ReportCommand()), context);
    return make_bundle(report_task(files, command, context), params_, context);
  }

  std::vector<std::string> models_;
  std::string data_;
  std::string train_;
  std::vector<std::string> records_;
  std::vector<std::string> names_;
  std::string out_;
  std::string bundle_;
  ReportParams params_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace glassrank::cli
