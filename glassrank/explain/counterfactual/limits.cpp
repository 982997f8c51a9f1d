#include "glassrank/explain/counterfactual/limits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/data/feature_index.h"
#include "glassrank/explain/subject_categories.h"
#include "glassrank/models/display_names.h"

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

double number_in(std::string_view text, std::string_view limit) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    fail(ErrorKind::kUsage, "limit '{}': '{}' is not a number", limit, text);
  }
  return value;
}

void read_range(std::string_view word, std::string_view limit, FeatureLimit& result) {
  const std::size_t dots = word.find("..");
  const std::string_view low = word.substr(0, dots);
  const std::string_view high = word.substr(dots + 2);
  result.low = low.empty() ? -kInfinity : number_in(low, limit);
  result.high = high.empty() ? kInfinity : number_in(high, limit);
  if (result.low > result.high) {
    fail(ErrorKind::kUsage, "limit '{}': from {} to {}; the lower end comes first", limit,
         result.low, result.high);
  }
}

void read_words(std::string_view words, std::string_view limit, FeatureLimit& result) {
  std::size_t at = 0;
  const auto next = [&]() -> std::string_view {
    while (at < words.size() && words[at] == ' ') ++at;
    const std::size_t begin = at;
    while (at < words.size() && words[at] != ' ') ++at;
    return words.substr(begin, at - begin);
  };
  for (std::string_view word = next(); !word.empty(); word = next()) {
    if (word.find("..") != std::string_view::npos) {
      read_range(word, limit, result);
    } else if (word == "up") {
      result.no_lower = true;
    } else if (word == "down") {
      result.no_higher = true;
    } else if (word == "whole") {
      result.is_whole = true;
    } else if (word == "fixed") {
      result.is_fixed = true;
    } else if (word == "step") {
      result.step = number_in(next(), limit);
      if (!(result.step > 0)) fail(ErrorKind::kUsage, "limit '{}': a step is above 0", limit);
      result.is_whole = false;
    } else {
      fail(ErrorKind::kUsage,
           "limit '{}': '{}' is none of LOW..HIGH, up, down, whole, step NUMBER, fixed", limit,
           word);
    }
  }
}

// Without missing ones.
std::vector<float> values_of(const Dataset& data, std::size_t feature) {
  std::vector<float> values;
  values.reserve(data.num_rows());
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    if (!std::isnan(data.row(r)[feature])) values.push_back(data.row(r)[feature]);
  }
  return values;
}

// Puts the values into another order.
double quantile(std::vector<float>& values, double share) {
  const auto place =
      static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

double median_deviation(std::vector<float>& values) {
  const double middle = quantile(values, 0.5);
  std::vector<float> deviations;
  deviations.reserve(values.size());
  for (const float value : values) {
    deviations.push_back(static_cast<float>(std::abs(value - middle)));
  }
  return quantile(deviations, 0.5);
}

double range_between(std::vector<float>& values, double low, double high) {
  return quantile(values, high) - quantile(values, low);
}

// The first that is above 0.
double spread_of(std::vector<float>& values, FeatureSpread kind) {
  if (values.empty()) return 1;
  double spread =
      kind == FeatureSpread::kMad ? median_deviation(values) : range_between(values, 0.25, 0.75);
  const auto is_usable = [&] { return spread > 0 && std::isfinite(spread); };
  if (!is_usable()) spread = range_between(values, 0.05, 0.95);
  if (!is_usable()) spread = range_between(values, 0, 1);
  return is_usable() ? spread : 1;
}

// One value in all documents of every query, and some query has two documents.
bool belongs_to_query(const Dataset& data, std::size_t feature) {
  bool has_two = false;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    has_two = has_two || rows.size() > 1;
    for (std::size_t r = rows.begin + 1; r < rows.end; ++r) {
      const float a = data.row(r)[feature];
      const float b = data.row(rows.begin)[feature];
      if (a != b && !(std::isnan(a) && std::isnan(b))) return false;
    }
  }
  return has_two;
}

FeatureLimit usual_limit(const Dataset& data, std::size_t feature, const LimitParams& params) {
  FeatureLimit limit;
  std::vector<float> values = values_of(data, feature);
  limit.spread = spread_of(values, params.spread);
  if (params.keep_range && !values.empty()) {
    const auto [low, high] = std::ranges::minmax_element(values);
    limit.low = *low;
    limit.high = *high;
  }
  limit.is_whole =
      params.keep_whole && !values.empty() &&
      std::ranges::all_of(values, [](float value) { return value == std::round(value); });
  limit.is_fixed = params.fix_query_features && belongs_to_query(data, feature);
  return limit;
}

}  // namespace

std::span<const std::pair<std::string_view, FeatureSpread>> EnumNames<FeatureSpread>::table() {
  static constexpr std::array<std::pair<std::string_view, FeatureSpread>, 2> kTable{{
      {"mad", FeatureSpread::kMad},
      {"quartiles", FeatureSpread::kQuartiles},
  }};
  return kTable;
}

