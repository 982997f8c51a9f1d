#include "glassrank/explain/explanation_summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "glassrank/explain/explanation_words.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostReasons = 3;  // in a sentence

// "bm25_title is 7.1". A value that both documents of a pair share cannot tell them apart alone.
std::string fact(const ViewedFeature& feature) {
  const bool is_shared =
      feature.other_value && (*feature.value == *feature.other_value ||
                              (std::isnan(*feature.value) && std::isnan(*feature.other_value)));
  return fmt::format("{} is {}{}", feature_label(feature), values_text(feature),
                     is_shared ? " but acts with other features" : "");
}

// "bm25_title is 7.1 (+1.30)".
std::string reason(const ViewedFeature& feature, const Amounts& amounts) {
  return fmt::format("{} ({})", fact(feature), amounts.with_sign(*feature.attribution));
}

std::vector<std::string> labels_of_chosen(const ExplanationView& view) {
  std::vector<std::string> labels;
  for (const ViewedFeature& feature : view.features) {
    if (feature.is_chosen) labels.push_back(feature_label(feature));
  }
  return labels;
}

bool has_attributions(const ExplanationView& view) {
  return std::ranges::any_of(view.features,
                             [](const ViewedFeature& f) { return f.attribution.has_value(); });
}

// "bm25_title (7.1 against 2.0) and price (5)": of explainers that only name features.
std::string named_features(const ExplanationView& view) {
  std::vector<std::string> named;
  for (const ViewedFeature& feature : view.features) {
    named.push_back(fmt::format("{} ({})", feature_label(feature), values_text(feature)));
  }
  return listed(named);
}

// "Its score of 2.31 is 1.80 above 0.51, the score with no feature known".
std::string value_sentence(const ExplanationView& view, const Amounts& amounts) {
  if (!view.value_sentence.empty()) return view.value_sentence;
  const bool is_score = explains_scores(view);
  const std::string what = is_score ? fmt::format("Its score of {}", amounts.whole(view.value))
                                    : fmt::format("What {} measures of it, {},", view.explainer,
                                                  amounts.plain(view.value));
  const std::string base = view.base_words.empty() ? fmt::format("the {} with no feature known",
                                                                 is_score ? "score" : "value")
                                                   : view.base_words;
  const double above = view.value - view.base_value;
  if (amounts.is_zero(above)) return fmt::format("{} is {}", what, base);
  return fmt::format("{} is {} {} {}, {}", what, amounts.plain(std::abs(above)),
                     above > 0 ? "above" : "below", amounts.plain(view.base_value), base);
}

// Sets of features are found by how far they keep the order; this one keeps none of it.
bool keeps_no_order(const ExplanationView& view) {
  return view.audit.validity.value_or(view.value) <= 0;
}

std::string document_summary(const ExplanationView& view, const Amounts& amounts) {
  const ViewedDocument& document = view.documents.front();
  std::string text =
      fmt::format("{} is at rank {} of {}. ", document.document, document.rank, view.num_documents);
  if (!has_attributions(view)) {
    if (view.features.empty()) return text + "No feature was found that explains its place.";
    if (keeps_no_order(view)) return text + "No set of features was found that keeps its place.";
    return text + fmt::format("Its place is explained by {}.", named_features(view));
  }
  text += value_sentence(view, amounts);
  std::vector<std::string> reasons;
  const std::size_t num_shown = std::min(kMostReasons, view.features.size());
  for (std::size_t i = 0; i < num_shown; ++i) reasons.push_back(reason(view.features[i], amounts));
  if (const OtherFeatures others = other_features(view, num_shown); others.num_features > 0) {
    reasons.push_back(fmt::format("{} ({})", counted(others.num_features, "other feature"),
                                  amounts.with_sign(others.attribution)));
  }
  return reasons.empty() ? text + "." : fmt::format("{}: {}.", text, listed(reasons));
}

// The features for a side (sign +1 or -1), the largest first.
std::vector<const ViewedFeature*> on_side(const ExplanationView& view, double sign,
                                          const Amounts& amounts) {
  std::vector<const ViewedFeature*> features;
  for (const ViewedFeature& feature : view.features) {
    const double amount = feature.attribution.value_or(0) * sign;
    if (amount > 0 && !amounts.is_zero(amount)) features.push_back(&feature);
  }
  return features;
}

