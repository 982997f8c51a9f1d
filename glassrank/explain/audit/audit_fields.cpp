// The keys of an audit's result, and its values as a table.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/explain/audit/audit_result.h"

namespace glassrank {

void MeasureMean::visit(ResultVisitor& visitor) const {
  visitor.field("measure", measure, "what is measured");
  visitor.field("mean", mean, "over queries");
  visitor.field("standard_error", standard_error, "of the mean, over queries");
  visitor.field("standard_deviation", standard_deviation, "of single answers");
  visitor.field("num_queries", num_queries, "queries that have a value");
  visitor.field("num_undefined", num_undefined, "answers that have none");
  visitor.field("is_best", is_best, "whether no other explainer has a better mean");
  visitor.field("is_clearly_best", is_clearly_best,
                "whether it is the best and differs significantly from every other");
  visitor.field("p_best", p_best, "corrected p of the difference to the best");
}

void AuditedMethod::visit(ResultVisitor& visitor) const {
  visitor.field("method", method, "label of the explainer in this audit");
  visitor.field("explainer", explainer, "name of the explainer");
  visitor.texts("params", params, "its parameters");
  visitor.field("is_sampled", is_sampled, "whether another seed gives another answer");
  visitor.field("seconds_per_query", seconds_per_query,
                "time to explain a query once, on one thread");
  visitor.field("num_abstained", num_abstained,
                "rankings whose explanation is not to be relied on");
  visitor.list("measures", measures, "those that it has");
}

void MethodDifference::visit(ResultVisitor& visitor) const {
  visitor.field("measure", measure, "what is measured");
  visitor.field("a", a, "method");
  visitor.field("b", b, "another one");
  visitor.field("num_queries", num_queries, "queries for which both have a value");
  visitor.field("mean_difference", mean_difference, "a less b");
  visitor.field("p", p, "two-sided");
  visitor.field("corrected_p", corrected_p, "over the pairs of this measure");
  visitor.field("significant", significant, "whether the corrected p is at most alpha");
}

void MethodDepths::visit(ResultVisitor& visitor) const {
  visitor.field("method", method, "label of the explainer");
  visitor.field("measure", measure, "of documents");
  visitor.object("depths", depths, "the measure by the depth of the documents' paths");
}

void AuditResult::visit(ResultVisitor& visitor) const {
  visitor.field("k", k, "number of features that every explanation names");
  visitor.field("num_queries", num_queries, "audited");
  visitor.field("num_without_order", num_without_order,
                "queries with one document or equal scores, whose ranking is not explained");
  visitor.field("num_documents", num_documents, "compared with a truth");
  visitor.field("seeds", seeds, "of sampled explainers");
  visitor.field("test", test, "of differences");
  visitor.field("correction", correction, "of p over the pairs of a measure");
  visitor.field("alpha", alpha, "of significance");
  visitor.list("methods", methods, "audited, in the order given");
  visitor.list("differences", differences, "of every two methods in every measure");
  visitor.list("depths", depths, "measures of documents by the depth of their paths");
}

namespace {

// Names apart by commas, the most important first.
std::string feature_list(std::span<const std::uint32_t> features, const Dataset& data) {
  std::string text;
  for (const std::uint32_t f : features) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", data.feature_names()[f]);
  }
  return text;
}

}  // namespace

Table audit_cases_table(const AuditResult& result, const Dataset& data) {
  bool has_depth = false;
  for (const AuditCase& audited : result.cases.cases) has_depth |= audited.depth == audited.depth;
  std::vector<Column> columns = {{"query"}, {"method"}, {"document"}, {"features"}};
  if (has_depth) columns.push_back({"depth"});
  for (const Measure& measure : result.cases.measures) columns.push_back({measure.name});
  Table table(std::move(columns));
  for (const AuditCase& audited : result.cases.cases) {
    const std::size_t first = data.queries().rows(audited.query).begin;
    std::vector<Cell> row = {
        cell(std::string(data.queries().id(audited.query))),
        cell(result.methods[audited.method].method),
        audited.document ? cell(data.document_name(first + *audited.document)) : Cell(),
        cell(feature_list(audited.features, data))};
    if (has_depth) row.push_back(audited.document ? cell(audited.depth) : Cell());
    for (std::size_t m = 0; m < audited.values.size(); ++m) {
      const bool may_have =
          result.cases.measures[m].is_of_documents == audited.document.has_value();
      row.push_back(may_have ? cell(audited.values[m]) : Cell());
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace glassrank
