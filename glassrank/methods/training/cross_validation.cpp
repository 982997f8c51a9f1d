#include "glassrank/methods/training/cross_validation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "glassrank/data/split.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/models/forest/forest_scorer.h"

namespace glassrank {
namespace {

std::vector<double> means_on(const Dataset& data, const Forest& forest,
                             std::span<const MetricSpec> metrics, const Context& context) {
  return mean_values(ForestScorer(forest), data, metrics, context);
}

FoldResult run_fold(const Dataset& data, const Fold& fold, const LambdamartParams& params,
                    const Context& context) {
  const std::vector<MetricSpec> metrics = parse_metrics(params.metric);
  const Dataset train = select_queries(data, fold.train).materialise();
  const Dataset valid = select_queries(data, fold.valid).materialise();
  const LambdamartResult result = train_cleaned(train, &valid, params, context).result;
  context.check_stop();
  return {.num_trees = result.best_round,
          .num_main_trees = result.ilmart ? result.ilmart->main_trees : 0,
          .num_rounds = result.num_rounds,
          .valid = means_on(valid, result.forest, metrics, context),
          .test = means_on(select_queries(data, fold.test).materialise(), result.forest, metrics,
                           context)};
}

}  // namespace

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

std::size_t mean_trees(std::span<const std::size_t> counts) {
  double sum = 0;
  for (const std::size_t count : counts) sum += static_cast<double>(count);
  return static_cast<std::size_t>(
      std::max(1.0, std::round(sum / static_cast<double>(counts.size()))));
}

LambdamartParams with_trees(LambdamartParams params, std::size_t num_trees,
                            std::size_t num_main_trees) {
  if (params.ilmart && params.ilmart->stop_on == StopOn::kBag) return params;
  params.boosting.num_trees = static_cast<int>(num_trees);
  if (!params.ilmart) return params;
  params.boosting.num_trees = static_cast<int>(num_main_trees);
  params.ilmart->interaction_trees = static_cast<int>(num_trees - num_main_trees);
  if (num_trees == num_main_trees) params.ilmart->num_interactions = 0;
  return params;
}

CrossValidation cross_validate(const Dataset& data, const LambdamartParams& params, int num_folds,
                               const Context& context) {
  CrossValidation result;
  for (const MetricSpec& metric : parse_metrics(params.metric)) {
    result.metrics.push_back(to_text(metric));
  }
  LambdamartParams fold_params = params;
  fold_params.train_metric = false;
  Context inner = context;
  inner.progress_sink = nullptr;
  const std::vector<Fold> folds = fold_queries(data.num_queries(), num_folds, context.seed);
  Progress progress(context, "cross-validation", "folds", folds.size());
  for (const Fold& fold : folds) {
    result.folds.push_back(run_fold(data, fold, fold_params, inner));
    progress.add(1);
    progress.report(
        fmt::format("test {} {:.5f}", result.metrics.front(), result.folds.back().test.front()));
  }
  for (std::size_t m = 0; m < result.metrics.size(); ++m) {
    std::vector<double> valid;
    std::vector<double> test;
    for (const FoldResult& fold : result.folds) {
      valid.push_back(fold.valid[m]);
      test.push_back(fold.test[m]);
    }
    result.valid.push_back(spread_of(valid));
    result.test.push_back(spread_of(test));
  }
  std::vector<std::size_t> counts;
  std::vector<std::size_t> mains;
  for (const FoldResult& fold : result.folds) {
    counts.push_back(fold.num_trees);
    mains.push_back(fold.num_main_trees);
  }
  result.num_trees = mean_trees(counts);
  if (params.ilmart) result.num_main_trees = std::min(mean_trees(mains), result.num_trees);
  return result;
}

}  // namespace glassrank
