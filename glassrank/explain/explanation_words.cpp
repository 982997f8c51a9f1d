#include "glassrank/explain/explanation_words.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace glassrank {
namespace {

bool is_scientific(const std::string& text) { return text.find('e') != std::string::npos; }

int decimals_in(const std::string& text) {
  const std::size_t point = text.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

// Four digits; whole numbers below ten million with all of theirs.
std::string short_number(double value) {
  if (std::abs(value) < 1e7 && value == std::round(value))
    return fmt::format("{:.0f}", value + 0.0);
  if (std::abs(value) >= 1e4 && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

std::string exact_number(double value) { return fmt::format("{}", static_cast<float>(value)); }

}  // namespace

Amounts amounts_of(const ExplanationView& view) {
  double largest = std::abs(view.value - view.base_value);
  for (const ViewedFeature& feature : view.features) {
    largest = std::max(largest, std::abs(feature.attribution.value_or(0)));
  }
  return Amounts(largest);
}

bool explains_scores(const ExplanationView& view) {
  if (view.target == TargetKind::kRanking) return false;
  const double score = view.documents[0].score;
  const double other = view.target == TargetKind::kPair ? view.documents[1].score : 0;
  const double around = std::max({std::abs(score), std::abs(other), std::abs(view.value)});
  return std::abs(score - other - view.value) <= 1e-6 * around;
}

std::string measure_of(const ExplanationView& view) {
  if (!explains_scores(view)) return fmt::format("what {} measures", view.explainer);
  return view.target == TargetKind::kPair ? "the difference" : "the score";
}

std::string feature_label(const ViewedFeature& feature) {
  const std::string& name = feature.feature;
  if (name.empty()) return fmt::format("feature {}", feature.index + 1);
  const bool is_number = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? fmt::format("feature {}", name) : name;
}

std::string value_text(const ViewedFeature& feature, double value) {
  if (std::isnan(value)) return "missing";
  if (feature.is_switch && (value == 0 || value == 1)) return value == 0 ? "off" : "on";
  return short_number(value);
}

std::pair<std::string, std::string> value_texts(const ViewedFeature& feature) {
  if (feature.category) return {*feature.category, feature.other_category.value_or("")};
  const double a = feature.value.value_or(std::nan(""));
  const double b = feature.other_value.value_or(std::nan(""));
  std::pair<std::string, std::string> texts = {value_text(feature, a), value_text(feature, b)};
  if (std::isnan(a) || std::isnan(b) || feature.is_switch) return texts;
  if (texts.first == texts.second) {
    return a == b ? texts : std::pair(exact_number(a), exact_number(b));
  }
  if (is_scientific(texts.first) || is_scientific(texts.second)) return texts;
  const int decimals = std::max(decimals_in(texts.first), decimals_in(texts.second));
  if (decimals > 2) return texts;
  return {fmt::format("{:.{}f}", a, decimals), fmt::format("{:.{}f}", b, decimals)};
}

std::string values_text(const ViewedFeature& feature) {
  if (feature.category && !feature.other_category) return *feature.category;
  if (feature.low) {
    const std::string low = value_text(feature, *feature.low);
    const std::string high = value_text(feature, feature.high.value_or(*feature.low));
    return low == high ? low : fmt::format("{} to {}", low, high);
  }
  if (!feature.other_value) return value_text(feature, feature.value.value_or(std::nan("")));
  const auto [first, second] = value_texts(feature);
  return first == second ? fmt::format("{} in both", first)
                         : fmt::format("{} against {}", first, second);
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

std::string percent(double share) {
  if (share > 0 && share < 0.001) return "less than 0.1 %";
  return fmt::format("{:.{}f} %", 100 * share, share > 0 && share < 0.0995 ? 1 : 0);
}

}  // namespace glassrank
