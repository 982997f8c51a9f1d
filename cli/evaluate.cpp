// glassrank evaluate: metrics of a ranking, with the convention they were computed by.

#include "glassrank/metrics/evaluate.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/ranking_inputs.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/metrics/per_query_file.h"

namespace glassrank::cli {
namespace {

void print_table(std::ostream& out, const Evaluation& evaluation) {
  TextColumns table;
  for (const std::size_t number : {1, 2, 3}) table.align_right(number);
  table.add({"metric", "mean", "queries", "empty"});
  for (const MetricValues& metric : evaluation.metrics) {
    table.add({to_text(metric.metric), fmt::format("{:.6f}", metric.mean),
               fmt::format("{}", metric.num_counted), fmt::format("{}", metric.num_empty)});
  }
  out << table.text();
  out << fmt::format("\n{} queries, {} documents; {} queries have documents with equal scores\n",
                     evaluation.num_queries, evaluation.num_documents, evaluation.num_tied);
  out << fmt::format("convention {}\n", to_text(evaluation.convention));
}

void check_counted(const Evaluation& evaluation) {
  for (const MetricValues& metric : evaluation.metrics) {
    if (metric.num_counted > 0) continue;
    fail(ErrorKind::kInput,
         "{}: all {} queries are empty and skipped, so there is no mean; give empty queries a "
         "value, for example --empty 0",
         to_text(metric.metric), evaluation.num_queries);
  }
}

class EvaluateCommand final : public Command {
 public:
  std::string name() const override { return "evaluate"; }
  std::string summary() const override {
    return "Metrics of a ranking: a model, scores or one feature on a data file, or a TREC run";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank evaluate --data test.txt --model model.txt --metric ndcg@10",
            "glassrank evaluate --data test.txt --scores scores.txt --metric ndcg@10,map",
            "glassrank evaluate --data test.txt --feature 25 --convention lightgbm",
            "glassrank evaluate --run bm25.run --qrels qrels.txt --metric 'p(rel=2)@5' "
            "--convention trec_eval --per-query values.tsv"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("metric", metrics_, "what to compute, for example ndcg@10 or p(rel=2)@5",
                  ParamStyle{.value_name = "METRIC"});
    rankings_.visit_sources(visitor);
    visitor.field("complete", complete_,
                  "count judged queries the run does not have, as retrieving nothing");
    visitor.field("per_query", per_query_, "write the value of every query to this TSV file",
                  ParamStyle{.file = FileUse::kOutput});
    convention_.visit(visitor);
    rankings_.visit_reading(visitor);
  }

  std::string results() const override { return results_markdown<Evaluation>(); }
  void run(const Context& context, Output& output) override {
    if (rankings_.size() != 1) {
      fail(ErrorKind::kUsage,
           "evaluate needs one of --model, --scores or --feature with --data, or --run with "
           "--qrels");
    }
    rankings_.check();
    if (metrics_.empty()) fail(ErrorKind::kUsage, "--metric must name at least one metric");
    const auto metrics = parse_metrics(metrics_);
    const Convention convention = convention_.resolve();
    rankings_.for_each(JoinOptions{.complete = complete_}, context,
                       [&](const std::string&, const ListSource& lists) {
                         report(lists, metrics, convention, context, output);
                       });
  }

 private:
  void report(const ListSource& lists, std::span<const MetricSpec> metrics,
              const Convention& convention, const Context& context, Output& output) const {
    const Evaluation evaluation = evaluate(lists, metrics, convention, context);
    check_counted(evaluation);
    if (!per_query_.empty()) write_per_query(per_query_, lists, evaluation);
    if (output.json) {
      output.out << json_text(evaluation);
    } else {
      print_table(output.out, evaluation);
    }
  }

  std::vector<std::string> metrics_ = {"ndcg@10"};
  RankingInputs rankings_;
  bool complete_ = false;
  std::string per_query_;
  ConventionChoice convention_;
};

}  // namespace

std::unique_ptr<Command> make_evaluate_command() { return std::make_unique<EvaluateCommand>(); }

}  // namespace glassrank::cli