std::string reasons_of(const std::vector<const ViewedFeature*>& features, std::size_t from,
                       const Amounts& amounts) {
  std::vector<std::string> reasons;
  const std::size_t end = std::min(features.size(), from + kMostReasons);
  for (std::size_t i = from; i < end; ++i) reasons.push_back(reason(*features[i], amounts));
  if (features.size() > end) {
    double rest = 0;
    for (std::size_t i = end; i < features.size(); ++i) rest += *features[i]->attribution;
    reasons.push_back(fmt::format("{} ({})", counted(features.size() - end, "other feature"),
                                  amounts.with_sign(rest)));
  }
  return listed(reasons);
}

std::string tied_summary(const ExplanationView& view, const Amounts& amounts) {
  const std::string& a = view.documents[0].document;
  const std::string& b = view.documents[1].document;
  const bool is_above = view.documents[0].rank < view.documents[1].rank;
  std::string text = fmt::format(
      "{} and {} have the same score; {} is above only because equal scores keep the order of the "
      "data.",
      a, b, is_above ? a : b);
  const auto for_a = on_side(view, 1, amounts);
  const auto for_b = on_side(view, -1, amounts);
  if (!for_a.empty()) text += fmt::format(" For {}: {}.", a, reasons_of(for_a, 0, amounts));
  if (!for_b.empty()) text += fmt::format(" For {}: {}.", b, reasons_of(for_b, 0, amounts));
  return text;
}

std::string pair_summary(const ExplanationView& view, const Amounts& amounts) {
  const ViewedDocument& a = view.documents[0];
  const ViewedDocument& b = view.documents[1];
  if (a.score == b.score) return tied_summary(view, amounts);
  const bool is_above = a.rank < b.rank;
  const std::string who =
      fmt::format("{} is {} {}", a.document, is_above ? "above" : "below", b.document);
  if (!has_attributions(view) && !view.features.empty()) {
    if (keeps_no_order(view)) {
      return fmt::format("{}; no set of features was found that keeps this order.", who);
    }
    return fmt::format("{}; this is explained by {}.", who, named_features(view));
  }
  const double sign = is_above ? 1 : -1;
  const auto reasons = on_side(view, sign, amounts);
  const auto against = on_side(view, -sign, amounts);
  if (reasons.empty()) return fmt::format("{}; no feature was found that speaks for it.", who);
  const ViewedFeature& main = *reasons.front();
  const std::string whole =
      explains_scores(view)
          ? amounts.with_sign(view.value) + " difference"
          : fmt::format("{} that {} measures", amounts.with_sign(view.value), view.explainer);
  const bool is_part = std::abs(*main.attribution) <= std::abs(view.value);
  std::string text =
      fmt::format("{} because {}: {}{} the {}.", who, fact(main),
                  amounts.with_sign(*main.attribution), is_part ? " of" : ", more than", whole);
  if (reasons.size() > 1) text += fmt::format(" Also {}.", reasons_of(reasons, 1, amounts));
  if (!against.empty()) {
    text += fmt::format(" On the other side {}.", reasons_of(against, 0, amounts));
  }
  return text;
}

// Of a ranking, whose documents come best first.
bool has_different_scores(const ExplanationView& view) {
  return view.documents.front().score != view.documents.back().score;
}

std::string ranking_summary(const ExplanationView& view) {
  if (view.num_documents == 1) {
    return fmt::format("Query {} has one document: there is no order to explain.", view.query);
  }
  if (!has_different_scores(view)) {
    return fmt::format(
        "All {} documents of query {} have the same score: the order is that of the "
        "data.",
        view.num_documents, view.query);
  }
  const std::vector<std::string> labels = labels_of_chosen(view);
  if (labels.empty()) {
    return fmt::format("No feature was found that explains the order of query {}.", view.query);
  }
  const bool is_one = labels.size() == 1;
  if (!view.audit.validity) {
    return fmt::format(
        "{} most of the order: {}.",
        is_one ? "This feature explains" : fmt::format("These {} features explain", labels.size()),
        listed(labels));
  }
  std::string text =
      fmt::format("Knowing only {}, the ranker keeps tau {:.2f} of this order (1 is all of it).",
                  listed(labels), *view.audit.validity);
  if (view.audit.completeness) {
    text += fmt::format(" Knowing all but {}, it keeps {:.2f}.",
                        is_one ? "this one" : fmt::format("these {}", labels.size()),
                        *view.audit.completeness);
  }
  return text;
}

std::string body_of(const ExplanationView& view) {
  const Amounts amounts = amounts_of(view);
  switch (view.target) {
    case TargetKind::kDocument:
      return document_summary(view, amounts);
    case TargetKind::kPair:
      return pair_summary(view, amounts);
    case TargetKind::kRanking:
      break;
  }
  return ranking_summary(view);
}

