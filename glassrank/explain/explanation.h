#pragma once
// An answer to "why?": what each feature adds to a score, a difference or a ranking, or the few
// features that decide it, with the numbers that say how far the answer can be trusted.
//
// A target is a document ("why this score?"), a pair ("why is A above B?") or a ranking ("why this
// order?"). `value` is what is explained: the score, the difference of scores, or the quality of
// the order the explainer uses (1 when it is kept). Attributions are positive where a feature
// raises the value, and
//   base_value + sum of attributions = value
// holds exactly for some explainers, nearly for others: audit.additivity_residual says how nearly.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/base/result.h"

namespace glassrank {

enum class TargetKind { kDocument, kPair, kRanking };
template <>
struct EnumNames<TargetKind> {
  static std::span<const std::pair<std::string_view, TargetKind>> table();
};
std::string_view name_of(TargetKind kind);

struct Target {
  TargetKind kind = TargetKind::kRanking;
  std::uint32_t document = 0;  // its place in the query; of a pair, the document asked about
  std::uint32_t other = 0;     // of a pair, the one it is compared with

  static Target of_document(std::uint32_t document) { return {TargetKind::kDocument, document, 0}; }
  static Target of_pair(std::uint32_t document, std::uint32_t other) {
    return {TargetKind::kPair, document, other};
  }
  static Target of_ranking() { return {}; }
  bool operator==(const Target&) const = default;
};

// How far an explanation can be trusted. What was not measured is absent.
struct ExplanationAudit {
  // |base value + sum of attributions - value|, as a share of the largest attribution.
  std::optional<double> additivity_residual;
  // The largest standard error of an attribution as a share of the largest attribution; 0: exact;
  // absent: sampled, and its errors are not known.
  std::optional<double> error_share;
  // Of an explainer that fits a line to samples around the document: the share of their variance
  // that the line explains (weighted R^2, from 0 to 1).
  std::optional<double> fit;
  // Kendall's tau-a between the ranking and the one with only `features` known: 1, the few features
  // alone give the same order.
  std::optional<double> validity;
  // `features` are all that the ranker uses: validity is 1 whatever the explanation says of them.
  bool names_all = false;
  // tau-a between the ranking and the one without `features`: low, nothing else gives this order.
  std::optional<double> completeness;
  // Mean over repeated explanations with other seeds of the share of `features` that come again.
  std::optional<double> stability;
  // The least of what was measured, from 0 to 1 (reliability.h); --abstain-below looks at it.
  // Absent where nothing is named that could be relied on.
  std::optional<double> reliability;

  void visit(ResultVisitor& visitor) const;
};

// What two features do together beyond what each does alone, half of it in either's attribution.
struct Interaction {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double value = 0;

  bool operator==(const Interaction&) const = default;
};

struct Explanation {
  std::string explainer;
  std::string query;
  Target target;
  double value = 0;
  double base_value = 0;
  std::vector<double> attributions;  // one per feature; empty: the explainer only names features
  // One per feature; empty: nothing was sampled or, with is_sampled, the errors are not known. An
  // explainer that samples and has none gets them from answers to other seeds (audit/).
  std::vector<double> standard_errors;
  bool is_sampled = false;  // another seed would give another answer
  // Names the largest attributions whatever their errors, as the papers do.
  bool names_unsure = false;
  // The pairs that can interact, the same ones for all documents; empty: not asked for.
  std::vector<Interaction> interactions;
  // The features that explain most, best first; their number is the explainer's k or less.
  std::vector<std::uint32_t> features;
  std::optional<double> fit;  // audit.fit, of an explainer that fits a line
  // What each of these adds to the value when they become known one by one, in their order:
  // base_value + sum of gains = value. Empty: the explainer does not choose step by step.
  std::vector<double> gains;
  ExplanationAudit audit;
  std::string abstains;  // why no answer should be drawn from this; empty: it may
  // In words, where explanation_summary.h would not find the right ones: what the base value is,
  // and a sentence (without its point) that says what value and base value mean.
  std::string base_words;
  std::string value_sentence;
};

// Attributions of less than this share of the largest are what rounding left over: they count as 0.
inline constexpr double kRoundingShare = 1e-9;

// How many of its standard errors an attribution must be away from 0 to be more than noise: two or,
// where n features have an error, as many as the largest of so many noises may be, sqrt(2 ln 2 n).
double least_errors(std::size_t num_errors);

// The k features with the largest attributions by amount; ties go to the lower index. Zeros, what
// rounding left over and what is not told from 0 by its standard error are left out; where there
// are errors, so is what is written as 0 beside the largest.
std::vector<std::uint32_t> top_features(std::span<const double> attributions, std::size_t k,
                                        std::span<const double> standard_errors = {});
// By descending signed value (as the SHAP-1 and SHAP-5 of the Valid Explanations paper choose), not
// below zero.
std::vector<std::uint32_t> top_positive_features(std::span<const double> attributions,
                                                 std::size_t k,
                                                 std::span<const double> standard_errors = {});
// The features that an explanation names, without those that its errors do not tell from 0.
std::vector<std::uint32_t> sure_features(const Explanation& explanation);

// "Why is A above B?" from what explains A and B alone: values, base values and attributions are
// subtracted, standard errors add in squares.
Explanation difference(const Explanation& of_document, const Explanation& of_other);
// Signed sum over documents: SHAP-1, SHAP-5 for the first 1 or 5 of the ranking. At least one.
Explanation sum_of(std::span<const Explanation> of_documents);

}  // namespace glassrank
