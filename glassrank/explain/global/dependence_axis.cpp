#include "glassrank/explain/global/dependence_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "glassrank/explain/global/feature_cells.h"
#include "glassrank/explain/subject_categories.h"
#include "glassrank/models/display_names.h"

namespace glassrank {
namespace {

DependenceAxis named_axis(const Subject& subject, std::uint32_t feature) {
  DependenceAxis axis;
  axis.index = feature;
  axis.feature = display_names(subject.scorer, subject.background.feature_names())[feature];
  return axis;
}

// `cells`: where the points stand for them.
void name_points(const Subject& subject, const GamAxis* cells, DependenceAxis& axis) {
  const SubjectCategories categories = categories_of(subject);
  if (!categories.is_category[axis.index]) return;
  for (std::size_t p = 0; p < axis.points.size(); ++p) {
    bool is_one = cells == nullptr;
    if (!is_one && p > 0 && p < cells->edges.size()) {
      is_one = category_between(cells->edges[p - 1], cells->edges[p]).has_value();
    }
    axis.categories.push_back(is_one ? categories.text(axis.index, axis.points[p]) : "others");
  }
}

void count_rows(const WeightedRows& data, DependenceAxis& axis) {
  axis.weights.assign(axis.size(), 0);
  for (std::size_t r = 0; r < data.rows.num_rows(); ++r) {
    const float value = data.rows(r, axis.index);
    if (std::isnan(value) && !axis.has_missing) continue;
    axis.weights[place_on(axis, value)] += data.weight(r);
  }
}

// Values that occur, ascending, each with its weight.
std::vector<std::pair<float, double>> weighted_values(const WeightedRows& data,
                                                      std::uint32_t feature) {
  std::vector<std::pair<float, double>> all;
  for (std::size_t r = 0; r < data.rows.num_rows(); ++r) {
    const float value = data.rows(r, feature);
    if (!std::isnan(value) && data.weight(r) > 0) all.emplace_back(value, data.weight(r));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::pair<float, double>> distinct;
  for (const auto& [value, weight] : all) {
    if (distinct.empty() || distinct.back().first != value) distinct.emplace_back(value, 0);
    distinct.back().second += weight;
  }
  return distinct;
}

}  // namespace

std::vector<float> DependenceAxis::values() const {
  std::vector<float> all = points;
  if (has_missing) all.push_back(std::numeric_limits<float>::quiet_NaN());
  return all;
}

std::size_t place_on(const DependenceAxis& axis, float value) {
  if (std::isnan(value)) return axis.points.size();
  const std::vector<float>& borders = axis.is_exact ? axis.edges : axis.points;
  const auto place = static_cast<std::size_t>(
      std::lower_bound(borders.begin(), borders.end(), value) - borders.begin());
  return std::min(place, axis.points.size() - 1);
}

DependenceAxis cells_axis(const Subject& subject, std::uint32_t feature, const WeightedRows& data) {
  DependenceAxis axis = named_axis(subject, feature);
  const GamAxis cells = feature_cells(*subject.model, feature);
  axis.is_exact = true;
  axis.edges = cells.edges;
  axis.points = values_in_cells(cells);
  axis.points.pop_back();
  axis.has_missing = true;
  name_points(subject, &cells, axis);
  count_rows(data, axis);
  return axis;
}

DependenceAxis quantile_axis(const Subject& subject, std::uint32_t feature,
                             const WeightedRows& data, std::size_t num_points, bool missing) {
  DependenceAxis axis = named_axis(subject, feature);
  const auto values = weighted_values(data, feature);
  double total = 0;
  for (const auto& [value, weight] : values) total += weight;
  double below = 0;
  double due = 0;  // shares of the weight between points: where the next one is
  const bool takes_all = values.size() <= num_points;
  const double steps = std::max<double>(static_cast<double>(num_points) - 1, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    below += values[i].second;
    const bool is_last = i + 1 == values.size();
    if (!takes_all && !is_last && (num_points < 2 || below * steps < due * total)) continue;
    axis.points.push_back(values[i].first);
    // A value of many rows takes the place of several.
    due = std::floor(below / total * steps) + 1;
  }
  for (std::size_t r = 0; r < data.rows.num_rows() && missing; ++r) {
    axis.has_missing = axis.has_missing || std::isnan(data.rows(r, feature));
  }
  // Never empty: a feature without any value is asked at 0.
  if (axis.points.empty()) axis.points.push_back(0);
  name_points(subject, nullptr, axis);
  count_rows(data, axis);
  return axis;
}

}  // namespace glassrank
