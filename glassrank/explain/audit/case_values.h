#pragma once
// The measures of one answer in an audit: of a ranking, of a document. An answer was asked for with
// one seed or several; every measure is the mean over the seeds that have a finite value.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/explain/audit/audit_params.h"
#include "glassrank/explain/audit/query_auditor.h"
#include "glassrank/explain/explanation.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

// What the answers about one query are measured with.
struct QueryMeans {
  const ExplainedQuery& view;
  const QueryAuditor& auditor;
  const Perturbation* with_background = nullptr;  // nullptr: preservation is not measured
};

class CaseValues {
 public:
  // Both must outlive it.
  CaseValues(std::span<const Measure> measures, const AuditParams& params)
      : measures_(measures), params_(params) {}

  struct Ranking {
    std::vector<double> values;           // by measure; NaN: has none
    std::vector<std::uint32_t> features;  // the first k, with the first seed
    bool abstains = false;                // with the first seed
  };
  // `by_seed` has one explanation of the ranking per seed. One that is not sampled is stable.
  Ranking of_ranking(std::span<const Explanation> by_seed, bool is_sampled, const QueryMeans& query,
                     const Context& context) const;

  struct Truth {
    std::string name;
    std::vector<double> importance;  // a number per feature
    bool has_signs = true;
  };
  // `by_seed` has one explanation of the document per seed, with attributions.
  std::vector<double> of_document(std::span<const Explanation> by_seed,
                                  std::span<const Truth> truths) const;

 private:
  std::span<const Measure> measures_;
  const AuditParams& params_;
};

}  // namespace glassrank
