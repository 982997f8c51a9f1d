#include "glassrank/models/io/ranklib_weights.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/ranklib.h"

namespace glassrank {
namespace {

constexpr std::string_view kRankboost = "rankboost";
constexpr std::string_view kCoordinateAscent = "Coordinate Ascent";
// Of LETOR text (data/io/svmlight/svmlight_line.h). There is a weight for every feature up to the
// last: a line of 20 bytes must not take seconds and gigabytes.
constexpr std::uint32_t kMaxFeature = 1'000'000;

// The numbers of "3:0.5:0.25", of which the first is a feature.
struct WeightWord {
  std::uint32_t feature = 0;
  double numbers[2] = {0, 0};
};

WeightWord read_word(std::string_view word, std::size_t num_numbers) {
  WeightWord result;
  std::size_t colon = word.find(':');
  bool is_right =
      colon != std::string_view::npos && parse_number(word.substr(0, colon), result.feature);
  for (std::size_t i = 0; i < num_numbers && is_right; ++i) {
    const std::string_view rest = word.substr(colon + 1);
    const bool is_last = i + 1 == num_numbers;
    const std::size_t size = is_last ? rest.size() : rest.find(':');
    is_right =
        size != std::string_view::npos && parse_number(rest.substr(0, size), result.numbers[i]);
    if (is_right) colon += 1 + size;
  }
  if (!is_right) {
    fail(ErrorKind::kInput, "'{}' is not {}", word.substr(0, 60),
         num_numbers == 1 ? "feature:weight" : "feature:threshold:weight");
  }
  if (result.feature > kMaxFeature) {
    fail(ErrorKind::kInput, "feature {} is beyond the {} supported", result.feature, kMaxFeature);
  }
  return result;
}

std::vector<WeightWord> read_words(const RanklibHeader& header, std::size_t num_numbers) {
  std::vector<WeightWord> words;
  LineReader lines(header.body);
  while (!lines.at_end()) {
    for (const std::string_view word : split_words(lines.next())) {
      words.push_back(read_word(word, num_numbers));
    }
  }
  if (words.empty()) fail(ErrorKind::kInput, "the RankLib model has no weights");
  return words;
}

// Steps of one feature: what is added from a threshold on, ascending.
GamEffect curve_of(std::uint32_t feature, const std::map<float, double>& steps) {
  GamEffect curve;
  curve.axes.push_back({.feature = feature, .edges = {}});
  double sum = 0;
  curve.values.push_back(sum);
  for (const auto& [edge, step] : steps) {
    curve.axes[0].edges.push_back(edge);
    curve.values.push_back(sum += step);
  }
  // A missing value is 0 to RankLib.
  const std::size_t at_zero = curve.axes[0].cell(0);
  curve.values.push_back(curve.values[at_zero]);
  return curve;
}

}  // namespace

Model read_ranklib_linear(std::string_view text) {
  RanklibHeader header = read_ranklib_header(text);
  const std::vector<WeightWord> words = read_words(header, 1);
  LinearParts parts;
  parts.objective = header.type;
  std::set<std::uint32_t> seen;
  for (const WeightWord& word : words) {
    if (!seen.insert(word.feature).second) {
      fail(ErrorKind::kInput, "feature {} has two weights", word.feature);
    }
    if (word.feature == 0) {
      parts.intercept = word.numbers[0];
      continue;
    }
    if (parts.weights.size() < word.feature) parts.weights.resize(word.feature, 0.0);
    parts.weights[word.feature - 1] = word.numbers[0];
  }
  return {.body = Linear(std::move(parts)), .provenance = std::move(header.provenance)};
}

Model read_ranklib_boost(std::string_view text) {
  RanklibHeader header = read_ranklib_header(text);
  std::map<std::uint32_t, std::map<float, double>> steps;
  GamParts parts;
  parts.objective = kRankboost;
  for (const WeightWord& word : read_words(header, 2)) {
    if (word.feature == 0) fail(ErrorKind::kInput, "feature 0: RankLib counts features from 1");
    steps[word.feature - 1][float_at_most(word.numbers[0])] += word.numbers[1];
    parts.num_features = std::max<std::size_t>(parts.num_features, word.feature);
  }
  for (const auto& [feature, own] : steps) parts.effects.push_back(curve_of(feature, own));
  return {.body = Gam(std::move(parts)), .provenance = std::move(header.provenance)};
}

std::string write_ranklib_linear(const Model& model, const Context& context) {
  return match(
      model,
      [&](const Linear& linear) {
        const bool has_fills = std::ranges::any_of(
            linear.used_features(), [&](std::uint32_t f) { return linear.fill(f) != 0; });
        if (has_fills) {
          context.warn(
              "RankLib takes missing values as 0; this model has other values for them, which are "
              "lost");
        }
        const bool is_ascent = linear.objective() == kCoordinateAscent && linear.intercept() == 0;
        std::string text = ranklib_header(is_ascent ? kCoordinateAscent : "Linear Regression",
                                          model.provenance, {});
        std::vector<std::string> words;
        if (!is_ascent) words.push_back(fmt::format("0:{}", linear.intercept()));
        for (std::size_t f = 0; f < linear.num_features(); ++f) {
          words.push_back(fmt::format("{}:{}", f + 1, linear.weights()[f]));
        }
        return text + fmt::format("{}\n", fmt::join(words, " "));
      },
      [](const auto&) -> std::string { return {}; });
}

bool is_ranklib_boost(const Gam& gam) {
  return gam.objective() == kRankboost && gam.intercept() == 0 &&
         std::ranges::none_of(gam.effects(), &GamEffect::is_pair) &&
         std::ranges::all_of(gam.effects(),
                             [](const GamEffect& curve) { return curve.values.front() == 0; });
}

std::string write_ranklib_boost(const Model& model, const Context& context) {
  const Gam gam = require_gam(model, "a RankBoost file");
  std::vector<std::string> words;
  bool loses_missing = false;
  for (const GamEffect& curve : gam.effects()) {
    const GamAxis& axis = curve.axes[0];
    for (std::size_t i = 0; i < axis.edges.size(); ++i) {
      const double step = curve.values[i + 1] - curve.values[i];
      if (step == 0) continue;
      words.push_back(fmt::format("{}:{}:{}", axis.feature + 1, axis.edges[i], step));
    }
    loses_missing =
        loses_missing || curve.values[axis.missing_cell()] != curve.values[axis.cell(0)];
  }
  if (words.empty()) fail(ErrorKind::kInput, "the model has no steps; RankLib needs one at least");
  if (loses_missing) {
    context.warn(
        "RankLib takes missing values as 0; this model has other values for them, which are lost");
  }
  return ranklib_header("RankBoost", model.provenance, {}) +
         fmt::format("{}\n", fmt::join(words, " "));
}

}  // namespace glassrank
