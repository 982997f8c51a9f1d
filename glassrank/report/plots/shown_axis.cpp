#include "glassrank/report/plots/shown_axis.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "glassrank/models/forest/tree.h"

namespace glassrank {
namespace {

constexpr double kEndShare = 0.005;  // of the rows, cut off at either end
constexpr double kLogRatio = 300;    // of the highest to the lowest edge
constexpr double kLogMiddle = 0.1;   // of the way between them: where the middle lies at most

// Cells that hold the rows but for kEndShare at either end.
void cut_ends(const GamAxis& axis, std::span<const double> weights, ShownAxis& shown) {
  const auto missing = static_cast<std::ptrdiff_t>(axis.missing_cell());
  if (weights.empty()) return;
  const double total = std::accumulate(weights.begin(), weights.begin() + missing, 0.0);
  if (!(total > 0)) return;
  double below = weights[shown.first];
  while (below <= kEndShare * total && shown.first < shown.last) {
    below += weights[++shown.first];
  }
  double above = weights[shown.last];
  while (above <= kEndShare * total && shown.last > shown.first) {
    above += weights[--shown.last];
  }
  double inside = 0;
  for (std::size_t c = shown.first; c <= shown.last; ++c) inside += weights[c];
  shown.outside = 1 - inside / total;
}

// Of the shown cells that have an upper edge: the one with the middle row, or the middle one.
std::size_t middle_cell(const GamAxis& axis, std::span<const double> weights,
                        const ShownAxis& shown) {
  std::size_t middle = (shown.first + shown.last) / 2;
  if (!weights.empty()) {
    double total = 0;
    for (std::size_t c = shown.first; c <= shown.last; ++c) total += weights[c];
    double below = 0;
    for (middle = shown.first; middle < shown.last; ++middle) {
      below += weights[middle];
      if (2 * below >= total) break;
    }
  }
  return std::min(middle, axis.edges.size() - 1);
}

ShownAxis whole_axis(const GamAxis& axis, std::span<const double> weights) {
  std::vector<double> edges;
  ShownAxis shown{.first = 0, .last = axis.edges.size()};
  for (const float edge : axis.edges) edges.push_back(place_of_edge(edge));
  // Cells at an infinite edge have no place on an axis.
  if (!edges.empty() && std::isinf(edges.front()) && edges.size() > 1) ++shown.first;
  if (!edges.empty() && std::isinf(edges.back()) && shown.last > shown.first) --shown.last;
  cut_ends(axis, weights, shown);
  const bool open_low = shown.first == 0 || std::isinf(edges[shown.first - 1]);
  const bool open_high = shown.last == edges.size() || std::isinf(edges[shown.last]);
  double low = open_low ? (edges.empty() ? 0 : edges[shown.first]) : edges[shown.first - 1];
  const std::size_t below_high = shown.last == 0 ? 0 : shown.last - 1;
  double high = open_high ? (edges.empty() ? 1 : edges[below_high]) : edges[shown.last];
  if (shown.first == shown.last && open_low != open_high)
    (open_low ? low : high) = open_low ? high : low;
  if (!std::isfinite(low) || !std::isfinite(high)) low = high = 0;
  // A single tiny edge (half of the smallest value above 0) is no reason: most must lie low.
  shown.log = low > 0 && high / low > kLogRatio &&
              edges[middle_cell(axis, weights, shown)] - low < kLogMiddle * (high - low);
  // Open cells get some room beyond their edge.
  const double room = high > low ? 0.07 * (high - low) : std::max(1.0, std::abs(low) * 0.1);
  const double factor = shown.log ? std::pow(high / low, 0.07) : 1;
  shown.span = {open_low ? (shown.log ? low / factor : low - room) : low,
                open_high ? (shown.log ? high * factor : high + room) : high};
  return shown;
}

// The room beyond the outermost edges ends where the data do, as far as that is known.
ShownAxis within(ShownAxis shown, const std::optional<FeatureRange>& range, const GamAxis& axis) {
  const std::vector<float>& edges = axis.edges;
  if (!range || edges.empty()) return shown;
  if (shown.first == 0) {
    const double edge = place_of_edge(edges.front());
    shown.span.low = std::max(shown.span.low, std::min(range->low, edge));
  }
  if (shown.last == edges.size()) {
    const double edge = place_of_edge(edges.back());
    shown.span.high = std::min(shown.span.high, std::max(range->high, edge));
  }
  if (!(shown.span.low < shown.span.high)) shown.span.high = shown.span.low + 1;
  return shown;
}

}  // namespace

double place_of_edge(float edge) {
  return std::abs(edge) <= kZeroThreshold ? 0.0 : static_cast<double>(edge);
}

Span ShownAxis::of_cell(const GamAxis& axis, std::size_t cell) const {
  return {cell == first ? span.low : place_of_edge(axis.edges[cell - 1]),
          cell == last ? span.high : place_of_edge(axis.edges[cell])};
}

ShownAxis shown_axis(const GamAxis& axis, std::span<const double> weights,
                     const std::optional<FeatureRange>& range) {
  return within(whole_axis(axis, weights), range, axis);
}

}  // namespace glassrank
