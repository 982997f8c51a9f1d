#include "glassrank/explain/explanation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "glassrank/base/elementary.h"

namespace glassrank {
namespace {

// Of the largest: less is written as 0 beside it, and a fit that was stopped leaves as much.
constexpr double kSampledShare = 5e-4;

// Which of the attributions are more than noise; all of them where no errors are known.
class Sure {
 public:
  Sure(std::span<const double> attributions, std::span<const double> errors)
      : attributions_(attributions), errors_(errors) {
    const auto num_errors = std::ranges::count_if(errors, [](double error) { return error > 0; });
    least_errors_ = least_errors(static_cast<std::size_t>(num_errors));
    for (const double each : attributions) {
      least_amount_ = std::max(least_amount_, kSampledShare * std::abs(each));
    }
  }

  bool operator()(std::uint32_t feature) const {
    const double amount = std::abs(attributions_[feature]);
    return errors_.empty() ||
           (amount > least_errors_ * errors_[feature] && amount >= least_amount_);
  }

 private:
  std::span<const double> attributions_;
  std::span<const double> errors_;
  double least_errors_ = 2;
  double least_amount_ = 0;
};

// Feature numbers by descending `key`; ties go to the lower one. Without those that add nothing.
template <typename Key>
std::vector<std::uint32_t> by_descending(std::span<const double> attributions, std::size_t k,
                                         std::span<const double> errors, Key&& key) {
  double nothing = 0;
  for (const double each : attributions)
    nothing = std::max(nothing, kRoundingShare * std::abs(each));
  const Sure is_sure(attributions, errors);
  std::vector<std::uint32_t> features;
  for (std::uint32_t f = 0; f < attributions.size(); ++f) {
    if (key(f) > nothing && is_sure(f)) features.push_back(f);
  }
  std::stable_sort(features.begin(), features.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) > key(b); });
  features.resize(std::min(k, features.size()));
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
  // As good as the worse of the two.
  if (from.fit) to.fit = std::min(to.fit.value_or(1), *from.fit);
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
  visitor.field("fit", fit,
                "share of the variance of its samples that a fitted line explains; absent: no line "
                "was fitted");
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

double least_errors(std::size_t num_errors) {
  if (num_errors == 0) return 2;
  return std::max(2.0, std::sqrt(2 * portable_log(2.0 * static_cast<double>(num_errors))));
}

std::vector<std::uint32_t> top_features(std::span<const double> attributions, std::size_t k,
                                        std::span<const double> standard_errors) {
  return by_descending(attributions, k, standard_errors,
                       [&](std::uint32_t f) { return std::abs(attributions[f]); });
}

std::vector<std::uint32_t> top_positive_features(std::span<const double> attributions,
                                                 std::size_t k,
                                                 std::span<const double> standard_errors) {
  return by_descending(attributions, k, standard_errors,
                       [&](std::uint32_t f) { return attributions[f]; });
}

std::vector<std::uint32_t> sure_features(const Explanation& explanation) {
  std::vector<std::uint32_t> features = explanation.features;
  if (explanation.names_unsure || explanation.attributions.empty() ||
      explanation.standard_errors.empty()) {
    return features;
  }
  const Sure is_sure(explanation.attributions, explanation.standard_errors);
  std::erase_if(features, [&](std::uint32_t f) { return !is_sure(f); });
  return features;
}

Explanation difference(const Explanation& of_document, const Explanation& of_other) {
  Explanation result = of_document;
  add_scaled(result, of_other, -1);
  result.target = Target::of_pair(of_document.target.document, of_other.target.document);
  result.audit = {};
  result.value_sentence.clear();
  result.features =
      top_features(result.attributions, of_document.features.size(), result.standard_errors);
  return result;
}

Explanation sum_of(std::span<const Explanation> of_documents) {
  Explanation result = of_documents.front();
  for (const Explanation& next : of_documents.subspan(1)) add_scaled(result, next, 1);
  result.target = Target::of_ranking();
  result.audit = {};
  result.value_sentence.clear();
  result.features = top_features(result.attributions, of_documents.front().features.size(),
                                 result.standard_errors);
  return result;
}

}  // namespace glassrank
