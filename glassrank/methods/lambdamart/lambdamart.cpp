#include "glassrank/methods/lambdamart/lambdamart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/shard.h"
#include "glassrank/methods/lambdamart/feature_rules.h"
#include "glassrank/methods/training/round_metrics.h"
#include "glassrank/methods/training/same_features.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {
namespace {

// Shows every new round to the caller.
class RoundCallback final : public RoundObserver {
 public:
  RoundCallback(const WatchParams& watch, std::vector<std::string> names, std::string training,
                std::size_t num_given)
      : watch_(watch),
        names_(std::move(names)),
        training_(std::move(training)),
        num_given_(num_given) {}
  bool after_round(const RoundEvent& event) override {
    if (event.replayed) return true;
    return watch_.goes_on({.training = training_,
                           .round = event.round + 1 - num_given_,
                           .names = names_,
                           .metrics = event.metrics});
  }

 private:
  const WatchParams& watch_;
  std::vector<std::string> names_;
  std::string training_;
  std::size_t num_given_;
};

// What watches one run. The booster keeps pointers to the members.
struct Watchers {
  LearningCurve curve;
  std::optional<EarlyStopping> stopping;
  std::optional<Checkpoint> checkpoint;
  std::unique_ptr<RoundObserver> report;
  std::optional<RoundCallback> callback;

  std::vector<RoundObserver*> all() {
    std::vector<RoundObserver*> observers = {&curve};
    if (stopping) observers.push_back(&*stopping);
    if (report) observers.push_back(report.get());
    if (checkpoint) observers.push_back(&*checkpoint);
    if (callback) observers.push_back(&*callback);
    return observers;
  }
};

void watch_stopping(Watchers& watchers, const LambdamartParams& params, const std::string& metric,
                    std::span<const std::string> names) {
  if (params.patience == 0) return;
  const auto column = std::ranges::find(names, metric);
  if (column == names.end()) return;  // no validation set
  watchers.stopping.emplace(
      EarlyStopping::Rule{.metric = static_cast<std::size_t>(column - names.begin()),
                          .patience = static_cast<std::size_t>(params.patience),
                          .min_delta = params.min_delta});
}

Forest forest_of(const RoundEvent& event, const BoostingTask& task) {
  const auto names = task.train.feature_names();
  return Forest({.trees = {event.trees.begin(), event.trees.end()},
                 .num_features = task.train.num_features(),
                 .feature_names = {names.begin(), names.end()},
                 .base_score = event.base_score,
                 .objective = task.objective_name,
                 .categories = task.train.table().schema.category_names()});
}

void watch_run(Watchers& watchers, const BoostingTask& task, const LambdamartRun& run,
               const LambdamartParams& params, const Context& context) {
  std::vector<std::string> names;
  for (const RoundMetric& metric : task.metrics) names.push_back(metric.name);
  const std::size_t num_given = run.warm_start ? run.warm_start->trees().size() : 0;
  if (run.log_every > 0) {
    const RoundLog::Setup setup{.every = run.log_every,
                                .num_given = num_given,
                                .is_sampled = task.sampler != nullptr,
                                .name = run.name};
    watchers.report = std::make_unique<RoundLog>(context, setup, names);
  } else {
    const RoundProgress::Setup setup{
        .num_rounds = static_cast<std::size_t>(params.boosting.num_trees),
        .num_given = num_given,
        .name = run.name};
    watchers.report = std::make_unique<RoundProgress>(
        context, setup, names, watchers.stopping ? &*watchers.stopping : nullptr);
  }
  if (params.watch.after_round) watchers.callback.emplace(params.watch, names, run.name, num_given);
  if (run.checkpoint_every > 0) {
    watchers.checkpoint.emplace(run.checkpoint_every, [&task, &run](const RoundEvent& event) {
      run.save_checkpoint(forest_of(event, task));
    });
  }
}

void add_metrics(BoostingTask& task, const LambdamartParams& params,
                 const std::string& valid_name) {
  const std::vector<MetricSpec> specs = watched_metrics(params.watch);
  if (params.watch.train_metric)
    task.metrics = round_metrics("train", 0, specs, params.watch.convention());
  if (task.valid.empty()) return;
  for (RoundMetric& metric : round_metrics(valid_name, 1, specs, params.watch.convention())) {
    task.metrics.push_back(std::move(metric));
  }
}

LambdamartResult result_of(BoostingResult boosted, const Watchers& watchers,
                           const BoostingTask& task, const std::string& stopping,
                           std::size_t num_given) {
  LambdamartResult result{.forest = std::move(boosted.forest),
                          .all_trees = std::move(boosted.all_trees),
                          .end = boosted.end,
                          .num_rounds = boosted.num_rounds - num_given,
                          .curve = {watchers.curve.rounds().begin(), watchers.curve.rounds().end()},
                          .costs = {watchers.curve.costs().begin(), watchers.curve.costs().end()}};
  result.best_round = result.forest.trees().size() - num_given;
  result.best_metric = std::numeric_limits<double>::quiet_NaN();
  for (const RoundMetric& metric : task.metrics) result.curve_names.push_back(metric.name);
  const auto column = std::ranges::find(result.curve_names, stopping);
  if (column != result.curve_names.end() && result.best_round > 0) {
    const auto at = static_cast<std::size_t>(column - result.curve_names.begin());
    result.best_metric = result.curve[result.best_round - 1][at];
  }
  return result;
}

void check_before_bins(const TrainingData& train, const LambdamartParams& params,
                       const Context& context) {
  if (shard_of(train.queries(), *context.communicator).num_rows == 0)
    fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  if (train.valid() != nullptr) {
    check_same_features(train.feature_names(), train.valid()->feature_names());
  }
  // Before binning, which takes longer than to say what is wrong.
  parse_interactions(params.interactions, train.feature_names());
  check_directions(parse_monotone(params.monotone, train.feature_names()), train.table().schema);
}

LambdamartData in_bins(BinnedDataset train, const Dataset* valid, const LambdamartParams& params,
                       const Context& context) {
  LambdamartData data{.train = std::move(train),
                      .valid = std::nullopt,
                      .monotone = {},
                      .interactions = std::nullopt};
  const auto names = data.train.feature_names();
  data.monotone = parse_monotone(params.monotone, names);
  if (!params.interactions.empty()) {
    data.interactions.emplace(parse_interactions(params.interactions, names), names.size());
  }
  if (valid != nullptr) data.valid = bin_with(*valid, data.train.shared_edges(), context);
  return data;
}

}  // namespace

