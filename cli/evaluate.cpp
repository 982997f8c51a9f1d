// glassrank evaluate: metrics of rankings, with the convention they were computed by.

#include "glassrank/metrics/evaluate.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/ranking_inputs.h"
#include "cli/registry.h"
#include "glassrank/base/error.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/metrics/convention_text.h"
#include "glassrank/metrics/per_query_file.h"

namespace glassrank::cli {
namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

void print_metrics(std::ostream& out, const Evaluation& evaluation) {
  TextColumns table;
  for (const std::size_t number : {1, 2, 3}) table.align_right(number);
  table.add({"metric", "mean", "queries", "empty"});
  for (const MetricValues& metric : evaluation.metrics) {
    table.add({to_text(metric.metric), fmt::format("{:.6f}", metric.mean),
               fmt::format("{}", metric.num_counted), fmt::format("{}", metric.num_empty)});
  }
  out << table.text();
}

// A line a ranking, a column a metric.
void print_rankings(std::ostream& out, std::span<const NamedEvaluation> rankings) {
  TextColumns table;
  std::vector<std::string> header = {"ranking"};
  for (const MetricValues& metric : rankings.front().evaluation.metrics) {
    table.align_right(header.size());
    header.push_back(to_text(metric.metric));
  }
  table.align_right(header.size());
  header.emplace_back("queries");
  table.add(std::move(header));
  for (const NamedEvaluation& ranking : rankings) {
    std::vector<std::string> row = {ranking.name};
    for (const MetricValues& metric : ranking.evaluation.metrics) {
      row.push_back(fmt::format("{:.6f}", metric.mean));
    }
    row.push_back(fmt::format("{}", ranking.evaluation.num_queries));
    table.add(std::move(row));
  }
  out << table.text();
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
    return "Metrics of rankings: models, scores or features on a data file, or TREC runs";
  }
  std::vector<std::string> examples() const override {
    return {"glassrank evaluate --data test.txt --model model.txt --metric ndcg@10",
            "glassrank evaluate --data test.txt --model a.txt --model b.txt --metric ndcg@10,map",
            "glassrank evaluate --data test.txt --scores scores.txt --metric ndcg@10,map",
            "glassrank evaluate --data test.txt --feature 25 --convention lightgbm",
            "glassrank evaluate qrels.txt bm25.run --metric ndcg_cut_10,P_10,recip_rank -q",
            "glassrank evaluate --run bm25.run --qrels qrels.txt --metric 'p(rel=2)@5' "
            "--convention trec_eval --per-query values.tsv"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("files", trec_files_,
                  "judgements and runs, as trec_eval takes them; the convention is then "
                  "trec_eval's unless another one is given",
                  ParamStyle{.positional = true, .file = FileUse::kInput, .one_value = true});
    visitor.field("metric", metrics_,
                  "what to compute, for example ndcg@10, p(rel=2)@5, or trec_eval's P_10",
                  ParamStyle{.value_name = "METRIC"});
    rankings_.visit_sources(visitor);
    visitor.field(
        "complete", complete_,
        "count judged queries that are not in the run, as if nothing had been found for them",
        ParamStyle{.alias = "c"});
    visitor.field("per_query", per_query_,
                  "write the value of every query to this TSV file; - is standard output",
                  ParamStyle{.file = FileUse::kOutput});
    visitor.field("each_query", each_query_,
                  "print the value of every query and the means, a line each, as trec_eval -q",
                  ParamStyle{.alias = "q"});
    visitor.field("verbose", verbose_, "print every choice of the metrics' convention",
                  ParamStyle{.alias = "v"});
    convention_.visit(visitor);
    rankings_.visit_reading(visitor);
  }

  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses = rankings_.uses();
    if (trec_files_.empty()) uses.push_back({"complete", "run"});
    return uses;
  }
  void read_given(const std::vector<std::string>& names) override {
    gives_convention_ = std::ranges::find(names, "convention") != names.end();
  }
  std::string results() const override {
    return results_markdown<Evaluation>() + "\nOf several rankings:\n\n" +
           results_markdown<Evaluations>();
  }

  void run(const Context& context, Output& output) override {
    settle();
    const auto metrics = parse_metrics(metrics_);
    refuse_unused(convention_, metrics);
    const Convention convention = convention_.resolve();
    Evaluations evaluations;
    rankings_.for_each(
        JoinOptions{.complete = complete_}, context,
        [&](const std::string& name, const ListSource& lists) {
          Evaluation evaluation = evaluate(lists, metrics, convention, context);
          check_counted(evaluation);
          for (const std::string& notice : notices_of(evaluation)) context.info(notice);
          if (each_query_) output.out << per_query_text(lists, evaluation, "standard output");
          if (!per_query_.empty()) write_per_query(per_query_, lists, evaluation);
          evaluations.rankings.push_back({.name = name, .evaluation = std::move(evaluation)});
        });
    if (!each_query_) print(evaluations, metrics, output);
  }

 private:
  void settle() {
    if (!trec_files_.empty()) {
      rankings_.set_trec_files(trec_files_);
      if (!gives_convention_ && convention_.convention == "glassrank") {
        convention_.convention = "trec_eval";
      }
    }
    if (per_query_ == "-") {
      per_query_.clear();
      each_query_ = true;
    }
    if (rankings_.size() == 0) {
      fail(ErrorKind::kUsage,
           "evaluate needs --model, --scores or --feature with --data, or --run with --qrels");
    }
    if (rankings_.num_runs() > 0 && rankings_.num_on_data() > 0) {
      fail(ErrorKind::kUsage,
           "--run ranks the documents of --qrels; --model, --scores and --feature those of --data: "
           "evaluate one kind at a time");
    }
    if (rankings_.size() > 1 && (each_query_ || !per_query_.empty())) {
      fail(ErrorKind::kUsage, "values per query are of one ranking; here are {}", rankings_.size());
    }
    rankings_.check();
    if (each_query_ && !per_query_.empty()) {
      fail(ErrorKind::kUsage, "--each-query prints what --per-query writes: give one of them");
    }
    if (metrics_.empty()) fail(ErrorKind::kUsage, "--metric must name at least one metric");
  }

  void print(const Evaluations& evaluations, std::span<const MetricSpec> metrics,
             const Output& output) const {
    const Evaluation& first = evaluations.rankings.front().evaluation;
    const bool is_one = evaluations.rankings.size() == 1;
    if (output.json) {
      output.out << (is_one ? json_text(first) : json_text(evaluations));
      return;
    }
    if (is_one) {
      print_metrics(output.out, first);
      output.out << fmt::format(
          "\n{}, {}; {} documents with equal scores\n",
          counted(first.num_queries, "query", "queries"),
          counted(first.num_documents, "document", "documents"),
          first.num_tied == 1 ? "1 query has" : fmt::format("{} queries have", first.num_tied));
    } else {
      print_rankings(output.out, evaluations.rankings);
      output.out << '\n';
    }
    if (verbose_) {
      output.out << fmt::format("convention {}\n", to_text(first.convention));
    } else {
      output.out << short_text(first.convention, metrics) << '\n';
    }
  }

  std::vector<std::string> trec_files_;
  std::vector<std::string> metrics_ = {"ndcg@10"};
  RankingInputs rankings_;
  bool complete_ = false;
  bool each_query_ = false;
  bool verbose_ = false;
  bool gives_convention_ = false;
  std::string per_query_;
  ConventionChoice convention_;
};

}  // namespace

std::unique_ptr<Command> make_evaluate_command() { return std::make_unique<EvaluateCommand>(); }

}  // namespace glassrank::cli
