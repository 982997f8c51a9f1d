#include "glassrank/evaluation/evaluate_model.h"

#include <utility>

namespace glassrank {

Evaluation evaluate_model(const Scorer& scorer, const Dataset& data,
                          std::span<const MetricSpec> metrics, const Convention& convention,
                          const Context& context) {
  const std::vector<double> scores = score_all(scorer, data, context);
  return evaluate(DatasetLists(data, scores), metrics, convention, context);
}

Evaluation evaluate_model(const Scorer& scorer, const Dataset& data,
                          std::span<const MetricSpec> metrics, const Context& context) {
  return evaluate_model(scorer, data, metrics, Convention{}, context);
}

std::vector<double> query_values(const Scorer& scorer, const Dataset& data,
                                 const MetricSpec& metric, const Context& context,
                                 const Convention& convention) {
  Evaluation evaluation = evaluate_model(scorer, data, std::span(&metric, 1), convention, context);
  return std::move(evaluation.metrics.front().values);
}

std::vector<double> mean_values(const Scorer& scorer, const Dataset& data,
                                std::span<const MetricSpec> metrics, const Context& context,
                                const Convention& convention) {
  std::vector<double> means;
  for (const MetricValues& metric :
       evaluate_model(scorer, data, metrics, convention, context).metrics) {
    means.push_back(metric.mean);
  }
  return means;
}

}  // namespace glassrank
