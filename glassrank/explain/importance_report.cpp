#include "glassrank/explain/importance_report.h"

#include <algorithm>

namespace glassrank {

void PermutationReport::visit(ResultVisitor& visitor) const {
  const bool is_all = params.permute == PermuteOver::kAll;
  visitor.field("metric", params.metric, "what the drop is measured by");
  visitor.field("value", value, "of the metric with nothing permuted");
  visitor.field("num_queries", num_queries, "queries that count");
  visitor.field("num_skipped", num_skipped, "queries without a value");
  visitor.field("permute", is_all ? "all" : "query", "over which documents");
  visitor.field("repeats", params.repeats, "number of permutations of each feature");
  visitor.field("resamples", params.resamples, "number of bootstrap resamples over queries");
  visitor.field("level", params.level, "level of the intervals");
}

void FeatureImportance::visit(ResultVisitor& visitor) const {
  std::optional<double> mean, low, high, spread;
  if (drop) {
    mean = drop->mean;
    low = drop->interval.low;
    high = drop->interval.high;
    spread = drop->spread;
  }
  visitor.field("index", index, "of the feature in the model, from 0");
  visitor.field("feature", feature, "its name");
  visitor.field("splits", splits, "how often the model splits on it");
  visitor.field("gain", gain, "sum of the gains of those splits");
  visitor.field("drop", mean, "of the metric when the feature is permuted");
  visitor.field("low", low, "low end of the drop's interval");
  visitor.field("high", high, "high end");
  visitor.field("spread", spread, "of the drop over repeats");
}

void ImportanceReport::visit(ResultVisitor& visitor) const {
  visitor.object("permutation", permutation, "how drops were measured");
  visitor.list("importance", importance, "one entry a feature, the most important first");
}

ImportanceReport importance_report(const Importance& importance, std::size_t top) {
  ImportanceReport report;
  if (importance.permutation) {
    const PermutationResult& result = *importance.permutation;
    report.permutation = PermutationReport{.params = result.params,
                                           .value = result.value,
                                           .num_queries = result.num_queries,
                                           .num_skipped = result.num_skipped};
  }
  std::vector<std::size_t> features = importance.order();
  if (top > 0) features.resize(std::min(top, features.size()));
  for (const std::size_t f : features) {
    FeatureImportance each{.index = f, .feature = importance.names[f]};
    if (importance.splits) each.splits = (*importance.splits)[f];
    if (importance.gain) each.gain = (*importance.gain)[f];
    if (importance.permutation) each.drop = importance.permutation->features[f];
    report.importance.push_back(std::move(each));
  }
  return report;
}

}  // namespace glassrank
