#pragma once
// Explanations of chosen queries from beginning to end: prepares the explainer, scores and ranks
// each query, explains what is asked for, audits the answer and gives it to a person as a view.
//
//   ExplanationSession session(subject, data, *explainer, params, context);   // prepares once
//   for (std::size_t q : chosen_queries(choice, data)) session.explain(q, choice);
//
// An explainer that samples is asked with several seeds: the first answer counts, the others say
// how stable it is.

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/audit/query_auditor.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/explain/subject.h"
#include "glassrank/explain/target_choice.h"

namespace glassrank {

struct SessionParams {
  AggregationParams aggregation;
  bool audit = true;  // measure how far answers can be trusted
  AuditorParams auditor;
  int seeds = 3;

  void visit(ParamVisitor& visitor);
  // Throws Error{kUsage} for an abstention that nothing would be measured for.
  void check() const;
};

class ExplanationSession {
 public:
  // Subject and data must outlive it. Throws Error{kUsage} when the explainer cannot explain the
  // subject.
  ExplanationSession(const Subject& subject, const Dataset& data, const Explainer& explainer,
                     const SessionParams& params, const Context& context);

  // What is chosen of query `query` of the data: one view, or one per document, best first.
  std::vector<ExplanationView> explain(std::size_t query, const TargetChoice& choice) const;

  // Every document of a query, best first, not audited. Throws Error{kUsage} for an explainer that
  // has no attributions of documents.
  struct Documents {
    ExplainedQuery query;
    std::vector<Explanation> explanations;
    ExplanationNames names;
  };
  Documents explain_documents(std::size_t query) const;
  bool explains_documents() const;

 private:
  ExplanationNames names_of(std::size_t query) const;
  // Number `s` of the contexts that differ in their seed only.
  Context with_seed(std::size_t s) const;

  const Subject& subject_;
  const Dataset& data_;
  SessionParams params_;
  Context context_;
  std::vector<std::unique_ptr<Explainer>> explainers_;  // one a seed
  std::optional<Auditor> auditor_;
  ExplanationNames names_;  // of features
};

}  // namespace glassrank
