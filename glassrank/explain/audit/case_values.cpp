#include "glassrank/explain/audit/case_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "glassrank/explain/audit/preservation.h"

namespace glassrank {
namespace {

std::vector<std::uint32_t> first_of(std::span<const std::uint32_t> features, std::size_t size) {
  const auto first = features.first(std::min(size, features.size()));
  return {first.begin(), first.end()};
}

class MeanValues {
 public:
  explicit MeanValues(std::span<const Measure> measures)
      : measures_(measures), sums_(measures.size()), counts_(measures.size()) {}

  void add(std::string_view measure, std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return;
    const auto found = std::ranges::find(measures_, measure, &Measure::name);
    if (found == measures_.end()) return;
    sums_[found - measures_.begin()] += *value;
    counts_[found - measures_.begin()] += 1;
  }
  std::vector<double> means() const {
    std::vector<double> means(sums_.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t m = 0; m < means.size(); ++m) {
      if (counts_[m] > 0) means[m] = sums_[m] / counts_[m];
    }
    return means;
  }

 private:
  std::span<const Measure> measures_;
  std::vector<double> sums_;
  std::vector<double> counts_;
};

// Residuals up to this are the rounding of a sum: explainers must not be told apart by them.
constexpr double kRounding = 1e-9;

void add_audit(const ExplanationAudit& audit, bool is_sampled, MeanValues& values) {
  values.add("validity", audit.validity);
  values.add("completeness", audit.completeness);
  const auto residual = audit.additivity_residual;
  values.add("additivity_residual", residual && *residual < kRounding ? 0.0 : residual);
  values.add("error_share", audit.error_share);
  values.add("stability", is_sampled ? audit.stability : 1.0);
  values.add("fit", audit.fit);
  values.add("reliability", audit.reliability);
}

}  // namespace

CaseValues::Ranking CaseValues::of_ranking(std::span<const Explanation> by_seed, bool is_sampled,
                                           const QueryMeans& query, const Context& context) const {
  std::vector<Explanation> named(by_seed.begin(), by_seed.end());
  for (Explanation& explanation : named) {
    explanation.features = first_of(explanation.features, static_cast<std::size_t>(params_.k));
  }
  MeanValues values(measures_);
  Ranking result;
  for (std::size_t s = 0; s < named.size(); ++s) {
    Explanation explanation = named[s];
    std::vector<Explanation> others = named;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(s));
    query.auditor.audit(explanation, others, context);
    add_audit(explanation.audit, is_sampled, values);
    if (s == 0) {
      result.features = explanation.features;
      result.abstains = !explanation.abstains.empty();
    }
    if (query.with_background != nullptr) {
      const Preservation kept =
          measure_preservation(*query.with_background, query.view.scores, explanation.features,
                               params_.auditor.tau, context);
      values.add("preservation", kept.preservation);
      values.add("deletion", kept.deletion);
    }
    std::vector<std::vector<std::uint32_t>> sets;
    for (const double size : params_.sizes) {
      sets.push_back(first_of(by_seed[s].features, static_cast<std::size_t>(size)));
    }
    const auto left = query.auditor.measure(Target::of_ranking(), sets, context);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const auto size = static_cast<std::size_t>(params_.sizes[i]);
      values.add(at_size("validity", size), left[i].validity);
      values.add(at_size("completeness", size), left[i].completeness);
    }
  }
  result.values = values.means();
  return result;
}

std::vector<double> CaseValues::of_document(std::span<const Explanation> by_seed,
                                            std::span<const Truth> truths) const {
  const SimilarityParams& similarity = params_.similarity;
  MeanValues values(measures_);
  for (const Explanation& explanation : by_seed) {
    const std::vector<double>& own = explanation.attributions;
    for (const Truth& truth : truths) {
      const auto auc = [&](double size) {
        return topk_auc(truth.importance, own, static_cast<std::size_t>(size), similarity.zeros);
      };
      const bool by_amount = similarity.signs == Signs::kAutomatic && !truth.has_signs;
      const Signs signs = by_amount ? Signs::kAmount : similarity.signs;
      values.add(truth.name + "_auc", auc(params_.k));
      values.add(truth.name + "_spearman", attribution_spearman(truth.importance, own, signs));
      values.add(truth.name + "_euclidean",
                 euclidean_similarity(truth.importance, own, similarity.distance));
      for (const double size : params_.sizes) {
        values.add(at_size(truth.name + "_auc", static_cast<std::size_t>(size)), auc(size));
      }
    }
  }
  return values.means();
}

}  // namespace glassrank
