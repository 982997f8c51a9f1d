#include "glassrank/methods/training/values_on.h"

#include <utility>
#include <vector>

#include "glassrank/metrics/metric.h"
#include "glassrank/models/forest/forest_scorer.h"

namespace glassrank {

MetricValues values_on(const Dataset& data, const Forest& forest, const std::string& metric,
                       const Context& context) {
  const std::vector<MetricSpec> specs = {parse_metric(metric)};
  std::vector<double> scores(data.num_rows());
  ForestScorer(forest).score(data.features(), scores, context);
  Evaluation evaluation = evaluate(DatasetLists(data, scores), specs, Convention{}, context);
  return std::move(evaluation.metrics.front());
}

}  // namespace glassrank
