#include <fmt/format.h>

#include "glassrank/metrics/evaluate.h"

namespace glassrank {
namespace {

struct NamedConvention {
  Convention convention;

  void visit(ResultVisitor& visitor) const {
    visitor.field("name", convention.name, "of the preset");
    for (const ParamInfo& info : list_params(convention)) {
      visitor.field(info.name, info.value, info.doc);
    }
  }
};

}  // namespace

void MetricValues::visit(ResultVisitor& visitor) const {
  visitor.field("metric", to_text(metric), "as --metric takes it");
  visitor.field("mean", mean, "over the queries that count");
  visitor.field("num_queries", num_counted, "queries that count");
  visitor.field("num_empty", num_empty, "queries without a relevant document");
  visitor.values("per_query", per_query, "values of the queries that count, with --each-query");
}

std::vector<std::string> notices_of(const Evaluation& evaluation) {
  std::vector<std::string> notices;
  if (evaluation.convention.stop == StopProbability::kGrade) return notices;
  for (const MetricValues& values : evaluation.metrics) {
    const MetricSpec& metric = values.metric;
    if (metric.name != "err" && metric.name != "pfound") continue;
    const double assumed = metric.param("max").value_or(evaluation.convention.max_grade);
    if (assumed == 0 || assumed == evaluation.greatest_grade) continue;
    notices.push_back(fmt::format(
        "{} takes {} for the greatest grade, the data have {}; --max-grade {} would take that",
        to_text(metric), assumed, evaluation.greatest_grade, evaluation.greatest_grade));
  }
  return notices;
}

void NamedEvaluation::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "of the ranking: its file or feature");
  evaluation.visit(visitor);
}

void Evaluations::visit(ResultVisitor& visitor) const {
  visitor.list("rankings", rankings, "one entry a ranking");
}

void Evaluation::visit(ResultVisitor& visitor) const {
  visitor.list("metrics", metrics, "one entry a metric");
  visitor.field("num_queries", num_queries, "queries ranked");
  visitor.field("num_rows", num_documents, "documents in their lists");
  visitor.field("num_tied", num_tied, "queries in which some documents have equal scores");
  visitor.object("convention", NamedConvention{convention}, "by which they were computed");
}

}  // namespace glassrank
