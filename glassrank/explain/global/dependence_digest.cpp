#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/explain/global/dependence.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostLines = 20;

// "3 to 4.5", "up to 3", "above 4.5", "missing", or a point.
std::string range_text(const DependenceAxis& axis, std::size_t first, std::size_t last) {
  if (first == axis.points.size()) return "missing";
  if (!axis.categories.empty()) return axis.categories[first];
  if (!axis.is_exact) {
    return first == last ? fmt::format("{}", axis.points[first])
                         : fmt::format("{} to {}", axis.points[first], axis.points[last]);
  }
  const bool is_lowest = first == 0;
  const bool is_highest = last == axis.edges.size();
  if (is_lowest && is_highest) return "any value";
  if (is_lowest) return fmt::format("up to {}", axis.edges[last]);
  if (is_highest) return fmt::format("above {}", axis.edges[first - 1]);
  return fmt::format("{} to {}", axis.edges[first - 1], axis.edges[last]);
}

// By weight; where there is none, every place counts the same.
double mean_between(const Dependence& dependence, std::size_t first, std::size_t last) {
  const std::vector<double>& weights = dependence.axes[0].weights;
  double total = 0;
  for (std::size_t i = first; i <= last; ++i) total += weights[i];
  double sum = 0;
  for (std::size_t i = first; i <= last; ++i) {
    sum += dependence.values[i] *
           (total > 0 ? weights[i] / total : 1 / static_cast<double>(last - first + 1));
  }
  return sum;
}

// A line per category, the most frequent ones, the highest first. Rare and unseen ones are one line
// where they share a number.
Table categories_table(const Dependence& dependence) {
  const DependenceAxis& axis = dependence.axes[0];
  std::map<std::pair<std::string, double>, double> weights;  // by name and number
  double all = 0;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    weights[{range_text(axis, i, i), dependence.values[i]}] += axis.weights[i];
    all += axis.weights[i];
  }
  std::vector<std::pair<std::pair<std::string, double>, double>> lines(weights.begin(),
                                                                       weights.end());
  std::ranges::stable_sort(lines, std::greater<>(), [](const auto& line) { return line.second; });
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  std::ranges::stable_sort(lines, std::greater<>(),
                           [](const auto& line) { return line.first.second; });
  Table table({{.name = axis.feature},
               {.name = std::string(name_of(dependence.kind))},
               {.name = "documents", .notation = Notation::kPercent, .digits = 1}});
  for (const auto& [place, weight] : lines) {
    table.add({cell(place.first), cell(place.second), cell(all > 0 ? weight / all : 0.0)});
  }
  return table;
}

Table ranges_table(const Dependence& dependence) {
  const DependenceAxis& axis = dependence.axes[0];
  Table table({{.name = axis.feature},
               {.name = std::string(name_of(dependence.kind))},
               {.name = "documents", .notation = Notation::kPercent, .digits = 1}});
  double all = 0;
  for (const double weight : axis.weights) all += weight;
  const auto add = [&](std::size_t first, std::size_t last) {
    double weight = 0;
    for (std::size_t i = first; i <= last; ++i) weight += axis.weights[i];
    table.add({cell(range_text(axis, first, last)), cell(mean_between(dependence, first, last)),
               cell(all > 0 ? weight / all : 0.0)});
  };
  double total = 0;
  for (std::size_t i = 0; i < axis.points.size(); ++i) total += axis.weights[i];
  const bool shows_all = axis.points.size() <= kMostLines;
  double below = 0;
  std::size_t lines = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    below += axis.weights[i];
    const double due = static_cast<double>(lines + 1) / static_cast<double>(kMostLines);
    const bool is_last = i + 1 == axis.points.size();
    if (!shows_all && !is_last && (below < due * total || lines + 1 == kMostLines)) continue;
    add(first, i);
    first = i + 1;
    // A range with many documents takes the place of several.
    do {
      ++lines;
    } while (static_cast<double>(lines + 1) / kMostLines * total <= below &&
             lines + 1 < kMostLines);
  }
  if (axis.has_missing) add(axis.points.size(), axis.points.size());
  return table;
}

Table documents_table(const Dependence& dependence) {
  const DependenceAxis& axis = dependence.axes[0];
  Table table({{.name = "query"},
               {.name = "document"},
               {.name = axis.feature, .notation = Notation::kShortest},
               {.name = "score"},
               {.name = "lowest"},
               {.name = "at"},
               {.name = "highest"},
               {.name = "at"}});
  for (const IceCurve& curve : dependence.curves) {
    // The first of equal ones.
    const auto low = std::ranges::min_element(curve.values);
    const auto high = std::ranges::max_element(curve.values);
    const auto place = [&](auto at) {
      const auto number = static_cast<std::size_t>(at - curve.values.begin());
      return range_text(axis, number, number);
    };
    table.add({cell(curve.query), cell(curve.document), cell(curve.value), cell(curve.score),
               cell(*low), cell(place(low)), cell(*high), cell(place(high))});
  }
  return table;
}

}  // namespace

Table dependence_digest(const Dependence& dependence) {
  if (dependence.axes.size() == 2) return dependence_table(dependence);
  if (dependence.kind == DependenceKind::kIce) return documents_table(dependence);
  if (!dependence.axes[0].categories.empty()) return categories_table(dependence);
  return ranges_table(dependence);
}

}  // namespace glassrank
