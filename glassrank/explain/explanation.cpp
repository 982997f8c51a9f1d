#include "glassrank/explain/explanation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace glassrank {
namespace {

// Feature numbers by descending `key`; ties go to the lower one. Without those that add nothing.
template <typename Key>
std::vector<std::uint32_t> by_descending(std::span<const double> attributions, std::size_t k,
                                         Key&& key) {
  double nothing = 0;
  for (const double each : attributions)
    nothing = std::max(nothing, kRoundingShare * std::abs(each));
  std::vector<std::uint32_t> features(attributions.size());
  std::iota(features.begin(), features.end(), 0U);
  std::stable_sort(features.begin(), features.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) > key(b); });
  features.resize(std::min(k, features.size()));
  while (!features.empty() && !(key(features.back()) > nothing)) features.pop_back();
  return features;
}

void add_scaled(Explanation& to, const Explanation& from, double factor) {
  to.value += factor * from.value;
  to.base_value += factor * from.base_value;
  for (std::size_t f = 0; f < to.attributions.size(); ++f) {
    to.attributions[f] += factor * from.attributions[f];
  }
  for (std::size_t i = 0; i < to.interactions.size(); ++i) {
    to.interactions[i].value += factor * from.interactions[i].value;
  }
  // Independent draws: variances add.
  for (std::size_t f = 0; f < to.standard_errors.size(); ++f) {
    to.standard_errors[f] = std::hypot(to.standard_errors[f], from.standard_errors[f]);
  }
}

}  // namespace

std::span<const std::pair<std::string_view, TargetKind>> EnumNames<TargetKind>::table() {
  static constexpr std::array<std::pair<std::string_view, TargetKind>, 3> kNames = {
      {{"document", TargetKind::kDocument},
       {"pair", TargetKind::kPair},
       {"ranking", TargetKind::kRanking}}};
  return kNames;
}

std::string_view name_of(TargetKind kind) {
  for (const auto& [name, value] : EnumNames<TargetKind>::table()) {
    if (value == kind) return name;
  }
  return {};
}

void ExplanationAudit::visit(ResultVisitor& visitor) const {
  visitor.field("additivity_residual", additivity_residual,
                "|base value + sum of attributions - value| as a share of the largest attribution");
  visitor.field("error_share", error_share,
                "largest standard error of an attribution as a share of the largest attribution; "
                "absent: sampled with one seed by an explainer that does not know its errors");
  visitor.field("validity", validity,
                "Kendall's tau between the ranking and the one with only the features known");
  visitor.field("completeness", completeness,
                "Kendall's tau between the ranking and the one without the features");
  visitor.field("stability", stability,
                "share of the features that come again when explained with other seeds");
  visitor.field("reliability", reliability,
                "the least of what was measured, from 0 to 1; absent: nothing is named that could "
                "be relied on");
}

std::vector<std::uint32_t> top_features(std::span<const double> attributions, std::size_t k) {
  return by_descending(attributions, k, [&](std::uint32_t f) { return std::abs(attributions[f]); });
}

std::vector<std::uint32_t> top_positive_features(std::span<const double> attributions,
                                                 std::size_t k) {
  return by_descending(attributions, k, [&](std::uint32_t f) { return attributions[f]; });
}

Explanation difference(const Explanation& of_document, const Explanation& of_other) {
  Explanation result = of_document;
  add_scaled(result, of_other, -1);
  result.target = Target::of_pair(of_document.target.document, of_other.target.document);
  result.audit = {};
  result.value_sentence.clear();
  result.features = top_features(result.attributions, of_document.features.size());
  return result;
}

Explanation sum_of(std::span<const Explanation> of_documents) {
  Explanation result = of_documents.front();
  for (const Explanation& next : of_documents.subspan(1)) add_scaled(result, next, 1);
  result.target = Target::of_ranking();
  result.audit = {};
  result.value_sentence.clear();
  result.features = top_features(result.attributions, of_documents.front().features.size());
  return result;
}

}  // namespace glassrank