void settle_rounds(LambdamartParams& params, bool has_held_out) {
  if (params.boosting.num_trees.is_given || !has_held_out || params.patience == 0) return;
  params.boosting.num_trees.value = kStoppedTrees;
}

void LambdamartParams::visit(ParamVisitor& visitor) {
  boosting.visit(visitor);
  objective.visit(visitor);
  visit_rest(visitor);
}

void LambdamartParams::visit_without_objective(ParamVisitor& visitor) {
  boosting.visit(visitor);
  visit_rest(visitor);
}

void LambdamartParams::visit_rest(ParamVisitor& visitor) {
  bins.visit(visitor);
  visitor.section("training");
  visitor.group("sample", sample);
  visitor.section("model");
  visitor.field("monotone", monotone,
                "monotone features: with +FEATURE the score never falls as the feature rises, with "
                "-FEATURE it never rises",
                {.value_name = "+FEATURE,-FEATURE"});
  visitor.section("advanced");
  visitor.field(
      "interactions", interactions,
      "sets of features that may appear together on a branch; a feature in no set is not used",
      {.value_name = "[F,F],[F,F]"});
  watch.visit(visitor);
  visitor.section("training");
  visitor.field("patience", patience,
                "stop after this many rounds without a better validation metric and keep the trees "
                "up to the best round; 0 never stops and keeps every tree",
                kNotNegative);
  visitor.section("advanced");
  visitor.field("min_delta", min_delta,
                "a round counts as better only if the metric rises by more than this",
                kNotNegative);
}

LambdamartData prepare_lambdamart(const Dataset& train, const Dataset* valid,
                                  const LambdamartParams& params, const Context& context,
                                  const Forest* warm_start) {
  TrainingData data(train, valid == nullptr ? std::nullopt : std::optional(*valid));
  return prepare_lambdamart(data, params, context, warm_start);
}

LambdamartData prepare_lambdamart(const TrainingData& data, const LambdamartParams& params,
                                  const Context& context, const Forest* warm_start) {
  check_before_bins(data, params, context);
  return in_bins(data.bins(params.bins, warm_start, context), data.valid(), params, context);
}

LambdamartResult train_lambdamart(const LambdamartData& data, const LambdamartParams& params,
                                  const LambdamartRun& run, const Context& context) {
  const std::unique_ptr<Objective> own_objective =
      make_objective(objective_of(params.objective, params.watch), context.seed);
  const std::unique_ptr<Sampler> own_sampler = make_sampler(params.sample);
  BoostingTask task{.train = data.train,
                    .objective = run.objective != nullptr ? run.objective : own_objective.get(),
                    .objective_name = params.objective.objective,
                    .sampler = run.sampler != nullptr ? run.sampler : own_sampler.get(),
                    .constraint = run.constraint,
                    .monotone = data.monotone};
  if (task.constraint == nullptr && data.interactions) task.constraint = &*data.interactions;
  if (data.valid) task.valid.push_back(*data.valid);
  add_metrics(task, params, data.valid_name);

  const std::size_t num_given = run.warm_start ? run.warm_start->trees().size() : 0;
  task.start = run.resumed ? run.resumed : run.warm_start;
  if (run.resumed) task.replay_from = num_given;
  BoosterParams boosting = params.boosting;
  boosting.num_trees.value += static_cast<int>(num_given);

  std::vector<std::string> names;
  for (const RoundMetric& metric : task.metrics) names.push_back(metric.name);
  Watchers watchers;
  const std::string stopping = stopping_name(params.watch, data.valid_name);
  watch_stopping(watchers, params, stopping, names);
  const auto progress = std::ranges::find(names, stopping);
  if (progress != names.end()) {
    task.progress_metric = static_cast<std::size_t>(progress - names.begin());
  }
  watch_run(watchers, task, run, params, context);
  task.observers = watchers.all();
  task.observers.insert(task.observers.end(), run.observers.begin(), run.observers.end());
  LambdamartResult result =
      result_of(boost(task, boosting, context), watchers, task, stopping, num_given);
  if (run.save_end) run.save_end(result);
  return result;
}

LambdamartResult train_lambdamart(const Dataset& train, const Dataset* valid,
                                  const LambdamartParams& params, const Context& context) {
  return train_lambdamart(prepare_lambdamart(train, valid, params, context), params, {}, context);
}

}  // namespace glassrank
