#pragma once
// The best set of 1, 2 or 3 features there is: every set is tried (best_subset.h). What the greedy
// explainers are measured against; the exact answer where its few features are enough.
//
// Where fewer than k features are used, all of them are chosen.
// Cost: on 1000 trees of 64 leaves a few milliseconds for 46 features and 20 documents, about a
// second for 136 features and 120 documents. A ranker that is neither a forest nor an additive
// model is asked for every set, up to max_rows rows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/audit/validity.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct OptimumParams {
  int k = 3;
  Typical typical = Typical::kMean;
  Tau tau = Tau::kA;
  std::int64_t max_rows = 20'000'000;

  void visit(ParamVisitor& visitor);
};

class OptimumExplainer final : public Explainer {
 public:
  explicit OptimumExplainer(OptimumParams params = {}) : params_(params) {}

  std::string name() const override { return "optimum"; }
  ExplainerTraits traits() const override;
  std::unique_ptr<Explainer> clone() const override;
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(params_.k); }
  void prepare(const Subject& subject, const Context& context) override;
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override;

 private:
  OptimumParams params_;
  std::optional<Subject> subject_;
  std::vector<float> typical_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace glassrank
