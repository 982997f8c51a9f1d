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

// Between 0 and 1: where nothing else is known, a feature with this border only is a switch.
constexpr double kSwitchEdge = 0.5;

// What is drawn of two cells: number and name.
using NamedCell = std::pair<std::size_t, std::string>;
std::vector<NamedCell> two_cells(const GamEffect& effect, const CurveLook& look) {
  const GamAxis& axis = effect.axes[0];
  if (look.range && look.range->is_switch) {
    if (axis.cell(0) == axis.cell(1)) return {{axis.cell(0), "0, 1"}};
    return {{axis.cell(0), "0"}, {axis.cell(1), "1"}};
  }
  const double edge = place_of_edge(axis.edges[0]);
  if (!look.range && edge == kSwitchEdge) return {{0, "0"}, {1, "1"}};
  return {{0, fmt::format("at most {:.4g}", edge)}, {1, fmt::format("above {:.4g}", edge)}};
}

// What two cells are drawn as.
std::string_view mark_of(const GamEffect& effect) { return effect.errors.empty() ? "bar" : "dot"; }

std::string note_of_curve(const GamEffect& effect, const std::optional<FeatureRange>& range) {
  if (has_two_cells(effect, range)) {
    const bool is_guess = !range && place_of_edge(effect.axes[0].edges[0]) == kSwitchEdge;
    return fmt::format(
        "a {} is what the feature adds to the score {}.", mark_of(effect),
        range && range->is_switch ? "when it is off (0) or on (1)"
        : is_guess
            ? "on either side of 0.5, its only border: taken for 0 and 1, as no data was given"
            : "on either side of the border");
  }
  if (effect.weights.empty()) return "the line is what a value of the feature adds to the score.";
  return "the line is what a value of the feature adds to the score; bars below it show how many "
         "rows have such values (height by square root).";
}

Picture draw_one(const Gam& gam, const GamEffect& effect, const std::string& name,
                 const std::optional<FeatureRange>& range) {
  const auto categories = names_of(gam.categories(), effect.axes[0].feature);
  if (!categories.empty()) {
    return with_note(
        draw_categories(effect, name, categories, curve_scale(gam)),
        fmt::format("a {} is what the category adds to the score, the highest first.{}",
                    mark_of(effect),
                    effect.errors.empty() ? "" : " Lines: 2 standard deviations over bags."));
  }
  const CurveLook look{.title = effect_title(name, span_of_curve(effect, false)),
                       .scale = curve_scale(gam),
                       .range = range};
  return with_note(draw_curve(effect, name, look), note_of_curve(effect, range));
}

}  // namespace

std::string effect_title(const std::string& name, const Span& span) {
  return fmt::format("{} adds {:+.2f} to {:+.2f} to the score", name, span.low, span.high);
}

bool has_two_cells(const GamEffect& effect, const std::optional<FeatureRange>& range) {
  const std::vector<float>& edges = effect.axes[0].edges;
  return (range && range->is_switch) || (edges.size() == 1 && std::isfinite(edges[0]));
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
  for (const auto& [cell, label] : two_cells(effect, look)) add(label, cell);
  if (shows_missing(effect)) add("missing", effect.axes[0].missing_cell());
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
  const auto feature_of = [&](std::size_t axis) {
    const std::size_t f = drawn.axes[axis].feature;
    return SurfaceFeature{.name = names[f],
                          .range = f < ranges.size() ? std::optional(ranges[f]) : std::nullopt,
                          .categories = names_of(gam.categories(), f)};
  };
  const SurfaceFeature first = feature_of(0);
  if (!drawn.is_pair()) return draw_one(gam, drawn, first.name, first.range);
  const SurfaceFeature second = feature_of(1);
  return draw_surface(drawn, first, second,
                      {.title = effect_title(fmt::format("{} x {}", first.name, second.name),
                                             span_of_surface(drawn)),
                       .largest = surface_scale(gam)});
}

}  // namespace glassrank
