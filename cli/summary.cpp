// glassrank summary: what matters in many rankings, in all of them and in groups of queries.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/subject_inputs.h"
#include "glassrank/base/output_file.h"
#include "glassrank/base/result.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/explain/global/explainer_summary.h"
#include "glassrank/explain/registry.h"
#include "glassrank/report/explanation_plots/summary_plot.h"

namespace glassrank::cli {
namespace {

// What --json prints.
struct SummaryReport {
  std::string model;
  std::string data;
  std::string method;
  const AttributionSummary* summary = nullptr;  // null: to be described only

  void visit(ResultVisitor& visitor) const {
    visitor.field("model", model, "file or command that is explained");
    visitor.field("data", data, "file of the documents");
    visitor.field("method", method, "explainer");
    summary != nullptr ? summary->visit(visitor) : AttributionSummary{}.visit(visitor);
  }
};

class SummaryCommand final : public Command {
 public:
  SummaryCommand() { select("tree-shap"); }

  std::string name() const override { return "summary"; }
  std::string summary() const override {
    return "What matters in many rankings: in all of them, query by query, in groups of queries";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank summary --model model.txt --data test.txt --background train.txt",
            "glassrank summary --model model.txt --data test.txt --by-feature query_length "
            "--max-groups 3 "
            "--plot summary.svg",
            "glassrank summary --model model.txt --data test.txt --groups navigational.tsv --each "
            "query --tsv summary.tsv",
            "glassrank summary --command ./rank.sh --num-features 46 --data test.txt --method "
            "kernel-shap --by-query"};
  }

  std::string selector() const override { return "method"; }
  std::vector<std::string> selections() const override { return names_in(explainer_table()); }
  // Of a command only the scores are known.
  std::pair<std::string, std::string> selection_with() const override {
    return {"command", "kernel-shap"};
  }
  void select(const std::string& method) override {
    method_ = make_explainer(method);
    method_name_ = method;
  }

  void visit(ParamVisitor& visitor) override {
    visitor.section("data");
    inputs_.visit_sources(visitor);
    visitor.section("groups of queries");
    groups_.visit(visitor);
    visitor.section("method");
    visitor.field(
        "method", method_name_,
        "how to explain (glassrank list explainers); kernel-shap if --command names the ranker",
        names_in(explainer_table()));
    method_->visit(visitor);
    params_.visit(visitor);
    visitor.section("output");
    visitor.field("top", top_, "number of features to print and draw; 0 for all", kNotNegative);
    visitor.field("tsv", tsv_, "table with every number of every group and feature",
                  {.file = FileUse::kOutput});
    visitor.field("plot", plot_, "picture (SVG): features by what orders documents, group by group",
                  {.file = FileUse::kOutput});
    visitor.section("advanced");
    inputs_.visit_reading(visitor);
  }

  // Some explainers have bins of their own.
  std::string present_name(const std::string& name) override {
    return name == "bins" ? "max_groups" : "";
  }
  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses = inputs_.uses();
    add_group_uses(uses, "", method_->uses());
    uses.push_back({"max_groups", "by_feature"});
    return uses;
  }
  std::string results() const override { return results_markdown<SummaryReport>(); }
  void run(const Context& context, Output& output) override {
    inputs_.check();
    groups_.check();
    for (const std::string& path : {tsv_, plot_}) {
      if (!path.empty()) refuse_unwritable(path);
    }
    const LoadedSubject loaded = inputs_.load(context);
    const Subject subject = loaded.subject();
    const std::vector<std::string> features = explanation_names(subject, loaded.data).features;
    const std::vector<QuerySelection> groups = chosen_groups(groups_, loaded.data, features);
    const AttributionSummary result =
        summarise_explainer(subject, {loaded.data, features, groups}, *method_, params_, context);
    write(result);
    if (output.json) {
      output.out << json_text(SummaryReport{.model = inputs_.ranker(),
                                            .data = inputs_.data(),
                                            .method = method_name_,
                                            .summary = &result});
      return;
    }
    output.out << table_text(summary_table(result, static_cast<std::size_t>(top_)));
    std::string written;
    for (const std::string& path : {tsv_, plot_}) {
      if (!path.empty()) written += (written.empty() ? "" : ", ") + path;
    }
    if (!written.empty()) output.out << fmt::format("\nwritten: {}\n", written);
  }

 private:
  // Both or none.
  void write(const AttributionSummary& result) const {
    std::vector<TextFile> files;
    if (!tsv_.empty()) files.push_back({tsv_, table_tsv(summary_values(result))});
    if (!plot_.empty()) {
      const std::size_t num_features = result.all.features.size();
      const auto top = static_cast<std::size_t>(top_);
      const SummaryPlot plot{
          .title = fmt::format("What orders {} documents of {} queries, {}", result.all.num_rows,
                               result.all.num_queries, method_name_),
          .summary = result,
          .most_features = top == 0 ? num_features : top};
      files.push_back({plot_, draw(plot).svg()});
    }
    write_text_files(files);
  }

  SubjectInputs inputs_{{.data = "data whose explanations are summarised"}};
  GroupChoice groups_;
  std::string method_name_;
  std::unique_ptr<Explainer> method_;  // of that name, with its parameters
  SummaryParams params_;
  int top_ = 10;
  std::string tsv_;
  std::string plot_;
};

}  // namespace

std::unique_ptr<Command> make_summary_command() { return std::make_unique<SummaryCommand>(); }

}  // namespace glassrank::cli