// Where one document is compared with another: tau of one pair is 1, 0 or -1.
std::string pair_left(const ExplanationView& view, double tau) {
  const bool is_first = (view.documents[0].rank < view.documents[1].rank) == (tau > 0);
  if (tau == 0) return "the two tie";
  return fmt::format("{} is {}above", view.documents[is_first ? 0 : 1].document,
                     tau > 0 ? "still " : "");
}

std::string order_sentence(const ExplanationView& view) {
  const ExplanationAudit& audit = view.audit;
  if (view.target == TargetKind::kPair) {
    std::string text =
        fmt::format("Knowing only the features marked *, {}", pair_left(view, *audit.validity));
    if (audit.completeness) {
      text += fmt::format("; knowing all but these, {}", pair_left(view, *audit.completeness));
    }
    return text + ".";
  }
  // tau = (kept - turned) / others, so (1 + tau) / 2 of them are on the right side.
  const auto share_kept = [](double tau) { return percent((1 + tau) / 2); };
  std::string text = fmt::format(
      "Knowing only the features marked *, the ranker has {} of the other documents on the right "
      "side of it (50 % is chance, tau {:.2f})",
      share_kept(*audit.validity), *audit.validity);
  if (audit.completeness) {
    text += fmt::format("; knowing all but these, {} (tau {:.2f})", share_kept(*audit.completeness),
                        *audit.completeness);
  }
  return text + ".";
}

std::string additivity_sentence(double residual, std::string_view whole) {
  if (!std::isfinite(residual)) return fmt::format("The parts are 0 and miss {}.", whole);
  if (residual <= 1e-9) return fmt::format("The parts add up to {} exactly.", whole);
  if (residual <= 0.01) {
    return fmt::format("The parts add up to {}, to {} of the largest part.", whole,
                       percent(residual));
  }
  return fmt::format("The parts miss {} by {} of the largest part: read them as a tendency.", whole,
                     percent(residual));
}

std::string error_sentence(const ExplanationView& view, double share) {
  if (!std::isfinite(share)) return "The parts are 0, but only within their standard errors.";
  const bool was_sampled = std::ranges::any_of(
      view.features, [](const ViewedFeature& f) { return f.standard_error.has_value(); });
  if (share == 0) {
    return was_sampled ? "All standard errors are 0."
                       : "Nothing was sampled: the parts have no sampling error.";
  }
  std::string text = share < 0.001 ? "Standard errors are below 0.1 % of the largest part"
                                   : fmt::format("Standard errors are up to {} of the largest part",
                                                 percent(share));
  const auto num_unsure =
      static_cast<std::size_t>(std::ranges::count_if(view.features, [](const ViewedFeature& f) {
        return f.attribution && f.standard_error &&
               std::abs(*f.attribution) < 2 * *f.standard_error;
      }));
  if (num_unsure > 0) {
    text += fmt::format("; {} of {} {} less than two of them away from 0", num_unsure,
                        counted(view.features.size(), "part"), num_unsure == 1 ? "is" : "are");
  }
  return text + ".";
}

}  // namespace

std::string explanation_summary(const ExplanationView& view) {
  // Where there is no order, the body says so itself.
  const bool has_order = view.target != TargetKind::kRanking || has_different_scores(view);
  if (!view.abstains || !has_order) return body_of(view);
  return fmt::format("No conclusion should be drawn: {}. What was found all the same: {}",
                     *view.abstains, body_of(view));
}

std::vector<std::string> trust_sentences(const ExplanationView& view) {
  const ExplanationAudit& audit = view.audit;
  std::vector<std::string> sentences;
  // A ranking's is part of its summary.
  if (view.target != TargetKind::kRanking && audit.validity) {
    sentences.push_back(order_sentence(view));
  }
  if (audit.additivity_residual) {
    sentences.push_back(additivity_sentence(*audit.additivity_residual, view.measure));
  }
  if (audit.error_share) {
    sentences.push_back(error_sentence(view, *audit.error_share));
  } else if (audit.additivity_residual) {
    sentences.push_back(
        "Its parts were sampled, and how far they may be off was not measured: ask "
        "with more seeds.");
  }
  if (audit.fit) {
    sentences.push_back(fmt::format("The fitted line explains {} of what its samples differ in.",
                                    percent(*audit.fit)));
  }
  if (audit.stability) {
    sentences.push_back(
        fmt::format("Explained again with other seeds, {} of the named features are "
                    "named again.",
                    percent(*audit.stability)));
  }
  if (audit.reliability) {
    sentences.push_back(fmt::format("Reliability {:.2f} of 1, set by the weakest of these points.",
                                    *audit.reliability));
  }
  return sentences;
}

}  // namespace glassrank
