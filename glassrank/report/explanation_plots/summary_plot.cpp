#include "glassrank/report/explanation_plots/summary_plot.h"

#include <algorithm>
#include <vector>

#include "glassrank/explain/amounts.h"
#include "glassrank/report/plots/bar_chart.h"
#include "glassrank/report/plots/heat_map.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostBars = 6;
constexpr double kRow = 24;
constexpr const char* kMeasure = "mean amount within queries";

std::vector<const GroupSummary*> groups_of(const AttributionSummary& summary) {
  std::vector<const GroupSummary*> groups = {&summary.all};
  for (const GroupSummary& group : summary.groups) groups.push_back(&group);
  return groups;
}

double amount(const GroupSummary& group, std::size_t feature) {
  return group.features[feature].mean_amount_within;
}

Picture bars(const SummaryPlot& plot, const std::vector<const GroupSummary*>& groups,
             const std::vector<std::size_t>& features) {
  BarChart chart{.title = plot.title, .x_label = kMeasure, .series = {}, .groups = {}};
  double largest = 0;
  for (const GroupSummary* const group : groups) {
    chart.series.push_back(group->name);
    for (const std::size_t f : features) largest = std::max(largest, amount(*group, f));
  }
  const Amounts amounts(largest);
  for (const std::size_t f : features) {
    BarGroup& bars = chart.groups.emplace_back();
    bars.label = groups.front()->features[f].feature;
    for (const GroupSummary* const group : groups) {
      bars.bars.push_back({.value = amount(*group, f), .text = amounts.plain(amount(*group, f))});
    }
  }
  return draw(chart);
}

Picture cells(const SummaryPlot& plot, const std::vector<const GroupSummary*>& groups,
              const std::vector<std::size_t>& features) {
  HeatMap map{.title = plot.title,
              .x_label = "group of queries",
              .y_label = "",
              .value_label = kMeasure,
              .num_rows = features.size(),
              .num_columns = groups.size(),
              .values = {},
              .from_zero = true};
  for (const GroupSummary* const group : groups) map.column_names.push_back(group->name);
  for (const std::size_t f : features) {
    map.row_names.push_back(groups.front()->features[f].feature);
    for (const GroupSummary* const group : groups) map.values.push_back(amount(*group, f));
  }
  map.height = 130 + kRow * static_cast<double>(features.size());
  return draw(map);
}

}  // namespace

Picture draw(const SummaryPlot& plot) {
  const std::vector<const GroupSummary*> groups = groups_of(plot.summary);
  std::vector<std::size_t> features = features_by_amount_within(plot.summary.all);
  if (features.size() > plot.most_features) features.resize(plot.most_features);
  return plot.summary.groups.size() <= kMostBars ? bars(plot, groups, features)
                                                 : cells(plot, groups, features);
}

}  // namespace glassrank
