#include "glassrank/methods/method.h"

#include <cmath>

#include "glassrank/base/error.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/registry.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

BoostingResult Method::train_base(const TrainTask& /*task*/, const BaseTask& /*base*/,
                                  const Context& /*context*/) const {
  fail(ErrorKind::kUsage, "{} does not show its rounds, so no cleaner can follow them", name());
}

NamedValues watched_values(const Model& model, const Dataset& data, const WatchParams& watch,
                           const Context& context) {
  const std::vector<MetricSpec> metrics = watched_metrics(watch);
  const std::vector<double> means =
      mean_values(*make_scorer(model), data, metrics, context, watch.convention());
  NamedValues values;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    values.emplace_back(to_text(metrics[m]), means[m]);
  }
  return values;
}

double valid_metric(const TrainResult& result, const Method& method, const TrainingData& data,
                    const Context& context) {
  if (!std::isnan(result.best_metric)) return result.best_metric;
  const MetricSpec metric = stop_metric(method.watch());
  return mean_values(*make_scorer(result.model), *data.valid(), std::span(&metric, 1), context,
                     method.watch().convention())
      .front();
}

void check_machines(const Method& method, const Context& context) {
  const std::string_view reason = method.traits().alone_because;
  if (context.communicator->is_alone() || reason.empty()) return;
  fail(ErrorKind::kUsage, "{} trains on one machine only: {}. Methods that train on several: {}",
       method.name(), reason,
       methods_with([](const MethodTraits& traits) { return traits.alone_because.empty(); }));
}

std::vector<ParamInfo> list_params(const Method& method) {
  ParamLister lister;
  method.clone()->visit(lister);
  return std::move(lister.infos);
}

}  // namespace glassrank
