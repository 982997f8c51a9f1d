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
}

void Evaluation::visit(ResultVisitor& visitor) const {
  visitor.list("metrics", metrics, "one entry a metric");
  visitor.field("num_queries", num_queries, "queries ranked");
  visitor.field("num_rows", num_documents, "documents in their lists");
  visitor.field("num_tied", num_tied, "queries in which some documents have equal scores");
  visitor.object("convention", NamedConvention{convention}, "by which they were computed");
}

}  // namespace glassrank
