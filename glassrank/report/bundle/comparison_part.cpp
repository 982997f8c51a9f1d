#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "glassrank/base/parallel.h"
#include "glassrank/evaluation/feature_scores.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/bundle/parts.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {
namespace {

// Rows that single features are tried on: enough to choose some.
constexpr std::size_t kTriedRows = 20'000;
constexpr std::size_t kCurvePoints = 60;
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRowsAtOnce = 512;

double mean_metric(const Dataset& data, std::span<const double> scores, const MetricSpec& metric,
                   const Context& context) {
  const std::vector<MetricSpec> metrics = {metric};
  return evaluate(DatasetLists(data, scores), metrics, Convention{}, context).metrics.front().mean;
}

// "name" or "-name", the best first.
std::vector<std::string> best_features(const BundleSetting& setting, const MetricSpec& metric,
                                       const Context& context) {
  const ShownQueries tried = choose_queries(setting.background, kTriedRows);
  struct Ranker {
    std::string name;
    double mean;
  };
  std::vector<Ranker> rankers;
  for (std::size_t f = 0; f < setting.names.size(); ++f) {
    if (setting.is_category[f]) continue;  // the order of its codes means nothing
    const std::string& name = tried.data.feature_names()[f];
    const double down = mean_metric(tried.data, feature_scores(tried.data, name), metric, context);
    const double up =
        mean_metric(tried.data, feature_scores(tried.data, "-" + name), metric, context);
    rankers.push_back({down >= up ? name : "-" + name, std::max(down, up)});
    context.check_stop();
  }
  std::ranges::stable_sort(rankers, std::greater<>(), &Ranker::mean);
  rankers.resize(std::min(rankers.size(), static_cast<std::size_t>(setting.params.baselines)));
  std::vector<std::string> names;
  for (Ranker& ranker : rankers) names.push_back(std::move(ranker.name));
  return names;
}

// "bm25 alone" and "price alone, smallest first".
std::string feature_label(const std::string& ranker) {
  return ranker.starts_with('-') ? fmt::format("{} alone, smallest first", ranker.substr(1))
                                 : fmt::format("{} alone", ranker);
}

BundleSeries staged(const Forest& forest, const Dataset& data, const std::string& name,
                    std::span<const std::size_t> rounds, const MetricSpec& metric,
                    const Context& context) {
  BundleSeries series{.name = name};
  std::vector<double> scores(data.num_rows(), forest.base_score());
  std::size_t done = 0;
  for (const std::size_t round : rounds) {
    parallel_for(context, data.num_rows(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = done; t < round; ++t) {
        const Tree& tree = forest.trees()[t];
        for (std::size_t row = begin; row < end; ++row) {
          scores[row] += tree.leaf_values[leaf_of(tree, data.row(row))];
        }
      }
    });
    done = round;
    series.values.push_back(mean_metric(data, scores, metric, context));
    context.check_stop();
  }
  return series;
}

}  // namespace

ComparedSystems compare_models(const BundleSetting& setting, const Context& context) {
  const std::vector<MetricSpec> metrics = parse_metrics(setting.params.metrics);
  const Dataset& data = setting.task.data;
  ComparedSystems result;
  std::vector<std::string> systems;
  std::vector<SystemValues> values;
  for (const MetricSpec& metric : metrics)
    values.push_back({.metric = to_text(metric), .values = {}});
  const auto add = [&](std::string name, std::string note, std::span<const double> scores) {
    Evaluation evaluation = evaluate(DatasetLists(data, scores), metrics, Convention{}, context);
    systems.push_back(std::move(name));
    result.notes.push_back(std::move(note));
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      values[m].values.push_back(std::move(evaluation.metrics[m].values));
    }
  };
  for (const ReportModel& model : setting.task.models) {
    add(model.name, std::string(kind_of(model.model)),
        score_all(*make_scorer(model.model), data, context));
  }
  for (const std::string& ranker : best_features(setting, metrics.front(), context)) {
    const bool is_trained = setting.task.train.num_rows() > 0;
    add(feature_label(ranker),
        fmt::format("one feature, among the best {}", is_trained ? "in the training data" : "here"),
        feature_scores(data, ranker));
  }
  for (std::size_t m = 0; m < setting.task.models.size(); ++m) {
    result.query_values.push_back(values.front().values[m]);
  }
  if (systems.size() < 2) {  // nothing to compare with: a ranking of the file's order
    add("order of the file", "documents as they come", std::vector<double>(data.num_rows(), 0.0));
  }
  CompareParams params{.permutations = 20'000, .resamples = 5'000};
  params.baseline = systems.front();
  result.comparison = compare_systems(systems, values, params, context);
  return result;
}

BundleCurve quality_by_trees(const Forest& forest, const BundleSetting& setting,
                             const Context& context) {
  const std::vector<std::size_t> rounds = even_rounds(forest.trees().size(), kCurvePoints);
  const MetricSpec metric = parse_metric(setting.params.metrics.front());
  BundleCurve curve{.is_recorded = false, .num_trees = rounds, .series = {}};
  const auto name = [&](const char* part) { return fmt::format("{} {}", part, to_text(metric)); };
  curve.series.push_back(staged(forest, setting.shown.data, name("data"), rounds, metric, context));
  if (setting.task.train.num_rows() > 0) {
    const auto budget = static_cast<std::size_t>(setting.params.documents);
    curve.series.push_back(staged(forest, choose_queries(setting.task.train, budget).data,
                                  name("training data"), rounds, metric, context));
  }
  return curve;
}

BundleCurve quality_by_rounds(const RecordedRun& run, const BundleSetting& setting) {
  const std::string metric = to_text(parse_metric(setting.params.metrics.front()));
  BundleCurve curve{.is_recorded = true, .num_trees = {}, .series = {}};
  const std::vector<RecordedSeries> recorded = recorded_series(run, metric);
  for (const RecordedSeries& series : recorded) {
    if (series.rounds.size() > curve.num_trees.size()) curve.num_trees = series.rounds;
  }
  for (const RecordedSeries& series : recorded) {
    BundleSeries shown{.name = series.name,
                       .values = std::vector<double>(curve.num_trees.size(), kNotKnown)};
    for (std::size_t i = 0; i < series.rounds.size(); ++i) {
      const auto place = std::ranges::lower_bound(curve.num_trees, series.rounds[i]);
      if (place == curve.num_trees.end() || *place != series.rounds[i]) continue;
      shown.values[static_cast<std::size_t>(place - curve.num_trees.begin())] = series.values[i];
    }
    curve.series.push_back(std::move(shown));
  }
  return curve;
}

}  // namespace glassrank
