// glassrank evaluate: metrics of a ranking, with the convention they were computed by.

#include "glassrank/metrics/evaluate.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/feature_scores.h"
#include "cli/model_scores.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/scores.h"
#include "glassrank/data/io/trec.h"
#include "glassrank/data/judged_run.h"
#include "glassrank/metrics/judged_lists.h"
#include "glassrank/metrics/per_query_file.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

Json to_json(const Evaluation& evaluation) {
  Json convention = {{"name", evaluation.convention.name}};
  for (const ParamInfo& info : list_params(evaluation.convention)) {
    convention[info.name] = info.value;
  }
  Json metrics = Json::array();
  for (const MetricValues& metric : evaluation.metrics) {
    metrics.push_back({{"metric", to_text(metric.metric)},
                       {"mean", metric.mean},
                       {"num_queries", metric.num_counted},
                       {"num_empty", metric.num_empty}});
  }
  return {{"metrics", std::move(metrics)},
          {"num_queries", evaluation.num_queries},
          {"num_documents", evaluation.num_documents},
          {"num_tied", evaluation.num_tied},
          {"convention", std::move(convention)}};
}

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
    visitor.field("data", data_, "data file with queries and grades",
                  ParamStyle{.value_name = "FILE"});
    visitor.field("model", model_, "model in any format that can be read, to score the data",
                  ParamStyle{.value_name = "FILE"});
    visitor.field("scores", scores_, "one number per line for each document of the data",
                  ParamStyle{.value_name = "FILE"});
    visitor.field("feature", feature_,
                  "rank by this feature of the data, the largest first; =-NAME: the smallest first",
                  ParamStyle{.value_name = "NAME"});
    visitor.field("run", run_, "TREC run", ParamStyle{.value_name = "FILE"});
    visitor.field("qrels", qrels_, "TREC judgements of the run", ParamStyle{.value_name = "FILE"});
    visitor.field("complete", complete_,
                  "count judged queries the run does not have, as retrieving nothing");
    visitor.field("per_query", per_query_, "write the value of every query to this TSV file",
                  ParamStyle{.value_name = "FILE"});
    convention_.visit(visitor);
    read_.visit(visitor);
  }

  void run(const Context& context, Output& output) override {
    check_inputs();
    const auto metrics = parse_metrics(metrics_);
    const Convention convention = convention_.resolve();
    if (!run_.empty()) {
      const JudgedRun judged = join_run(read_qrels(qrels_, context), read_run(run_, context),
                                        JoinOptions{.complete = complete_});
      if (judged.queries.empty()) {
        fail(ErrorKind::kInput, "no query of '{}' is judged in '{}'; do the query ids agree?", run_,
             qrels_);
      }
      warn_of_left_out(judged, context);
      report(JudgedLists(judged), metrics, convention, context, output);
      return;
    }
    if (!model_.empty()) {
      const Model model = load_model(model_, context);
      const Dataset data = load_rows_for(model, data_, read_, context);
      const std::vector<double> scores = score_rows(model, data, context);
      report(DatasetLists(data, scores), metrics, convention, context, output);
      return;
    }
    const Dataset data = load_dataset(data_, read_, context);
    const std::vector<double> scores =
        scores_.empty() ? feature_scores(data, feature_)
                        : data.from_file_order(read_scores(scores_, data.num_rows(), context));
    report(DatasetLists(data, scores), metrics, convention, context, output);
  }

 private:
  void check_inputs() const {
    const int num_rankings = !model_.empty() + !scores_.empty() + !feature_.empty() + !run_.empty();
    if (num_rankings != 1) {
      fail(ErrorKind::kUsage,
           "evaluate needs one of --model, --scores or --feature with --data, or --run with "
           "--qrels");
    }
    if (!run_.empty() && qrels_.empty()) {
      fail(ErrorKind::kUsage, "--run needs --qrels, the judgements of its documents");
    }
    if (run_.empty() && data_.empty()) {
      fail(ErrorKind::kUsage, "{} needs --data, the file with queries and grades",
           !model_.empty()    ? "--model"
           : !scores_.empty() ? "--scores"
                              : "--feature");
    }
    if (run_.empty() != qrels_.empty() || (!run_.empty() && !data_.empty())) {
      fail(ErrorKind::kUsage, "--data and --run with --qrels cannot go together");
    }
    if (metrics_.empty()) fail(ErrorKind::kUsage, "--metric must name at least one metric");
  }

  static void warn_of_left_out(const JudgedRun& judged, const Context& context) {
    if (judged.num_not_judged > 0) {
      context.warn(fmt::format("{} queries of the run have no judgements and are left out",
                               judged.num_not_judged));
    }
    if (judged.num_not_retrieved > 0) {
      context.warn(fmt::format("{} judged queries are not in the run (--complete counts them)",
                               judged.num_not_retrieved));
    }
  }

  void report(const ListSource& lists, std::span<const MetricSpec> metrics,
              const Convention& convention, const Context& context, Output& output) const {
    const Evaluation evaluation = evaluate(lists, metrics, convention, context);
    check_counted(evaluation);
    if (!per_query_.empty()) write_per_query(per_query_, lists, evaluation);
    if (output.json) {
      output.out << to_json(evaluation).dump(2) << "\n";
    } else {
      print_table(output.out, evaluation);
    }
  }

  std::vector<std::string> metrics_ = {"ndcg@10"};
  std::string data_;
  std::string model_;
  std::string scores_;
  std::string feature_;
  std::string run_;
  std::string qrels_;
  bool complete_ = false;
  std::string per_query_;
  ConventionChoice convention_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_evaluate_command() { return std::make_unique<EvaluateCommand>(); }

}  // namespace glassrank::cli
