// glassrank audit: how far explanations of a ranker can be trusted, explainer by explainer.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/output_file.h"
#include "cli/registry.h"
#include "cli/subject_inputs.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/result.h"
#include "glassrank/explain/audit/audit_report.h"
#include "glassrank/explain/audit/audit_result.h"
#include "glassrank/explain/audit/ground_truth.h"
#include "glassrank/explain/registry.h"

namespace glassrank::cli {
namespace {

// What --json prints.
struct AuditReport {
  std::string model;
  std::string data;
  std::string tsv;
  const AuditResult* audit = nullptr;  // null: to be described only

  void visit(ResultVisitor& visitor) const {
    visitor.field("model", model, "file or command that was explained");
    visitor.field("data", data, "file with the rankings");
    visitor.field("tsv", tsv, "file with every value; empty: not written");
    audit != nullptr ? audit->visit(visitor) : AuditResult{}.visit(visitor);
  }
};

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names(1);
  for (const char c : text) {
    if (c == ',') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  return names;
}

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
    method_texts_ = split_names(value);
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
    methods_.visit(visitor);
    visitor.section("advanced");
    inputs_.visit_reading(visitor);
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
    if (!tsv_.empty()) refuse_unwritable(tsv_);
    const LoadedSubject loaded = inputs_.load(context);
    const Subject subject = loaded.subject();
    const GroundTruth truth = make_ground_truth(subject, truth_, context);
    const AuditResult result = run_audit({.subject = subject,
                                          .data = loaded.data,
                                          .methods = methods_.get(),
                                          .truths = truth.sources,
                                          .depth = truth.depth},
                                         params_, context);
    if (!tsv_.empty()) {
      write_text_file(tsv_, table_tsv(audit_cases_table(result, loaded.data)));
    }
    if (output.json) {
      output.out << json_text(
          AuditReport{.model = inputs_.model().empty() ? inputs_.command() : inputs_.model(),
                      .data = inputs_.data(),
                      .tsv = tsv_,
                      .audit = &result});
    } else {
      output.out << audit_text(result);
      if (!tsv_.empty()) output.out << fmt::format("every value: {}\n", tsv_);
    }
  }

 private:
  SubjectInputs inputs_;
  std::vector<std::string> method_texts_;
  AuditMethods methods_;
  GroundTruthParams truth_;
  AuditParams params_;
  std::string tsv_;
};

}  // namespace

std::unique_ptr<Command> make_audit_command() { return std::make_unique<AuditCommand>(); }

}  // namespace glassrank::cli
