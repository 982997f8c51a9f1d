#include "glassrank/report/plots/category_plot.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "glassrank/report/plots/bar_chart.h"
#include "glassrank/report/plots/effect_plot.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostCategories = 40;

BarGroup bar_of_cell(const GamEffect& effect, std::size_t cell, const std::string& label) {
  BarValue bar{.value = effect.values[cell], .text = fmt::format("{:.3g}", effect.values[cell])};
  if (!effect.errors.empty()) {
    bar.low = bar.value - 2 * effect.errors[cell];
    bar.high = bar.value + 2 * effect.errors[cell];
  }
  if (!effect.weights.empty()) bar.text += fmt::format(", {:.0f} rows", effect.weights[cell]);
  return {.label = label, .bars = {bar}};
}

}  // namespace

Picture draw_categories(const GamEffect& effect, const std::string& feature,
                        std::span<const std::string> names, std::optional<Span> scale) {
  const GamAxis& axis = effect.axes[0];
  const std::size_t num_shown = std::min(names.size(), kMostCategories);
  BarChart chart{.title = feature,
                 .x_label = "effect on the score",
                 .series = {"effect"},
                 .scale = scale,
                 .is_signed = true};
  for (std::size_t code = 0; code < num_shown; ++code) {
    chart.groups.push_back(bar_of_cell(effect, axis.cell(static_cast<float>(code)), names[code]));
  }
  std::ranges::stable_sort(chart.groups, std::greater<>(),
                           [](const BarGroup& group) { return group.bars[0].value; });
  if (!chart.groups.empty()) {
    chart.title = effect_title(
        feature, {chart.groups.back().bars[0].value, chart.groups.front().bars[0].value});
  }
  if (num_shown < names.size()) {
    chart.title += fmt::format(" (the {} most frequent of {})", num_shown, names.size());
  }
  const auto unseen = static_cast<float>(names.size());
  chart.groups.push_back(bar_of_cell(effect, axis.cell(unseen), "(unseen)"));
  if (shows_missing(effect)) {
    chart.groups.push_back(bar_of_cell(effect, axis.missing_cell(), "(missing)"));
  }
  return draw(chart);
}

}  // namespace glassrank
