#pragma once
// Measures what a set of features leaves of one query's order, and fills the audit numbers of
// explanations with it.
//
//   Auditor auditor(subject, params, context);          // once: the typical row of the background
//   QueryAuditor of_query(auditor, query, context);     // once a query: a plan for masked scores
//   of_query.audit(explanation, with_other_seeds, context);
//
// A target asks about some pairs of documents: a ranking about all of them, a document about those
// it is part of, a pair about one. Validity and completeness (validity.h) are taken over these
// pairs; of a document and a pair always as tau-a: pairs kept less pairs turned round, a tie
// counts as neither, divided by their number.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/explain/audit/reliability.h"
#include "glassrank/explain/audit/validity.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/explanation.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct AuditorParams {
  Typical typical = Typical::kMean;  // what stands in for a feature that is not known
  Tau tau = Tau::kA;
  AbstainParams abstain;

  void visit(ParamVisitor& visitor);
};

class Auditor {
 public:
  // The subject must outlive it.
  Auditor(const Subject& subject, const AuditorParams& params, const Context& context);

  const Subject& subject() const { return subject_; }
  const AuditorParams& params() const { return params_; }
  std::span<const float> typical() const { return typical_; }

 private:
  const Subject& subject_;
  AuditorParams params_;
  std::vector<float> typical_;  // empty: each query's own mean
};

// What is left of the order with only the features known, and without them.
struct OrderLeft {
  double validity = 0;
  double completeness = 0;
};

class QueryAuditor {
 public:
  // Auditor and query must outlive it.
  QueryAuditor(const Auditor& auditor, const ExplainedQuery& query, const Context& context);

  // One answer per set of features, with one call of the ranker for all of them.
  std::vector<OrderLeft> measure(const Target& target,
                                 std::span<const std::vector<std::uint32_t>> sets,
                                 const Context& context) const;
  // Fills `audit` and `abstains`; stability only where answers with other seeds are given. Validity
  // and completeness of a query with one document stay absent: it has no order.
  void audit(Explanation& explanation, std::span<const Explanation> with_other_seeds,
             const Context& context) const;

 private:
  const Auditor& auditor_;
  const ExplainedQuery& query_;
  std::vector<float> reference_;
  std::unique_ptr<const Perturbation> perturbation_;
};

// Pairs of the target that `others` has in the order of `scores`, less those it turns round,
// divided by their number. Of a ranking it is rank_agreement().
double target_agreement(const Target& target, std::span<const double> scores,
                        std::span<const double> others, Tau tau);

}  // namespace glassrank
