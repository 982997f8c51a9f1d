#include "glassrank/explain/greedy/random_explainer.h"

#include <algorithm>

#include "glassrank/base/random.h"
#include "glassrank/explain/greedy/document_pairs.h"
#include "glassrank/explain/greedy/greedy_explainer.h"
#include "glassrank/explain/no_order.h"
#include "glassrank/explain/perturbation.h"

namespace glassrank {

void RandomExplainerParams::visit(ParamVisitor& visitor) {
  visitor.field("k", k, "number of features to draw", Range{.low = 1});
  visitor.field("repeats", repeats, "number of draws over which validity is averaged",
                Range{.low = 1});
  visitor.field("typical", typical, "how unknown features are filled in");
  visitor.field("tau", tau, "how two orders of a ranking are compared");
}

ExplainerTraits RandomExplainer::traits() const { return set_explainer_traits(true); }

std::unique_ptr<Explainer> RandomExplainer::clone() const {
  return std::make_unique<RandomExplainer>(params_);
}

void RandomExplainer::prepare(const Subject& subject, const Context& context) {
  check_params(params_);
  check_subject(subject);
  check_set_size(name(), params_.k, subject);
  subject_.emplace(subject);
  typical_ = typical_row(subject, params_.typical, context);
  candidates_ = subject.scorer.used_features();
}

std::vector<std::vector<std::uint32_t>> RandomExplainer::draw_sets(const ExplainedQuery& query,
                                                                   std::uint64_t seed) const {
  RandomSequence random(CounterRandom(seed, "random features", query.number));
  std::vector<std::vector<std::uint32_t>> sets;
  for (int repeat = 0; repeat < params_.repeats; ++repeat) {
    std::vector<std::uint32_t> features = candidates_;
    random.shuffle(features);
    features.resize(std::min(features.size(), num_chosen()));
    sets.push_back(std::move(features));
  }
  return sets;
}

std::vector<Explanation> RandomExplainer::explain(const ExplainedQuery& query,
                                                  std::span<const Target> targets,
                                                  const Context& context) const {
  const std::size_t num_features = subject_->num_features();
  const std::size_t num_documents = query.num_documents();
  const std::vector<std::vector<std::uint32_t>> sets = draw_sets(query, context.seed);
  std::vector<std::uint8_t> masks(sets.size() * num_features);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const std::uint32_t f : sets[s]) masks[s * num_features + f] = 1;
  }
  const std::vector<float> typical = typical_row_of(query, typical_, num_features);
  std::vector<double> scores(sets.size() * num_documents);
  make_perturbation(*subject_, query.rows, {typical.data(), 1, num_features}, context)
      ->scores({masks.data(), sets.size(), num_features}, scores, context);
  std::vector<Explanation> explanations;
  for (const Target& target : targets) {
    Explanation& explanation = explanations.emplace_back();
    explanation.target = target;
    explanation.abstains = why_no_order(query, target);
    if (!explanation.abstains.empty()) continue;
    explanation.features = sets.front();
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const auto masked = std::span(scores).subspan(s * num_documents, num_documents);
      explanation.value += order_agreement(query, target, masked, params_.tau);
    }
    explanation.value /= static_cast<double>(sets.size());
  }
  return explanations;
}

}  // namespace glassrank
