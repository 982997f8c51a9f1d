#include "glassrank/explain/audit/query_auditor.h"

#include "glassrank/explain/audit/self_checks.h"
#include "glassrank/explain/audit/set_masks.h"
#include "glassrank/explain/no_order.h"

namespace glassrank {
namespace {

int order_of(double a, double b) { return int{a > b} - int{a < b}; }

int pair_kept(std::span<const double> scores, std::span<const double> others, std::size_t a,
              std::size_t b) {
  return order_of(scores[a], scores[b]) * order_of(others[a], others[b]);
}

}  // namespace

void AuditorParams::visit(ParamVisitor& visitor) {
  visitor.field("typical", typical,
                "how unknown features are filled in when validity is measured: by their mean or "
                "median in the background data, by zero, or by their mean in the query");
  visitor.field("tau", tau,
                "how two orders are compared: Kendall's tau-a or tau-b, weighted as NDCG weighs "
                "ranks, or as the program of the Valid Explanations paper does");
  abstain.visit(visitor);
}

Auditor::Auditor(const Subject& subject, const AuditorParams& params, const Context& context)
    : subject_(subject), params_(params) {
  check_params(params);
  check_subject(subject);
  typical_ = typical_row(subject, params.typical, context);
}

QueryAuditor::QueryAuditor(const Auditor& auditor, const ExplainedQuery& query,
                           const Context& context)
    : auditor_(auditor),
      query_(query),
      reference_(typical_row_of(query, auditor.typical(), auditor.subject().num_features())),
      perturbation_(make_perturbation(auditor.subject(), query.rows,
                                      {reference_.data(), 1, reference_.size()}, context)) {}

std::vector<OrderLeft> QueryAuditor::measure(const Target& target,
                                             std::span<const std::vector<std::uint32_t>> sets,
                                             const Context& context) const {
  const std::size_t num_features = perturbation_->num_features();
  const std::size_t num_documents = query_.num_documents();
  const std::vector<std::uint8_t> masks = set_masks(sets, num_features);
  std::vector<double> masked(2 * sets.size() * num_documents);
  perturbation_->mean_scores({masks.data(), 2 * sets.size(), num_features}, masked, context);
  const auto agreement = [&](std::size_t row) {
    return target_agreement(target, query_.scores,
                            std::span(masked).subspan(row * num_documents, num_documents),
                            auditor_.params().tau);
  };
  std::vector<OrderLeft> left;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    left.push_back({.validity = agreement(2 * s), .completeness = agreement(2 * s + 1)});
  }
  return left;
}

void QueryAuditor::audit(Explanation& explanation, std::span<const Explanation> with_other_seeds,
                         const Context& context) const {
  ExplanationAudit& audit = explanation.audit;
  audit = {};
  const std::string no_order = why_no_order(query_, explanation.target);
  if (explanation.target.kind == TargetKind::kRanking && !no_order.empty()) {
    explanation.abstains = no_order;
    return;
  }
  if (explanation.is_sampled && explanation.standard_errors.empty()) {
    explanation.standard_errors = errors_over_seeds(explanation, with_other_seeds);
  }
  // Noise is not named, neither by this answer nor by those it is compared with.
  std::vector<Explanation> others;
  for (const Explanation& given : with_other_seeds) {
    Explanation& other = others.emplace_back(given);
    if (other.standard_errors.empty()) other.standard_errors = explanation.standard_errors;
    other.features = sure_features(other);
  }
  explanation.features = sure_features(explanation);
  audit.additivity_residual = additivity_residual(explanation);
  audit.error_share = error_share(explanation);
  audit.stability = stability(explanation, others);
  audit.fit = explanation.fit;
  audit.names_all = explanation.features.size() >= auditor_.subject().scorer.used_features().size();
  if (no_order.empty()) {
    const OrderLeft left = measure(explanation.target, {&explanation.features, 1}, context).front();
    audit.validity = left.validity;
    audit.completeness = left.completeness;
  }
  judge(explanation, auditor_.params().abstain);
}

double target_agreement(const Target& target, std::span<const double> scores,
                        std::span<const double> others, Tau tau) {
  switch (target.kind) {
    case TargetKind::kRanking:
      return rank_agreement(scores, others, tau);
    case TargetKind::kPair:
      return pair_kept(scores, others, target.document, target.other);
    case TargetKind::kDocument:
      break;
  }
  if (scores.size() < 2) return 1;
  int kept = 0;
  for (std::size_t d = 0; d < scores.size(); ++d) {
    if (d != target.document) kept += pair_kept(scores, others, target.document, d);
  }
  return static_cast<double>(kept) / static_cast<double>(scores.size() - 1);
}

}  // namespace glassrank
