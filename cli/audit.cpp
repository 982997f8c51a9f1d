// glassrank audit: how far explanations of a ranker can be trusted, explainer by explainer.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/registry.h"
#include "cli/subject_inputs.h"
#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/base/result.h"
#include "glassrank/explain/audit/audit_report.h"
#include "glassrank/explain/audit/audit_result.h"
#include "glassrank/explain/audit/ground_truth.h"
#include "glassrank/explain/registry.h"
#include "glassrank/report/explanation_plots/audit_picture.h"

namespace glassrank::cli {
namespace {

// What --json prints.
struct AuditReport {
  std::string model;
  std::string data;
  std::string tsv;
  std::string plot;
  const AuditResult* audit = nullptr;  // null: to be described only

  void visit(ResultVisitor& visitor) const {
    visitor.field("model", model, "file or command that was explained");
    visitor.field("data", data, "file with the rankings");
    visitor.field("tsv", tsv, "file with every value; empty: not written");
    visitor.field("plot", plot, "picture; empty: not drawn");
    audit != nullptr ? audit->visit(visitor) : AuditResult{}.visit(visitor);
  }
};

class AuditCommand final : public Command {
 public:
  std::string name() const override { return "audit"; }
  std::string summary() const override {
    return "How far explanations can be trusted: explainers compared, with errors and tests";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank audit --model model.txt --data test.txt --background train.txt "
        "--methods tree-shap,greedy-cover-eps,random",
        "glassrank audit --model model.txt --data test.txt --methods "
        "shap-1=kernel-shap,shap-5=kernel-shap --set shap-1.top_documents=1",
        "glassrank audit --command ./rank.sh --num-features 46 --data test.txt --methods "
        "ranking-shap,greedy --queries 50 --tsv audit.tsv"};
  }

  std::string selector() const override { return "methods"; }
  std::vector<std::string> selections() const override { return names_in(explainer_table()); }
  void select(const std::string& value) override {
    method_texts_ = split_list(value);
    methods_.choose(method_texts_);
  }

  void visit(ParamVisitor& visitor) override {
    visitor.section("data");
    inputs_.visit_sources(visitor);
    visitor.section("audit");
    if (visitor.field("methods", method_texts_,
                      "explainers to audit (glassrank list explainers), each by name or as "
                      "LABEL=NAME; options of each are --LABEL.OPTION",
                      {.required = true, .value_name = "NAMES"})) {
      methods_.choose(method_texts_);
    }
    truth_.visit(visitor);
    params_.visit(visitor);
    visitor.section("output");
    visitor.field("tsv", tsv_, "write every value of every query and document to this file",
                  {.file = FileUse::kOutput});
    visitor.field("plot", plot_,
                  "picture (SVG); numbers of features are those of --sizes, or from 1 to --k",
                  {.file = FileUse::kOutput});
    plot_params_.visit(visitor);
    methods_.visit(visitor);
    visitor.section("advanced");
    inputs_.visit_reading(visitor);
  }

  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses = inputs_.uses();
    add_group_uses(uses, "", methods_.uses());
    add_group_uses(uses, "compare.", compare_uses());
    add_uses(uses, param_names(plot_params_), "plot");
    return uses;
  }
  void read_given(const std::vector<std::string>& names) override {
    for (const std::string& name : names) {
      if (!name.ends_with(".k")) continue;
      fail(ErrorKind::kUsage, "{}: an audit asks every explainer for as many features; use --k",
           name);
    }
  }

  std::string results() const override { return results_markdown<AuditReport>(); }
  void run(const Context& context, Output& output) override {
    inputs_.check();
    for (const std::string& path : {tsv_, plot_}) {
      if (!path.empty()) refuse_unwritable(path);
    }
    AuditParams params = params_;
    if (!plot_.empty() && params.sizes.empty()) {
      for (int size = 1; size <= params.k; ++size) params.sizes.push_back(size);
    }
    const LoadedSubject loaded = inputs_.load(context);
    const Subject subject = loaded.subject();
    const GroundTruth truth = make_ground_truth(subject, truth_, context);
    if (!plot_.empty()) check_plot(params, truth);
    const AuditResult result = run_audit({.subject = subject,
                                          .data = loaded.data,
                                          .methods = methods_.get(),
                                          .truths = truth.sources,
                                          .depth = truth.depth},
                                         params, context);
    write(result, loaded.data);
    if (output.json) {
      output.out << json_text(AuditReport{.model = inputs_.ranker(),
                                          .data = inputs_.data(),
                                          .tsv = tsv_,
                                          .plot = plot_,
                                          .audit = &result});
    } else {
      output.out << audit_text(result);
      if (!tsv_.empty()) output.out << fmt::format("every value: {}\n", tsv_);
      if (!plot_.empty()) output.out << fmt::format("picture: {}\n", plot_);
    }
  }

 private:
  void check_plot(const AuditParams& params, const GroundTruth& truth) const {
    std::vector<std::string> names;
    for (const TruthSource& source : truth.sources) names.push_back(source.name);
    check_audit_plot(plot_params_, audit_measures(params, names), truth.depth != nullptr);
  }

  // Both or none.
  void write(const AuditResult& result, const Dataset& data) const {
    std::vector<TextFile> files;
    if (!tsv_.empty()) files.push_back({tsv_, table_tsv(audit_cases_table(result, data))});
    if (!plot_.empty()) files.push_back({plot_, audit_picture(result, plot_params_).svg()});
    write_text_files(files);
  }

  SubjectInputs inputs_;
  std::vector<std::string> method_texts_;
  AuditMethods methods_;
  GroundTruthParams truth_;
  AuditParams params_;
  std::string tsv_;
  std::string plot_;
  AuditPlotParams plot_params_;
};

}  // namespace

std::unique_ptr<Command> make_audit_command() { return std::make_unique<AuditCommand>(); }

}  // namespace glassrank::cli