void LimitParams::visit(ParamVisitor& visitor) {
  visitor.field("limit", limits,
                "values that a feature may take, as 'price: 5..20 down'; words: LOW..HIGH, up, "
                "down, whole, step NUMBER, fixed",
                {.value_name = "LIMIT", .one_value = true});
  visitor.field("only", only, "features that may change; empty: all", {.value_name = "FEATURE"});
  visitor.field("fix", fix, "features that must not change", {.value_name = "FEATURE"});
  visitor.field("keep_range", keep_range, "stay within the values that the data has");
  visitor.field("keep_whole", keep_whole, "keep whole numbers whole");
  visitor.field("fix_query_features", fix_query_features,
                "keep features that have the same value for all documents of a query");
  visitor.field(
      "spread", spread,
      "spread that a change is divided by: median absolute deviation, or interquartile range");
}

std::optional<float> FeatureLimit::nearest(float present, float above, float to) const {
  if (is_fixed || !std::isfinite(present)) return std::nullopt;
  const double lowest = std::max({low, static_cast<double>(std::nextafter(above, kInfinity)),
                                  no_lower ? static_cast<double>(present) : -kInfinity});
  const double highest = std::min(
      {high, static_cast<double>(to), no_higher ? static_cast<double>(present) : kInfinity});
  if (!(lowest <= highest)) return std::nullopt;
  if (present >= lowest && present <= highest) return present;
  const bool is_up = present < lowest;
  const double end = is_up ? lowest : highest;
  float value = static_cast<float>(end);
  if (is_whole) value = static_cast<float>(is_up ? std::ceil(end) : std::floor(end));
  if (step > 0) {
    const double steps = (end - present) / step;
    value = static_cast<float>(present + step * (is_up ? std::ceil(steps) : std::floor(steps)));
    // Rounding may have gone back over the end: one step more.
    if (is_up ? value < lowest : value > highest) {
      value = static_cast<float>(present +
                                 step * (is_up ? std::ceil(steps) + 1 : std::floor(steps) - 1));
    }
  }
  // An end that no float is equal to was rounded outward, perhaps.
  if (value < lowest) value = std::nextafter(value, kInfinity);
  if (value > highest) value = std::nextafter(value, -kInfinity);
  if (!std::isfinite(value) || !allows(present, value) || value < lowest || value > highest) {
    return std::nullopt;
  }
  return value;
}

bool FeatureLimit::allows(float present, float value) const {
  if (value == present || (std::isnan(value) && std::isnan(present))) return true;
  if (is_fixed || !std::isfinite(present) || !std::isfinite(value)) return false;
  if (value < low || value > high) return false;
  if ((no_lower && value < present) || (no_higher && value > present)) return false;
  if (is_whole && value != std::round(value)) return false;
  if (step > 0) {
    const double steps = (static_cast<double>(value) - present) / step;
    // As near to a whole number of steps as float values can tell.
    const double tolerance = 1e-6 * std::max(1.0, std::abs(static_cast<double>(value)) / step);
    return std::abs(steps - std::round(steps)) <= tolerance;
  }
  return true;
}

float FeatureLimit::rounded(float present, double value) const {
  if (is_whole) return static_cast<float>(value > present ? std::floor(value) : std::ceil(value));
  if (step > 0) return static_cast<float>(present + step * std::trunc((value - present) / step));
  return static_cast<float>(value);
}

double FeatureLimit::cost(float present, float value) const {
  if (value == present || std::isnan(value)) return 0;
  if (is_category) return std::trunc(value) == std::trunc(present) ? 0 : 1;
  return std::abs(static_cast<double>(value) - present) / spread;
}

std::vector<FeatureLimit> feature_limits(const Subject& subject, const LimitParams& params) {
  const std::size_t num_features = subject.num_features();
  const std::vector<std::string> names =
      display_names(subject.scorer, subject.background.feature_names());
  const SubjectCategories categories = categories_of(subject);
  std::vector<FeatureLimit> limits;
  for (std::size_t f = 0; f < num_features; ++f) {
    limits.push_back(usual_limit(subject.background, f, params));
    if (!categories.is_category[f]) continue;
    limits.back().is_category = true;
    limits.back().is_whole = true;
    limits.back().low = std::max(limits.back().low, 0.0);
    limits.back().spread = 1;
  }
  if (!params.only.empty()) {
    std::vector<bool> is_named(num_features);
    for (const std::string& name : params.only) is_named[feature_index(names, name)] = true;
    for (std::size_t f = 0; f < num_features; ++f) limits[f].is_fixed = !is_named[f];
  }
  for (const std::string& text : params.limits) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) {
      fail(ErrorKind::kUsage, "limit '{}' has no colon; write it as 'price: 5..20 down'", text);
    }
    FeatureLimit& limit =
        limits[feature_index(names, trim_blanks(std::string_view(text).substr(0, colon)))];
    // Who says what a feature may become says that it may.
    limit.is_fixed = false;
    const std::string_view words = std::string_view(text).substr(colon + 1);
    if (limit.is_category && trim_blanks(words) != "fixed") {
      fail(ErrorKind::kUsage,
           "limit '{}': the values are categories, which have no order and no range; 'fixed' keeps "
           "them as they are",
           text);
    }
    read_words(words, text, limit);
  }
  for (const std::string& name : params.fix) limits[feature_index(names, name)].is_fixed = true;
  return limits;
}

}  // namespace glassrank
