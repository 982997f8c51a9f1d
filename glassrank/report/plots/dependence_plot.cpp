#include "glassrank/report/plots/dependence_plot.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/plots/effect_plot.h"
#include "glassrank/report/plots/heat_map.h"
#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

std::string value_label(const Dependence& dependence) {
  const bool is_mean = dependence.kind != DependenceKind::kIce;
  switch (dependence.centre) {
    case Centring::kMean:
      return "effect on the score";
    case Centring::kQuery:
      return is_mean ? "mean score above that of the query" : "score above the mean of its query";
    case Centring::kNone:
      break;
  }
  if (dependence.kind == DependenceKind::kAle) return "accumulated effect on the score";
  return is_mean ? "mean score" : "score";
}

// As a table of an additive model, which has pictures.
GamEffect effect_of(const Dependence& dependence) {
  GamEffect effect{.axes = {}, .values = dependence.values, .errors = {}, .weights = {}};
  for (const DependenceAxis& axis : dependence.axes) {
    effect.axes.push_back({.feature = axis.index, .edges = axis.edges});
  }
  if (dependence.axes.size() == 1) effect.weights = dependence.axes[0].weights;
  return effect;
}

// Colours of a surface stand for effects, which are around 0: the mean over its cells, by the
// documents of either feature, is taken off. These are its rows, too: where none are is not shown.
GamEffect centred_surface(const Dependence& dependence) {
  GamEffect effect = effect_of(dependence);
  const std::vector<double>& first = dependence.axes[0].weights;
  const std::vector<double>& second = dependence.axes[1].weights;
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < effect.values.size(); ++i) {
    const double weight = first[i / second.size()] * second[i % second.size()];
    effect.weights.push_back(weight);
    sum += weight * effect.values[i];
    total += weight;
  }
  for (double& value : effect.values) value -= sum / total;
  return effect;
}

// Where the numbers of an axis stand, and which of them: steps have two places each.
struct LinePlaces {
  std::vector<double> x;
  std::vector<std::size_t> numbers;
};

LinePlaces step_places(const DependenceAxis& axis) {
  LinePlaces places;
  const std::size_t num_cells = axis.points.size();
  std::size_t first = 0;
  std::size_t last = num_cells - 1;
  // Ends without documents may be far away.
  while (first < last && !(axis.weights[first] > 0)) ++first;
  while (last > first && !(axis.weights[last] > 0)) --last;
  const auto edge = [&](std::size_t i) { return static_cast<double>(axis.edges[i]); };
  if (axis.edges.empty()) return {{0, 1}, {0, 0}};
  const double low = edge(first == 0 ? 0 : first - 1);
  const double high = edge(last == num_cells - 1 ? last - 1 : last);
  const double room = high > low ? 0.05 * (high - low) : 1;
  for (std::size_t c = first; c <= last; ++c) {
    places.x.push_back(c == 0 ? low - room : edge(c - 1));
    places.x.push_back(c == num_cells - 1 ? high + room : edge(c));
    places.numbers.insert(places.numbers.end(), {c, c});
  }
  return places;
}

LinePlaces places_of(const DependenceAxis& axis) {
  if (axis.is_exact) return step_places(axis);
  LinePlaces places;
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    places.x.push_back(axis.points[i]);
    places.numbers.push_back(i);
  }
  return places;
}

LineSeries series_of(std::string name, const LinePlaces& places, std::span<const double> values) {
  LineSeries series{.name = std::move(name), .x = places.x, .y = {}};
  for (const std::size_t number : places.numbers) series.y.push_back(values[number]);
  return series;
}

Picture draw_lines(const Dependence& dependence) {
  const DependenceAxis& axis = dependence.axes[0];
  LineChart chart{.title = axis.feature,
                  .x_label = axis.feature,
                  .y_label = value_label(dependence),
                  .series = {}};
  const LinePlaces places = places_of(axis);
  for (const IceCurve& curve : dependence.curves) {
    chart.series.push_back(series_of({}, places, curve.values));
    chart.series.back().faint = true;
  }
  chart.series.push_back(series_of("mean", places, dependence.values));
  chart.series.back().dots = !axis.is_exact && dependence.curves.empty();
  return draw(chart);
}

std::vector<std::string> names_of(const DependenceAxis& axis) {
  std::vector<std::string> names;
  for (const float point : axis.points) names.push_back(fmt::format("{:.4g}", point));
  if (axis.has_missing) names.emplace_back("missing");
  return names;
}

// The first feature goes to the right, the second upwards.
Picture draw_matrix(const Dependence& dependence) {
  const DependenceAxis& across = dependence.axes[0];
  const DependenceAxis& upward = dependence.axes[1];
  HeatMap map{.title = fmt::format("{} x {}", across.feature, upward.feature),
              .x_label = across.feature,
              .y_label = upward.feature,
              .value_label = value_label(dependence),
              .num_rows = upward.size(),
              .num_columns = across.size(),
              .values = {},
              .row_names = names_of(upward),
              .column_names = names_of(across),
              .is_signed = dependence.centre != Centring::kNone};
  std::ranges::reverse(map.row_names);
  for (std::size_t row = upward.size(); row-- > 0;) {
    for (std::size_t column = 0; column < across.size(); ++column) {
      map.values.push_back(dependence.values[column * upward.size() + row]);
    }
  }
  return draw(map);
}

}  // namespace

Picture draw(const Dependence& dependence) {
  const bool is_exact =
      std::ranges::all_of(dependence.axes, [](const auto& axis) { return axis.is_exact; });
  if (dependence.axes.size() == 2) {
    if (!is_exact) return draw_matrix(dependence);
    return draw_surface(centred_surface(dependence), {.name = dependence.axes[0].feature},
                        {.name = dependence.axes[1].feature});
  }
  if (!is_exact || dependence.kind == DependenceKind::kIce) return draw_lines(dependence);
  const std::string label = value_label(dependence);
  return draw_curve(effect_of(dependence), dependence.axes[0].feature, {.y_label = label});
}

}  // namespace glassrank
