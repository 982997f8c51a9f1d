#include "glassrank/studies/interaction_study.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/ilmart/ilmart.h"
#include "glassrank/models/forest/forest_scorer.h"

namespace glassrank {
namespace {

std::vector<std::size_t> checked_counts(std::span<const double> counts) {
  if (counts.empty()) fail(ErrorKind::kUsage, "counts: at least one is needed");
  std::vector<std::size_t> whole;
  for (const double count : counts) {
    if (count != std::floor(count) ||
        (!whole.empty() && count <= static_cast<double>(whole.back()))) {
      fail(ErrorKind::kUsage, "counts: {} is not a whole number larger than the one before", count);
    }
    whole.push_back(static_cast<std::size_t>(count));
  }
  return whole;
}

// Larger counts become `most`, once: the largest model there is ends the curve.
std::vector<std::size_t> cut_to(std::vector<std::size_t> counts, std::size_t most) {
  for (std::size_t& count : counts) count = std::min(count, most);
  counts.erase(std::ranges::unique(counts).begin(), counts.end());
  return counts;
}

}  // namespace

void InteractionStudyParams::visit(ParamVisitor& visitor) {
  visitor.field(
      "counts", counts,
      "numbers of interactions to try, ascending; by default up to the number of pairs in the data",
      kNotNegative, ParamStyle{.value_name = "K,K,..."});
}

InteractionStudy study_interactions(const Dataset& train, const Dataset& valid, const Dataset& test,
                                    IlmartParams params, const InteractionStudyParams& study,
                                    const Context& context) {
  check_params(study);
  stop_metric(params.trees.watch);  // throws for metrics that are none
  if (params.is_bagged()) {
    fail(ErrorKind::kUsage, "this study trains no bags; leave bags and stop_on out");
  }
  std::vector<std::size_t> counts = checked_counts(study.counts.value);
  if (!study.counts.is_given) {
    counts = cut_to(std::move(counts), possible_pairs(train.num_features()));
  }
  params.num_interactions = static_cast<int>(counts.back());
  check_ilmart(params, train.num_features(), train.num_queries());
  const LambdamartData data = prepare_lambdamart(train, &valid, params.trees, context);
  InteractionStudy result{.metric = params.trees.watch.metric.front()};
  const std::vector<MetricSpec> metric = {parse_metric(result.metric)};
  const auto mean_on = [&](const Dataset& rows, const Forest& forest) {
    return mean_values(ForestScorer(forest), rows, metric, context, params.trees.watch.convention())
        .front();
  };

  const LambdamartResult black_box = train_lambdamart(data, params.trees, {}, context);
  context.check_stop();
  result.black_box_valid = mean_on(valid, black_box.forest);
  result.black_box_test = mean_on(test, black_box.forest);

  const IlmartResult widest = train_ilmart(data, params, {}, context);
  context.check_stop();
  const IlmartSteps& steps = widest.steps;
  result.num_main_effects = features_of(steps.main_effects.trees()).size();
  IlmartParams main_only = params;
  main_only.num_interactions = 0;
  const IlmartResult main =
      train_ilmart(data, main_only, {.main = {.resumed = steps.all_main_trees}}, context);
  for (const std::size_t count : cut_to(counts, steps.selected.size())) {
    const std::vector<RankedFeaturePair> pairs(
        steps.selected.begin(), steps.selected.begin() + static_cast<std::ptrdiff_t>(count));
    const IlmartResult model = train_interactions(data, main, pairs, params, {}, context);
    context.check_stop();
    InteractionPoint point{.num_pairs = count,
                           .num_used = model.steps.used.size(),
                           .num_trees = model.forest.trees().size(),
                           .valid = mean_on(valid, model.forest),
                           .test = mean_on(test, model.forest)};
    if (count > 0) {
      point.added = fmt::format("{} x {}", train.feature_names()[pairs.back().first],
                                train.feature_names()[pairs.back().second]);
    }
    context.info(
        fmt::format("{} pairs: {} {:.4f} on the test data", count, result.metric, point.test));
    result.points.push_back(std::move(point));
  }
  return result;
}

}  // namespace glassrank
