#include "glassrank/explain/greedy/optimum_explainer.h"

#include <algorithm>

#include "glassrank/explain/greedy/best_subset.h"
#include "glassrank/explain/greedy/document_pairs.h"
#include "glassrank/explain/greedy/greedy_explainer.h"
#include "glassrank/explain/no_order.h"
#include "glassrank/explain/perturbation.h"

namespace glassrank {

void OptimumParams::visit(ParamVisitor& visitor) {
  visitor.field("k", k, "features to choose", Range{.low = 1, .high = 3});
  visitor.field("typical", typical, "how unknown features are filled in");
  visitor.field("tau", tau, "how two orders of a ranking are compared");
  visitor.field(
      "max_rows", max_rows,
      "maximum number of rows to score, for rankers that are neither forests nor additive models",
      Range{.low = 1});
}

ExplainerTraits OptimumExplainer::traits() const { return set_explainer_traits(false); }

std::unique_ptr<Explainer> OptimumExplainer::clone() const {
  return std::make_unique<OptimumExplainer>(params_);
}

void OptimumExplainer::prepare(const Subject& subject, const Context& context) {
  check_params(params_);
  check_subject(subject);
  check_set_size(name(), params_.k, subject);
  subject_.emplace(subject);
  typical_ = typical_row(subject, params_.typical, context);
  candidates_ = subject.scorer.used_features();
}

std::vector<Explanation> OptimumExplainer::explain(const ExplainedQuery& query,
                                                   std::span<const Target> targets,
                                                   const Context& context) const {
  const std::size_t num_features = subject_->num_features();
  const std::vector<float> typical = typical_row_of(query, typical_, num_features);
  const auto perturbation =
      make_perturbation(*subject_, query.rows, {typical.data(), 1, num_features}, context);
  std::vector<Explanation> explanations;
  for (const Target& target : targets) {
    Explanation& explanation = explanations.emplace_back();
    explanation.target = target;
    explanation.abstains = why_no_order(query, target);
    if (!explanation.abstains.empty()) continue;
    const auto agreement = [&](std::span<const double> scores) {
      return order_agreement(query, target, scores, params_.tau);
    };
    const std::vector<DocumentPair> pairs = pairs_of(query, target, PairWeights::kNone);
    // Tau-a, and the agreement of single documents and pairs, rank sets as the kept pairs do.
    const bool counts_pairs = target.kind != TargetKind::kRanking || params_.tau == Tau::kA;
    BestSubsetTask task{.subject = *subject_,
                        .documents = query.rows,
                        .typical = typical,
                        .candidates = candidates_,
                        .k = std::min(num_chosen(), candidates_.size()),
                        .pairs = pairs,
                        .agreement = {},
                        .max_rows = static_cast<std::size_t>(params_.max_rows)};
    if (!counts_pairs) task.agreement = agreement;
    explanation.features = best_subset(task, context);
    std::vector<std::uint8_t> mask(num_features);
    for (const std::uint32_t f : explanation.features) mask[f] = 1;
    std::vector<double> scores(query.num_documents());
    perturbation->scores({mask.data(), 1, num_features}, scores, context);
    explanation.value = agreement(scores);
  }
  return explanations;
}

}  // namespace glassrank
