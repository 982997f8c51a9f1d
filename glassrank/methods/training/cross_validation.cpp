#include "glassrank/methods/training/cross_validation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "glassrank/data/split.h"

namespace glassrank {
namespace {

FoldResult run_fold(const Dataset& data, const Fold& fold, const Method& method,
                    const Context& context) {
  const WatchParams& watch = method.watch();
  const TrainingData parts(select_queries(data, fold.train).materialise(),
                           select_queries(data, fold.valid).materialise());
  const TrainResult result = method.train({.data = parts}, context);
  context.check_stop_anywhere();
  return {.length = result.length,
          .num_rounds = result.report.num_rounds,
          .valid = watched_values(result.model, *parts.valid(), watch, context),
          .test = watched_values(result.model, select_queries(data, fold.test).materialise(), watch,
                                 context)};
}

MetricSpreads spreads_of(std::span<const FoldResult> folds, NamedValues FoldResult::* set) {
  MetricSpreads spreads;
  const NamedValues& first = folds.front().*set;
  for (std::size_t m = 0; m < first.size(); ++m) {
    std::vector<double> values;
    for (const FoldResult& fold : folds) values.push_back((fold.*set)[m].second);
    spreads.metrics.push_back({.metric = first[m].first, .spread = spread_of(values)});
  }
  return spreads;
}

}  // namespace

void FoldResult::visit(ResultVisitor& visitor) const {
  for (const auto& [part, count] : length) {
    visitor.field(fmt::format("num_{}", part), count, "how long the model of the fold is");
  }
  visitor.field("num_rounds", num_rounds, "rounds trained, kept or not");
  visitor.values("valid", valid, "metrics on the part that stops training");
  visitor.values("test", test, "metrics on the part the fold has never seen");
}

void Spread::visit(ResultVisitor& visitor) const {
  visitor.field("mean", mean, "mean over folds");
  visitor.field("sd", deviation, "standard deviation over folds");
}

void MetricSpreads::visit(ResultVisitor& visitor) const {
  for (const MetricSpread& own : metrics) visitor.object(own.metric, own.spread, "one metric");
}

void CrossValidation::visit(ResultVisitor& visitor) const {
  visitor.list("folds", folds, "one training each");
  visitor.object("valid", valid, "by metric: mean and sd on the parts that stop training");
  visitor.object("test", test, "by metric: mean and sd on the parts never seen");
  for (const auto& [part, count] : length) {
    visitor.field(fmt::format("num_{}", part), count, "how long to train on all data");
  }
}

Spread spread_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.mean = mean,
          .deviation = values.size() < 2 ? std::numeric_limits<double>::quiet_NaN()
                                         : std::sqrt(squares / (n - 1))};
}

TrainingLength mean_length(std::span<const TrainingLength> lengths) {
  TrainingLength mean = lengths.front();
  for (std::size_t part = 0; part < mean.size(); ++part) {
    double sum = 0;
    for (const TrainingLength& length : lengths) sum += static_cast<double>(length[part].second);
    const double rounded = std::round(sum / static_cast<double>(lengths.size()));
    mean[part].second =
        std::min(static_cast<std::size_t>(std::max(1.0, rounded)),
                 part == 0 ? std::numeric_limits<std::size_t>::max() : mean[0].second);
  }
  return mean;
}

std::string length_text(const TrainingLength& length) {
  if (length.empty()) return "as long as it stops by itself";
  std::string text = fmt::format("{} {}", length[0].second, length[0].first);
  for (std::size_t part = 1; part < length.size(); ++part) {
    text += fmt::format(", {} of them {}", length[part].second, length[part].first);
  }
  return text;
}

CrossValidation cross_validate(const Dataset& data, const Method& method, int num_folds,
                               const Context& context) {
  CrossValidation result;
  const std::unique_ptr<Method> quiet = method.clone();
  quiet->watch().train_metric = false;
  Context inner = context;
  inner.progress_sink = nullptr;
  const std::vector<Fold> folds = fold_queries(data.queries(), num_folds, context);
  Progress progress(context, "cross-validation", "folds", folds.size());
  std::vector<TrainingLength> lengths;
  for (const Fold& fold : folds) {
    result.folds.push_back(run_fold(data, fold, *quiet, inner));
    lengths.push_back(result.folds.back().length);
    const auto& [metric, value] = result.folds.back().test.front();
    progress.add(1);
    progress.report(fmt::format("test {} {:.5f}", metric, value));
  }
  result.valid = spreads_of(result.folds, &FoldResult::valid);
  result.test = spreads_of(result.folds, &FoldResult::test);
  result.length = mean_length(lengths);
  return result;
}

}  // namespace glassrank
