#include "glassrank/explain/greedy/greedy_explainer.h"

#include <array>

#include "glassrank/base/error.h"
#include "glassrank/explain/masks/extension_scores.h"
#include "glassrank/explain/no_order.h"

namespace glassrank {

std::span<const std::pair<std::string_view, GreedyMode>> EnumNames<GreedyMode>::table() {
  static constexpr std::array<std::pair<std::string_view, GreedyMode>, 2> kNames = {
      {{"paper", GreedyMode::kPaper}, {"released", GreedyMode::kReleased}}};
  return kNames;
}

void GreedyParams::visit(ParamVisitor& visitor) {
  visitor.field("k", k, "maximum number of features to choose", Range{.low = 1});
  visitor.field("starts", starts, "number of first features to try, best first; the best run wins",
                Range{.low = 1});
  visitor.field("max_pairs", max_pairs,
                "maximum number of document pairs to use; beyond it a sample is drawn",
                Range{.low = 1});
  visitor.field("pair_weights", pair_weights, "weight of a pair");
  visitor.field("typical", typical, "how unknown features are filled in");
  visitor.field("tau", tau, "how two orders of a ranking are compared");
  visitor.field("mode", mode,
                "paper, or released: as the authors' program, by default with 5 starts, 50 pairs, "
                "no pair weights and the tau of lists of document numbers");
}

GreedyParams GreedyParams::resolved() const {
  GreedyParams result = *this;
  if (mode != GreedyMode::kReleased) return result;
  if (!starts.is_given) result.starts = 5;
  if (!max_pairs.is_given) result.max_pairs = 50;
  if (!pair_weights.is_given) result.pair_weights = PairWeights::kNone;
  if (!tau.is_given) result.tau = Tau::kDocidSequence;
  return result;
}

ExplainerTraits set_explainer_traits(bool is_sampled) {
  return {.needs_model = false,
          .gives_attributions = false,
          .is_sampled = is_sampled,
          .explains_documents = true,
          .explains_pairs = true,
          .explains_rankings = true};
}

void check_set_size(std::string_view explainer, int k, const Subject& subject) {
  if (static_cast<std::size_t>(k) <= subject.num_features()) return;
  fail(ErrorKind::kUsage, "{} shall choose {} features, but the ranker has {}", explainer, k,
       subject.num_features());
}

std::string GreedyExplainer::name() const {
  switch (variant_) {
    case GreedyVariant::kGreedy:
      return "greedy";
    case GreedyVariant::kCover:
      return "greedy-cover";
    case GreedyVariant::kCoverEps:
      return "greedy-cover-eps";
  }
  return {};
}

// Another seed draws other pairs where there are more than max_pairs.
ExplainerTraits GreedyExplainer::traits() const { return set_explainer_traits(true); }

std::unique_ptr<Explainer> GreedyExplainer::clone() const {
  return std::make_unique<GreedyExplainer>(variant_, params_);
}

void GreedyExplainer::prepare(const Subject& subject, const Context& context) {
  check_params(params_);
  check_subject(subject);
  check_set_size(name(), params_.k, subject);
  subject_.emplace(subject);
  typical_ = typical_row(subject, params_.typical, context);
  candidates_ = subject.scorer.used_features();
}

std::vector<Explanation> GreedyExplainer::explain(const ExplainedQuery& query,
                                                  std::span<const Target> targets,
                                                  const Context& context) const {
  const GreedyParams params = params_.resolved();
  const bool as_released = params.mode == GreedyMode::kReleased;
  const GreedyRule rule{.variant = variant_,
                        .k = static_cast<std::size_t>(params.k),
                        .starts = static_cast<std::size_t>(params.starts.value),
                        .as_released = as_released};
  const PairSample sample{.max_pairs = static_cast<std::size_t>(params.max_pairs.value),
                          .seed = context.seed,
                          .favours_top = as_released && variant_ == GreedyVariant::kGreedy};
  const std::vector<float> typical = typical_row_of(query, typical_, subject_->num_features());
  const auto extensions = make_extension_scores(*subject_, query.rows, typical, context);
  std::vector<Explanation> explanations;
  for (const Target& target : targets) {
    Explanation& explanation = explanations.emplace_back();
    explanation.target = target;
    explanation.abstains = why_no_order(query, target);
    if (!explanation.abstains.empty()) continue;
    const std::vector<DocumentPair> pairs =
        sample_pairs(query, target, params.pair_weights, sample);
    GreedyResult result =
        greedy_search(rule,
                      {.num_documents = query.num_documents(),
                       .pairs = pairs,
                       .candidates = candidates_,
                       .agreement =
                           [&](std::span<const double> scores) {
                             return order_agreement(query, target, scores, params.tau);
                           }},
                      *extensions, context);
    explanation.value = result.agreement;
    explanation.base_value = result.base;
    explanation.gains = std::move(result.gains);
    explanation.features = std::move(result.features);
  }
  return explanations;
}

}  // namespace glassrank
