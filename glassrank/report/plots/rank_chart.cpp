#include "glassrank/report/plots/rank_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "glassrank/metrics/gain.h"
#include "glassrank/report/plots/frame.h"
#include "glassrank/report/plots/palette.h"

namespace glassrank {
namespace {

constexpr double kMostName = 200;

// Top and bottom of the band of every rank.
struct Bands {
  std::vector<double> borders;  // one more than ranks

  Bands(const Box& plot, std::size_t num_ranks) : borders(num_ranks + 1, plot.top) {
    const std::vector<double> heights = discount_table(num_ranks);
    const double all = std::accumulate(heights.begin(), heights.end(), 0.0);
    for (std::size_t r = 0; r < num_ranks; ++r) {
      borders[r + 1] = borders[r] + plot.height() * heights[r] / all;
    }
  }
  double top(std::size_t rank) const { return borders[rank]; }
  double bottom(std::size_t rank) const { return borders[rank + 1]; }
  double middle(std::size_t rank) const { return (top(rank) + bottom(rank)) / 2; }
};

bool is_highlighted(const RankChart& chart, std::size_t document) {
  return document < chart.highlighted.size() && chart.highlighted[document];
}

std::vector<float> levels_of(const std::vector<float>& grades) {
  std::vector<float> levels = grades;
  std::ranges::sort(levels);
  levels.erase(std::ranges::unique(levels).begin(), levels.end());
  return levels;
}

std::string colour_of(const RankChart& chart, std::size_t document,
                      const std::vector<float>& levels) {
  if (is_highlighted(chart, document)) return std::string(kHighlight);
  const auto level = static_cast<std::size_t>(
      std::ranges::lower_bound(levels, chart.grades[document]) - levels.begin());
  return grade_colour(level, levels.size());
}

// A single column is drawn as wide as the plot.
std::vector<double> columns_of(const RankChart& chart, const Scale& x) {
  std::vector<double> columns;
  for (const double round : chart.rounds) columns.push_back(x(round));
  return columns;
}

void draw_ribbon(Canvas& canvas, const std::vector<std::uint32_t>& ranks, const Bands& bands,
                 const std::vector<double>& columns, std::string_view colour) {
  std::vector<Point> outline;
  const auto add_edge = [&](std::size_t i, bool is_top) {
    // A hair of white between neighbours, less where bands are thin.
    const double gap = std::min(1.0, (bands.bottom(ranks[i]) - bands.top(ranks[i])) * 0.12);
    outline.push_back(
        {columns[i], is_top ? bands.top(ranks[i]) + gap : bands.bottom(ranks[i]) - gap});
  };
  const auto turns = [&](std::size_t i) {  // points within a level stretch say nothing
    return i == 0 || i + 1 == ranks.size() || ranks[i] != ranks[i - 1] || ranks[i] != ranks[i + 1];
  };
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (turns(i)) add_edge(i, true);
  }
  for (std::size_t i = ranks.size(); i-- > 0;) {
    if (turns(i)) add_edge(i, false);
  }
  canvas.polygon(outline, colour, 0.88);
}

std::string name_text(const RankChart& chart, std::size_t document) {
  return fmt::format("{} ({:g})", fitted(chart.names[document], kTickSize, kMostName),
                     chart.grades[document]);
}

double name_width(const RankChart& chart) {
  double width = 0;
  for (std::size_t d = 0; d < chart.names.size(); ++d) {
    width = std::max(width, text_width(name_text(chart, d), kTickSize));
  }
  return chart.names.empty() ? 0 : width + 12;
}

void draw_names(Canvas& canvas, const RankChart& chart, const Bands& bands, double x) {
  if (chart.names.empty()) return;
  for (std::size_t d = 0; d < chart.names.size(); ++d) {
    const std::uint32_t rank = chart.ranks[d].back();
    if (bands.bottom(rank) - bands.top(rank) < kTickSize + 1) continue;
    canvas.text({x + 8, bands.middle(rank) + 4}, name_text(chart, d), {.size = kTickSize});
  }
}

// "1", "2", ... as many as there is room for.
std::vector<Tick> rank_ticks(const Bands& bands) {
  std::vector<Tick> ticks;
  double last = -1e9;
  for (std::size_t r = 0; r + 1 < bands.borders.size(); ++r) {
    if (bands.middle(r) - last < kTickSize + 4) continue;
    last = bands.middle(r);
    ticks.push_back({.value = last, .label = fmt::format("{}", r + 1)});
  }
  return ticks;
}

std::vector<LegendEntry> legend_of(const RankChart& chart, const std::vector<float>& levels) {
  std::vector<LegendEntry> entries;
  for (std::size_t l = levels.size(); l-- > 0;) {
    entries.push_back({.name = fmt::format("grade {:g}", levels[l]),
                       .colour = grade_colour(l, levels.size()),
                       .is_area = true});
  }
  if (std::ranges::find(chart.highlighted, true) != chart.highlighted.end()) {
    entries.push_back(
        {.name = chart.highlight_label, .colour = std::string(kHighlight), .is_area = true});
  }
  return entries;
}

}  // namespace

Picture draw(const RankChart& chart) {
  const std::vector<float> levels = levels_of(chart.grades);
  const std::vector<LegendEntry> legend = legend_of(chart, levels);
  const double name_room = name_width(chart);
  Box plot{.left = 0,
           .top = top_margin(chart.title),
           .right = chart.width - name_room - legend_width(legend) - 28,
           .bottom = chart.height - kBottomMargin};
  const Bands bands(plot, chart.ranks.size());
  const Axis vertical{.label = "rank, height by its discount",
                      .ticks = rank_ticks(bands),
                      .width = text_width("1000", kTickSize)};
  plot.left = left_margin(vertical);
  const bool is_empty = chart.ranks.empty() || chart.rounds.empty();
  Span rounds = is_empty ? Span{0, 1} : Span{chart.rounds.front(), chart.rounds.back()};
  const Scale x{.values = usable(rounds), .from = plot.left, .to = plot.right, .whole = true};

  Canvas canvas;
  draw_title(canvas, chart.title, chart.width);
  if (is_empty) draw_no_data(canvas, plot);
  std::vector<std::size_t> order(is_empty ? 0 : chart.ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t d) {
    return std::pair(is_highlighted(chart, d), chart.grades[d]);
  });
  const bool is_single = chart.rounds.size() == 1;
  const std::vector<double> columns =
      is_single ? std::vector{plot.left, plot.right} : columns_of(chart, x);
  for (const std::size_t d : order) {
    std::vector<std::uint32_t> ranks = chart.ranks[d];
    if (is_single) ranks.resize(2, ranks.front());
    draw_ribbon(canvas, ranks, bands, columns, colour_of(chart, d, levels));
  }
  if (!is_empty) draw_names(canvas, chart, bands, plot.right);
  draw_horizontal(canvas, plot, horizontal_axis(chart.x_label, x), x, false);
  // The ticks are pixels already.
  draw_vertical(canvas, plot, vertical, {.values = {0, 1}, .from = 0, .to = 1}, false);
  draw_legend(canvas, {plot.right + name_room + 16, plot.top}, legend);
  return {
      .width = chart.width, .height = chart.height, .title = chart.title, .body = canvas.take()};
}

}  // namespace glassrank
