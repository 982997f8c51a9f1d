#pragma once
// Explanations of chosen queries from beginning to end: prepares the explainer, scores and ranks
// each query, explains what is asked for, and gives it to a person as a view.
//
//   ExplanationSession session(subject, data, *explainer, params, context);   // prepares once
//   for (std::size_t q : chosen_queries(choice, data)) views.push_back(session.explain(q, choice));

#include <cstddef>
#include <memory>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/explain/subject.h"
#include "glassrank/explain/target_choice.h"

namespace glassrank {

class ExplanationSession {
 public:
  // Subject and data must outlive it. Throws Error{kUsage} when the explainer cannot explain the
  // subject.
  ExplanationSession(const Subject& subject, const Dataset& data, const Explainer& explainer,
                     const AggregationParams& aggregation, const Context& context);

  // The choice's target in query `query` of the data.
  ExplanationView explain(std::size_t query, const TargetChoice& choice) const;

  // Every document of a query, best first. Throws Error{kUsage} for an explainer that has no
  // attributions of documents.
  struct Documents {
    ExplainedQuery query;
    std::vector<Explanation> explanations;
    ExplanationNames names;
  };
  Documents explain_documents(std::size_t query) const;
  bool explains_documents() const;

 private:
  ExplanationNames names_of(std::size_t query) const;

  const Subject& subject_;
  const Dataset& data_;
  std::unique_ptr<Explainer> explainer_;
  AggregationParams aggregation_;
  Context context_;
  ExplanationNames names_;  // of features
};

}  // namespace glassrank
