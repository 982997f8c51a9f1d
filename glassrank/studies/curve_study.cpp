#include "glassrank/studies/curve_study.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/forest/score_trace.h"
#include "glassrank/studies/outlier_options.h"

namespace glassrank {
namespace {

constexpr std::size_t kShownSteps = 10;

MetricCurve curve_of(const NamedForest& model, const NamedData& data, const CurveParams& params,
                     const Context& context) {
  const MetricSpec metric = parse_metric(params.metric);
  const Convention convention = params.convention.resolve();
  const std::vector<std::size_t> shown = params.shown_trees();
  const std::size_t num_trees = model.forest.trees().size();
  MetricCurve curve{.name = model.name, .trees = {}, .values = {}};
  trace_scores(
      model.forest, data.data.features(), [&](std::size_t trees, std::span<const double> scores) {
        const bool is_point = trees % static_cast<std::size_t>(params.every) == 0 || trees == 1 ||
                              trees == num_trees || std::ranges::binary_search(shown, trees);
        if (!is_point) return;
        context.check_stop();
        const DatasetLists lists(data.data, scores);
        curve.trees.push_back(trees);
        curve.values.push_back(
            evaluate(lists, {&metric, 1}, convention, context).metrics.front().mean);
      });
  return curve;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

template <typename T>
T number_of(std::string_view cell, const std::string& file, std::size_t line) {
  T value{};
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) {
    fail(ErrorKind::kInput, "{}:{}: '{}' is not a number", file, line, cell);
  }
  return value;
}

}  // namespace

void CurveParams::visit(ParamVisitor& visitor) {
  visitor.field("metric", metric, "metric to follow", ParamStyle{.value_name = "METRIC"});
  visitor.field("at", at, "numbers of trees to print; empty prints ten, evenly spaced",
                Range{.low = 1});
  visitor.field("every", every, "number of trees between two points of the curves",
                Range{.low = 1});
  convention.visit(visitor);
}

std::vector<std::size_t> CurveParams::shown_trees() const {
  std::vector<std::size_t> shown = tree_numbers("--at", at);
  std::ranges::sort(shown);
  const auto again = std::ranges::unique(shown);
  shown.erase(again.begin(), again.end());
  return shown;
}

double MetricCurve::best() const { return *std::ranges::max_element(values); }

std::size_t MetricCurve::best_trees() const {
  return trees[static_cast<std::size_t>(std::ranges::max_element(values) - values.begin())];
}

double MetricCurve::at(std::size_t num_trees) const {
  const auto found = std::ranges::lower_bound(trees, num_trees);
  if (found == trees.end() || *found != num_trees) return kNoValue;
  return values[static_cast<std::size_t>(found - trees.begin())];
}

void MetricCurve::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "of the model, and of the data where there are several");
  visitor.field("num_trees", trees, "of every point");
  visitor.field("values", values, "of the metric after so many trees");
}

void CurveStudy::visit(ResultVisitor& visitor) const {
  visitor.field("metric", metric, "what is followed");
  visitor.list("curves", curves, "one entry a model and data set");
}

CurveStudy study_curves(std::span<const NamedForest> models, std::span<const NamedData> data,
                        const CurveParams& params, const Context& context) {
  check_params(params);
  CurveStudy study{.metric = to_text(parse_metric(params.metric)), .shown_trees = {}, .curves = {}};
  for (const NamedForest& model : models) {
    for (const NamedData& each : data) {
      study.curves.push_back(curve_of(model, each, params, context));
      if (data.size() > 1) study.curves.back().name += " " + each.name;
    }
  }
  choose_shown(study, params);
  return study;
}

void choose_shown(CurveStudy& study, const CurveParams& params) {
  study.shown_trees = params.shown_trees();
  if (!study.shown_trees.empty()) return;
  std::size_t longest = 0;
  for (const MetricCurve& curve : study.curves) longest = std::max(longest, curve.trees.back());
  const auto every = static_cast<std::size_t>(params.every);
  for (const std::size_t trees : even_rounds(longest, kShownSteps)) {
    const bool is_point = trees == 1 || trees == longest || every == 1;
    const std::size_t point = is_point ? trees : (trees + every / 2) / every * every;
    if (study.shown_trees.empty() || point > study.shown_trees.back()) {
      study.shown_trees.push_back(point);
    }
  }
}

std::vector<MetricCurve> read_learning_curves(std::string_view text, const std::string& file,
                                              const std::string& name, const std::string& metric) {
  std::vector<MetricCurve> curves;
  std::vector<std::size_t> columns;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> cells = cells_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (++line == 1) {
      if (cells.front() != "round") {
        fail(ErrorKind::kInput,
             "{}: not a learning curve of one training: its first column is '{}', not 'round'",
             file, cells.front());
      }
      for (std::size_t c = 1; c < cells.size(); ++c) {
        if (!cells[c].ends_with(" " + metric)) continue;
        columns.push_back(c);
        const std::string_view set = cells[c].substr(0, cells[c].size() - metric.size() - 1);
        curves.push_back({.name = fmt::format("{} {}", name, set), .trees = {}, .values = {}});
      }
      if (curves.empty()) fail(ErrorKind::kInput, "{}: there is no column of {}", file, metric);
      continue;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c] >= cells.size()) fail(ErrorKind::kInput, "{}:{}: too few columns", file, line);
      curves[c].trees.push_back(number_of<std::size_t>(cells.front(), file, line));
      curves[c].values.push_back(number_of<double>(cells[columns[c]], file, line));
    }
  }
  if (curves.empty() || curves.front().trees.empty()) {
    fail(ErrorKind::kInput, "{}: the learning curve has no rounds", file);
  }
  return curves;
}

StudyTables study_tables(const CurveStudy& study) {
  Table data({{.name = "curve"}, {.name = "trees"}, {.name = study.metric}});
  std::vector<Column> columns = {{.name = "trees"}};
  std::vector<std::string> notes;
  for (const MetricCurve& curve : study.curves) {
    columns.push_back({.name = curve.name});
    for (std::size_t p = 0; p < curve.trees.size(); ++p) {
      data.add({cell(curve.name), cell(curve.trees[p]), cell(curve.values[p])});
    }
    notes.push_back(fmt::format("{}: best {} {:.4f} after {} trees, {:.4f} after all {}",
                                curve.name, study.metric, curve.best(), curve.best_trees(),
                                curve.values.back(), curve.trees.back()));
  }
  Table shown(std::move(columns));
  for (const std::size_t trees : study.shown_trees) {
    std::vector<Cell> cells = {cell(trees)};
    for (const MetricCurve& curve : study.curves) cells.push_back(cell(curve.at(trees)));
    shown.add(std::move(cells));
  }
  return {.data = std::move(data), .shown = std::move(shown), .notes = std::move(notes)};
}

}  // namespace glassrank
