#include "glassrank/report/plots/effect_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "glassrank/report/plots/bar_chart.h"
#include "glassrank/report/plots/category_plot.h"

namespace glassrank {
namespace {

double margin_of(const GamEffect& effect, std::size_t cell) {
  return effect.errors.empty() ? 0 : 2 * effect.errors[cell];
}

std::string title_of(const std::string& name, const Span& span) {
  return fmt::format("{}: {:+.2f} to {:+.2f}", name, span.low, span.high);
}

// Names of the two cells: what their values are where that is known.
std::pair<std::string, std::string> cell_names(const GamEffect& effect, bool is_switch) {
  const double edge = place_of_edge(effect.axes[0].edges[0]);
  if (is_switch && edge >= 0 && edge < 1) return {"0", "1"};
  return {fmt::format("at most {:.4g}", edge), fmt::format("above {:.4g}", edge)};
}

std::string_view note_of_curve(const GamEffect& effect, bool is_switch) {
  if (is_switch) return "a bar is what the feature adds to the score when it is off (0) or on (1).";
  if (has_two_cells(effect)) {
    return "a bar is what the feature adds to the score on either side of the border.";
  }
  if (effect.weights.empty()) return "the line is what a value of the feature adds to the score.";
  return "the line is what a value of the feature adds to the score; bars below it show how many "
         "rows have such values (height by square root).";
}

Picture draw_one(const Gam& gam, const GamEffect& effect, const std::string& name,
                 const std::optional<FeatureRange>& range) {
  const auto categories = names_of(gam.categories(), effect.axes[0].feature);
  if (!categories.empty()) {
    return with_note(draw_categories(effect, name, categories, curve_scale(gam)),
                     "a bar is what the category adds to the score, the highest first.");
  }
  const CurveLook look{
      .title = title_of(name, span_of_curve(effect)), .scale = curve_scale(gam), .range = range};
  const bool is_switch = range && range->is_switch;
  return with_note(draw_curve(effect, name, look),
                   note_of_curve(effect, is_switch && has_two_cells(effect)));
}

}  // namespace

bool has_two_cells(const GamEffect& effect) {
  return effect.axes[0].edges.size() == 1 && std::isfinite(effect.axes[0].edges[0]);
}

Picture draw_two_cells(const GamEffect& effect, const std::string& name, const CurveLook& look) {
  const double total = std::accumulate(effect.weights.begin(), effect.weights.end(), 0.0);
  BarChart chart{.title = look.title.empty() ? name : look.title,
                 .x_label = std::string(look.y_label),
                 .series = {"effect"},
                 .groups = {},
                 .scale = look.scale,
                 .is_signed = true};
  if (!effect.errors.empty()) chart.x_label += "; lines: 2 standard deviations over bags";
  const auto add = [&](std::string cell, std::size_t c) {
    if (total > 0) cell += fmt::format(" ({:.2g} % of rows)", 100 * effect.weights[c] / total);
    BarValue bar{.value = effect.values[c], .text = fmt::format("{:+.3g}", effect.values[c])};
    if (!effect.errors.empty()) {
      bar.low = bar.value - margin_of(effect, c);
      bar.high = bar.value + margin_of(effect, c);
    }
    chart.groups.push_back({.label = std::move(cell), .bars = {std::move(bar)}});
  };
  const auto [low, high] = cell_names(effect, look.range && look.range->is_switch);
  add(low, 0);
  add(high, 1);
  if (shows_missing(effect)) add("missing", 2);
  return draw(chart);
}

std::vector<FeatureRange> ranges_of(const Dataset& data) {
  constexpr double kNothingYet = std::numeric_limits<double>::infinity();
  std::vector<FeatureRange> ranges(data.num_features(), {kNothingYet, -kNothingYet, true});
  for (std::size_t row = 0; row < data.num_rows(); ++row) {
    const std::span<const float> values = data.row(row);
    for (std::size_t f = 0; f < values.size(); ++f) {
      const double value = values[f];
      if (std::isnan(value)) continue;
      ranges[f].low = std::min(ranges[f].low, value);
      ranges[f].high = std::max(ranges[f].high, value);
      if (value != 0 && value != 1) ranges[f].is_switch = false;
    }
  }
  for (FeatureRange& range : ranges) {
    if (range.low > range.high) range = {-kNothingYet, kNothingYet, false};
  }
  return ranges;
}

Picture draw_effect(const Gam& gam, std::size_t effect, std::span<const std::string> names,
                    std::span<const FeatureRange> ranges) {
  const GamEffect& drawn = gam.effects()[effect];
  const std::size_t feature = drawn.axes[0].feature;
  const std::string& first = names[feature];
  if (!drawn.is_pair()) {
    return draw_one(gam, drawn, first,
                    feature < ranges.size() ? std::optional(ranges[feature]) : std::nullopt);
  }
  const std::string& second = names[drawn.axes[1].feature];
  const auto [low, high] = std::ranges::minmax(drawn.values);
  const bool has_empty = std::ranges::any_of(drawn.weights, [](double rows) { return rows <= 0; });
  return with_note(
      draw_surface(drawn, first, second, surface_scale(gam),
                   title_of(fmt::format("{} x {}", first, second), {low, high})),
      fmt::format("orange cells add to the score, blue ones take from it. Cells are drawn equally "
                  "large; numbers are the borders between them{}.",
                  has_empty ? "; pale cells hold no row" : ""));
}

}  // namespace glassrank
