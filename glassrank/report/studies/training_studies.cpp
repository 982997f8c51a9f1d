#include "glassrank/report/studies/training_studies.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/plots/bar_chart.h"
#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

std::string percent(double share) {
  return std::isnan(share) ? "-" : fmt::format("{:.1f} %", 100 * share);
}

LineSeries& series_named(LineChart& chart, const std::string& name) {
  const auto found = std::ranges::find(chart.series, name, &LineSeries::name);
  if (found != chart.series.end()) return *found;
  chart.series.push_back({.name = name, .x = {}, .y = {}, .dots = true});
  return chart.series.back();
}

// Quality against the rate of noise, one line a system; the band is one standard deviation over
// seeds.
Picture quality_chart(const NoiseStudy& study) {
  LineChart chart{
      .title = fmt::format("{} on clean test data after training with wrong grades", study.metric),
      .x_label = "share of grades flipped, %",
      .y_label = study.metric,
      .series = {}};
  for (const NoiseSummary& summary : study.summaries) {
    LineSeries& series = series_named(chart, summary.system);
    series.x.push_back(100 * summary.rate);
    series.y.push_back(summary.mean);
    series.low.push_back(summary.mean - summary.deviation);
    series.high.push_back(summary.mean + summary.deviation);
  }
  return draw(chart);
}

Picture found_chart(const NoiseStudy& study) {
  BarChart chart{.title = "Of the documents dropped, how many had been flipped",
                 .x_label = "%",
                 .series = {"precision", "recall", "chance"},
                 .groups = {}};
  for (const NoiseSummary& summary : study.summaries) {
    if (summary.system == "plain") continue;
    BarGroup group{.label = fmt::format("{}, {:g} % flipped", summary.system, 100 * summary.rate),
                   .bars = {}};
    for (const double share : {summary.precision, summary.recall, summary.chance}) {
      group.bars.push_back({.value = 100 * share, .text = percent(share)});
    }
    chart.groups.push_back(std::move(group));
  }
  return draw(chart);
}

ReportTable noise_runs(const NoiseStudy& study) {
  ReportTable table{.header = {"rate", "seed", "system", study.metric, "trees", "dropped",
                               "flipped", "found", "eligible"},
                    .rows = {}};
  for (const NoiseRun& run : study.runs) {
    table.rows.push_back({number_cell(run.rate), fmt::format("{}", run.seed), run.system,
                          number_cell(run.mean), fmt::format("{}", run.num_trees),
                          fmt::format("{}", run.num_dropped), fmt::format("{}", run.num_flipped),
                          fmt::format("{}", run.num_found), fmt::format("{}", run.num_eligible)});
  }
  return table;
}

// Beside all points; a single one gets a line from 0 on, for a line needs two ends.
LineSeries black_box_line(const InteractionStudy& study) {
  auto first = static_cast<double>(study.points.front().num_pairs);
  auto last = static_cast<double>(study.points.back().num_pairs);
  if (first == last) {
    first = 0;
    last = std::max(last, 1.0);
  }
  return {
      .name = "lambdamart", .x = {first, last}, .y = {study.black_box_test, study.black_box_test}};
}

}  // namespace

StudyResult interaction_result(const InteractionStudy& study) {
  StudyResult result{
      .data = {.header = {"pairs", "used", "trees", "valid", "test", "last pair"}, .rows = {}},
      .name_columns = {5},
      .shown = {.header = {"pairs", "used", "trees", "valid", "test", "last pair"}, .rows = {}}};
  LineSeries glass{.name = "ilmart", .x = {}, .y = {}, .dots = true};
  for (const InteractionPoint& point : study.points) {
    const std::string pairs = fmt::format("{}", point.num_pairs);
    const std::string used = fmt::format("{}", point.num_used);
    const std::string trees = fmt::format("{}", point.num_trees);
    result.data.rows.push_back(
        {pairs, used, trees, number_cell(point.valid), number_cell(point.test), point.added});
    result.shown.rows.push_back({pairs, used, trees, fmt::format("{:.4f}", point.valid),
                                 fmt::format("{:.4f}", point.test), point.added});
    glass.x.push_back(static_cast<double>(point.num_pairs));
    glass.y.push_back(point.test);
  }
  result.data.rows.push_back({"all", "", "", number_cell(study.black_box_valid),
                              number_cell(study.black_box_test), "lambdamart"});
  result.notes = {fmt::format("{} of {} main effects and so many pairs at most", study.metric,
                              study.num_main_effects),
                  fmt::format("lambdamart with the same parameters: valid {:.4f}, test {:.4f}",
                              study.black_box_valid, study.black_box_test)};
  result.facts = {{"lambdamart valid", study.black_box_valid},
                  {"lambdamart test", study.black_box_test},
                  {"main effects", static_cast<double>(study.num_main_effects)}};
  result.picture = draw(LineChart{.title = fmt::format("{} on test data", study.metric),
                                  .x_label = "pairs of features allowed",
                                  .y_label = study.metric,
                                  .series = {std::move(glass), black_box_line(study)}});
  return result;
}

