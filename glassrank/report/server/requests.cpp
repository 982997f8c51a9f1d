#include "glassrank/report/server/requests.h"

#include "glassrank/explain/registry.h"

namespace glassrank {
namespace {

constexpr const char* kQueryDoc =
    "without documents: the query of the server's data; with documents: what to call them together";
constexpr const char* kExplainerDoc = "how to explain; empty: what the model is best explained by";
constexpr const char* kAuditDoc = "measure how far the answer can be trusted";

}  // namespace

void ScoreRequest::visit(ParamVisitor& visitor) { visitor.field("query", query, kQueryDoc); }

void ExplainRequest::visit(ParamVisitor& visitor) {
  visitor.field("query", query, kQueryDoc);
  visitor.field(
      "document", document,
      "why this score? Its id, its place (place:3, or 3 where no id is such a number) or its rank "
      "(rank:1); empty: why this order?");
  visitor.field("explainer", explainer, kExplainerDoc, names_in(explainer_table()));
  visitor.field("audit", audit, kAuditDoc);
}

void PairRequest::visit(ParamVisitor& visitor) {
  visitor.field("query", query, kQueryDoc);
  visitor.field("document", document, "why is this document above the other? Id, place or rank",
                ParamStyle{.required = true});
  visitor.field("other", other, "the other one", ParamStyle{.required = true});
  visitor.field("explainer", explainer, kExplainerDoc, names_in(explainer_table()));
  visitor.field("audit", audit, kAuditDoc);
}

void CounterfactualRequest::visit(ParamVisitor& visitor) {
  visitor.field("query", query, kQueryDoc);
  visitor.field("document", document, "that is to rise: its id, its place or its rank",
                ParamStyle{.required = true});
  visitor.field("above", above, "the document above which it should rank");
  visitor.field("top", top, "number of first ranks that it should reach",
                Range{.low = 0, .high = 1e9});
  params.visit(visitor);
}

void ScoreAnswer::visit(ResultVisitor& visitor) const {
  visitor.field("model", model, "its name");
  visitor.field("query", query, "as it was named");
  visitor.field("documents", documents, "their names, in the order in which they came");
  visitor.field("scores", scores, "one a document, in that order");
  visitor.field("ranks", ranks, "of each document, from 1; equal scores keep their order");
}

void AnsweredCategories::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its name");
  visitor.field("names", names, "of its categories, by code; empty: values are the codes");
}

void ModelAnswer::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "of the model");
  visitor.field("format", format, "of its file");
  visitor.field("kind", kind, "of model");
  visitor.field("size", size, "in words");
  visitor.field("num_features", num_features, "values that a document has");
  visitor.field("features", features, "their names, in order");
  visitor.texts("provenance", provenance, "how it was made, as its file says");
  visitor.field("has_data", has_data, "queries can be named, and answers explained");
  visitor.field("num_queries", num_queries, "of the data");
  visitor.field("explainers", explainers, "that can be asked for");
  visitor.list("categories", categories, "features whose values are categories");
}

void HealthAnswer::visit(ResultVisitor& visitor) const {
  visitor.field("status", status, "ok");
  visitor.field("version", version, "of the program");
  visitor.field("page", page, "ready, being made, none, or why there is none");
}

void ApiError::visit(ResultVisitor& visitor) const {
  visitor.field("kind", kind, "request, not-found, method, size, token, busy, time or internal");
  visitor.field("message", message, "what is wrong, where, and what would be right");
}

void ErrorAnswer::visit(ResultVisitor& visitor) const {
  visitor.object("error", error, "why there is no answer");
}

}  // namespace glassrank
