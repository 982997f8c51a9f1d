// glassrank explain: why a document has its score, why it is above another, why this order.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/explain/explain_options.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/output_file.h"
#include "glassrank/explain/explain_queries.h"
#include "glassrank/explain/explanation_text.h"
#include "glassrank/explain/registry.h"

namespace glassrank::cli {
namespace {

struct ExplainResult {
  std::string model;
  std::string data;
  std::vector<ExplanationView> explanations;

  void visit(ResultVisitor& visitor) const {
    visitor.field("model", model, "file or command that is explained");
    visitor.field("data", data, "file of the documents");
    visitor.list("explanations", explanations, "one a query, or one a document of --document all");
  }
};

std::string json_lines(const std::vector<ExplanationView>& views) {
  std::string text;
  for (const ExplanationView& view : views) text += json_line(view);
  return text;
}

class ExplainCommand final : public Command {
 public:
  std::string name() const override { return "explain"; }
  std::string summary() const override {
    return "Why a document has its score, why one is above another, why this order";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank explain --model model.txt --data test.txt",
            "glassrank explain --model model.txt --data test.txt --query q7 --pair rank:1,rank:2",
            "glassrank explain --model model.txt --data test.txt --query q7 --document book-12 "
            "--background train.txt --plot why.svg",
            "glassrank explain --model model.txt --data test.txt --queries all --plot all.svg "
            "--tsv all.tsv --quiet > /dev/null",
            "glassrank explain --model model.txt --data test.txt --queries all --document all "
            "--no-audit --tsv values.tsv --quiet > /dev/null",
            "glassrank explain --command ./rank.sh --num-features 46 --data test.txt --method "
            "kernel-shap"};
  }
  void visit(ParamVisitor& visitor) override { options_.visit(visitor); }
  std::vector<ParamUse> uses() const override { return options_.uses(); }
  std::string selector() const override { return "method"; }
  std::vector<std::string> selections() const override { return names_in(explainer_table()); }
  // Of a command only the scores are known.
  std::pair<std::string, std::string> selection_with() const override {
    return {"command", "kernel-shap"};
  }
  void select(const std::string& method) override { options_.choose_method(method); }

  std::string results() const override {
    return results_markdown<ExplainResult>() +
           "\nThe file of `--out` holds one entry of `explanations`, or one a line.\n";
  }

  void run(const Context& context, Output& output) override {
    options_.check();
    const LoadedSubject loaded = options_.inputs.load(context);
    const Subject subject = loaded.subject();
    const std::vector<std::size_t> queries = chosen_queries(options_.choice, loaded.data);
    const ExplanationSession session(subject, loaded.data, *options_.method, options_.session,
                                     context);
    PlotParams plot = options_.plot_params;
    // All documents of a query are drawn as its ranking is.
    const TargetKind drawn =
        options_.choice.is_every_document() ? TargetKind::kRanking : options_.choice.kind();
    plot.plot_kind =
        suitable_plot(plot.plot_kind, drawn, queries.size(), session.explains_documents());
    check_plot(plot.plot_kind, queries.size());
    check_documents_plot(plot.plot_kind);
    const std::vector<ExplanationView> views = explain(session, queries, context);
    if (options_.plot_params.plot_kind == PlotKind::kAuto && has_steps(views.front())) {
      plot.plot_kind = PlotKind::kWaterfall;
    }
    write(views, options_.plot.empty() ? "" : picture(session, queries, views, plot).svg());
    print(views, output);
  }

 private:
  void check_plot(PlotKind kind, std::size_t num_queries) const {
    if (options_.plot.empty() || num_queries == 1 || draws_queries(kind)) return;
    fail(ErrorKind::kUsage,
         "a picture of the kind {} shows one query, and {} are explained; beeswarm, importance and "
         "dependence show several",
         name_of(kind), num_queries);
  }

  void check_documents_plot(PlotKind kind) const {
    if (options_.plot.empty() || !options_.choice.is_every_document() || draws_documents(kind)) {
      return;
    }
    fail(ErrorKind::kUsage,
         "a picture of the kind {} shows one explanation, and all documents are explained; "
         "heat-map, decision and stacked-force show the documents of a query",
         name_of(kind));
  }

  std::vector<ExplanationView> explain(const ExplanationSession& session,
                                       const std::vector<std::size_t>& queries,
                                       const Context& context) const {
    std::vector<ExplanationView> views;
    Progress progress(context, "explain", "queries", queries.size());
    for (const std::size_t q : queries) {
      std::ranges::move(session.explain(q, options_.choice), std::back_inserter(views));
      progress.add(1);
      progress.report();
    }
    return views;
  }

  Picture picture(const ExplanationSession& session, const std::vector<std::size_t>& queries,
                  const std::vector<ExplanationView>& views, const PlotParams& params) const {
    if (!draws_documents(params.plot_kind)) return explanation_picture(views.front(), params);
    AttributionTable table;
    for (const std::size_t q : queries) {
      const auto documents = session.explain_documents(q);
      add_documents(table, documents.explanations, documents.query, documents.names);
    }
    const std::string title =
        queries.size() == 1 ? fmt::format("query {}, {}", views.front().query, options_.method_name)
                            : fmt::format("{} documents of {} queries, {}", table.num_documents(),
                                          queries.size(), options_.method_name);
    return documents_picture(table, params, title);
  }

  // All files or none.
  void write(const std::vector<ExplanationView>& views, const std::string& svg) const {
    const bool is_one = options_.choice.queries.empty() && !options_.choice.is_every_document();
    write_text_files({{{options_.out, is_one ? json_text(views.front()) : json_lines(views)},
                       {options_.tsv, table_tsv(explanation_table(views))},
                       {options_.plot, svg}}});
  }

  void print(const std::vector<ExplanationView>& views, Output& output) const {
    if (output.json) {
      const ExplainResult result{
          .model = options_.inputs.ranker(), .data = options_.inputs.data(), .explanations = views};
      output.out << json_text(result);
      return;
    }
    for (const ExplanationView& view : views) {
      if (&view != &views.front()) output.out << '\n';
      output.out << explanation_text(view, {.features = static_cast<std::size_t>(options_.top)});
    }
    std::string written;
    for (const std::string& path : {options_.out, options_.tsv, options_.plot}) {
      if (!path.empty()) written += (written.empty() ? "" : ", ") + path;
    }
    if (!written.empty()) output.out << fmt::format("\nwritten: {}\n", written);
  }

  ExplainOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() { return std::make_unique<ExplainCommand>(); }

}  // namespace glassrank::cli