StudyResult noise_result(const NoiseStudy& study) {
  StudyResult result{.data = noise_runs(study),
                     .name_columns = {2},
                     .shown = {.header = {"flipped", "system", study.metric, "sd", "dropped",
                                          "precision", "chance", "recall", "p"},
                               .rows = {}}};
  for (const NoiseSummary& summary : study.summaries) {
    const bool is_plain = summary.system == "plain";
    result.shown.rows.push_back(
        {fmt::format("{:g} %", 100 * summary.rate), summary.system,
         fmt::format("{:.4f}", summary.mean),
         std::isnan(summary.deviation) ? "-" : fmt::format("{:.4f}", summary.deviation),
         is_plain ? "-" : percent(summary.dropped), is_plain ? "-" : percent(summary.precision),
         is_plain ? "-" : percent(summary.chance), is_plain ? "-" : percent(summary.recall),
         is_plain ? "-" : fmt::format("{:.2g}", summary.p.greater)});
  }
  result.notes = {
      fmt::format("{} on {} test queries with right grades, mean and standard deviation over seeds",
                  study.metric, study.num_queries),
      "precision: dropped documents that had been flipped; chance: what drawing blindly would give",
      "p: Fisher's test, better than plain, on each query's mean over seeds"};
  const std::vector<Picture> pictures = {quality_chart(study), found_chart(study)};
  result.picture = stacked(pictures);
  return result;
}

StudyResult sampling_result(const SamplingStudy& study) {
  StudyResult result{
      .data = {.header = {"system", "round", "share", "seconds", "valid"}, .rows = {}},
      .name_columns = {0},
      .shown = {.header = {"system", "of the rows", "ms a tree", "times", "trees", "total s",
                           study.metric, "p"},
                .rows = {}}};
  BarChart times{.title = "Time a tree", .x_label = "milliseconds", .series = {"t"}, .groups = {}};
  LineChart curves{.title = fmt::format("{} on the validation data", study.metric),
                   .x_label = "trees",
                   .y_label = study.metric,
                   .series = {}};
  const double full = study.systems.empty() ? 0 : study.systems.front().seconds_per_tree;
  for (const SampledTraining& system : study.systems) {
    const bool is_full = &system == &study.systems.front();
    const bool has_test = !std::isnan(system.mean);
    result.shown.rows.push_back(
        {system.system, percent(system.share),
         fmt::format("{:.2f}", 1000 * system.seconds_per_tree),
         fmt::format("{:.2f}", full / system.seconds_per_tree), fmt::format("{}", system.num_trees),
         fmt::format("{:.2f}", system.seconds), has_test ? fmt::format("{:.4f}", system.mean) : "-",
         is_full || !has_test ? "-" : fmt::format("{:.4f}", system.p.two_sided)});
    times.groups.push_back(
        {.label = fmt::format("{}, {} of the rows", system.system, percent(system.share)),
         .bars = {{.value = 1000 * system.seconds_per_tree,
                   .text = fmt::format("{:.2f}", 1000 * system.seconds_per_tree)}}});
    LineSeries series{.name = system.system, .x = {}, .y = system.curve};
    for (std::size_t t = 0; t < system.round_shares.size(); ++t) {
      series.x.push_back(static_cast<double>(t + 1));
      result.data.rows.push_back({system.system, fmt::format("{}", t + 1),
                                  number_cell(system.round_shares[t]),
                                  number_cell(system.round_seconds[t]),
                                  t < system.curve.size() ? number_cell(system.curve[t]) : ""});
    }
    series.x.resize(series.y.size());
    curves.series.push_back(std::move(series));
  }
  result.notes = {
      "times: how much faster than the first; p: Fisher's test against the first, two-sided"};
  const std::vector<Picture> pictures = {draw(times), draw(curves)};
  result.picture = stacked(pictures);
  return result;
}

}  // namespace glassrank
