#include "glassrank/studies/breakdown_study.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/metrics/fisher_randomisation.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/studies/outlier_trace.h"

namespace glassrank {
namespace {

std::vector<double> values_of(const Forest& forest, const Dataset& data,
                              const BreakdownParams& params, const Context& context) {
  const std::vector<MetricSpec> metric = {parse_metric(params.metric)};
  return evaluate_model(ForestScorer(forest), data, metric, params.convention.resolve(), context)
      .metrics.front()
      .values;
}

std::vector<std::size_t> window_starts(const BreakdownParams& params, std::size_t end) {
  if (params.starts.empty()) return even_rounds(end, 11);
  std::vector<std::size_t> starts = tree_numbers("--starts", params.starts);
  for (const std::size_t start : starts) {
    window_end(static_cast<int>(start), static_cast<int>(end), end);
  }
  return starts;
}

void add_rows(StudyTables& tables, const Cell& start, const GroupQuality& quality) {
  std::vector<Cell> data = {start, cell(quality.group), cell(quality.num_queries)};
  std::vector<Cell> shown = data;
  for (std::size_t m = 0; m < quality.means.size(); ++m) {
    data.push_back(cell(quality.means[m]));
    shown.push_back(cell(quality.means[m]));
    if (m == 0) continue;
    data.push_back(cell(quality.p[m].greater));
    data.push_back(cell(quality.p[m].two_sided));
    shown.push_back(cell(quality.num_queries == 0 ? kNoValue : quality.p[m].two_sided));
  }
  tables.data.add(std::move(data));
  tables.shown.add(std::move(shown));
}

}  // namespace

void BreakdownParams::visit(ParamVisitor& visitor) {
  visitor.field("metric", metric, "metrics to compare by");
  visitor.field("type", type, "type of outliers: queries that have one are Q_o in the tables");
  visitor.field("starts", starts, "first trees of the windows; empty takes ten, evenly spaced",
                Range{.low = 1});
  visitor.field("end", end, "last tree of the windows; 0 is the base model's last", kNotNegative);
  visitor.field("permutations", permutations, "number of random swaps in Fisher's test",
                Range{.low = 1, .high = kMostPermutations});
  outliers.visit(visitor);
  convention.visit(visitor);
}

void BreakdownParams::check() const {
  check_params(*this);
  parse_metric(metric);
  convention.resolve();
}

void WindowQuality::visit(ResultVisitor& visitor) const {
  visitor.field("start", start, "first tree of the window");
  visitor.object("with_outliers", with_outliers, "Q_o: queries with an outlier at all its trees");
  visitor.object("without", without, "Q_c: the others");
}

void Breakdown::visit(ResultVisitor& visitor) const {
  visitor.field("metric", metric, "what is compared");
  visitor.field("models", models, "in the order of means and p; the first is compared with");
  visitor.field("end", end, "last tree of every window");
  visitor.object("all", all, "all queries");
  visitor.list("windows", windows, "one entry a start");
}

Breakdown study_breakdown(std::span<const NamedForest> models, const Forest& base,
                          const Dataset& data, const BreakdownParams& params,
                          const Context& context) {
  params.check();
  if (models.size() < 2) {
    fail(ErrorKind::kUsage, "a breakdown needs two or more models, here is {}", models.size());
  }
  const std::size_t end = window_end(1, params.end, base.trees().size());
  const std::vector<std::size_t> starts = window_starts(params, end);
  Breakdown breakdown{.metric = params.metric, .end = end};
  std::vector<std::vector<double>> values;
  for (const NamedForest& each : models) {
    breakdown.models.push_back(each.name);
    values.push_back(values_of(each.forest, data, params, context));
  }
  const auto quality = [&](const char* group, const std::vector<bool>& chosen) {
    return quality_on(group, values, chosen, params.permutations, context);
  };
  breakdown.all = quality("all", std::vector<bool>(data.num_queries(), true));
  const OutlierTrace trace = trace_outliers(base, data, params.outliers.resolve(), context);
  for (const std::size_t start : starts) {
    std::vector<bool> with =
        queries_with(data.queries(), consistent_rows(trace, start, end, params.type));
    WindowQuality window{.start = start, .with_outliers = quality("Q_o", with)};
    with.flip();
    window.without = quality("Q_c", with);
    breakdown.windows.push_back(std::move(window));
  }
  return breakdown;
}

StudyTables study_tables(const Breakdown& breakdown) {
  std::vector<Column> data = {{.name = "start"}, {.name = "group"}, {.name = "queries"}};
  std::vector<Column> shown = {{.name = "start"}, {.name = "queries"}, {.name = "number"}};
  for (const std::string& model : breakdown.models) {
    data.push_back({.name = model});
    shown.push_back({.name = model});
    if (&model == &breakdown.models.front()) continue;
    data.push_back({.name = fmt::format("{} p greater", model)});
    data.push_back({.name = fmt::format("{} p two-sided", model)});
    shown.push_back({.name = "p"});
  }
  StudyTables tables{
      .data = Table(std::move(data)),
      .shown = Table(std::move(shown)),
      .notes = {fmt::format(
          "{} in the mean; Q_o: queries with an outlier at every tree from the start to {}, Q_c: "
          "the others; p: Fisher's test against {}, two-sided",
          breakdown.metric, breakdown.end, breakdown.models.front())}};
  add_rows(tables, {}, breakdown.all);
  for (const WindowQuality& window : breakdown.windows) {
    add_rows(tables, cell(window.start), window.with_outliers);
    add_rows(tables, cell(window.start), window.without);
  }
  return tables;
}

}  // namespace glassrank
