#include "glassrank/methods/lambdamart/boosted_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/counted.h"
#include "glassrank/base/error.h"

namespace glassrank {
namespace {

bool samples_negatives(SampleMethod method) {
  return method == SampleMethod::kSelective || method == SampleMethod::kHighLow ||
         method == SampleMethod::kRandomNegatives;
}

// "stopped early after 120 rounds".
std::string end_text(const LambdamartResult& result) {
  const std::string rounds = counted(result.num_rounds, "round");
  switch (result.end) {
    case BoostingEnd::kStoppedByObserver:
      return "stopped early after " + rounds;
    case BoostingEnd::kNoSplitLeft:
      return "no split left after " + rounds;
    case BoostingEnd::kInterrupted:
      return "stopped after " + rounds;
    case BoostingEnd::kAllRounds:
      break;
  }
  return rounds;
}

// "valid ndcg@10" -> the values of the set "valid".
NamedValues values_of(const LambdamartResult& result, std::string_view set) {
  NamedValues values;
  if (result.best_round == 0) return values;
  const std::string prefix = fmt::format("{} ", set);
  for (std::size_t m = 0; m < result.curve_names.size(); ++m) {
    const std::string& name = result.curve_names[m];
    if (!name.starts_with(prefix)) continue;
    values.emplace_back(name.substr(prefix.size()), result.curve[result.best_round - 1][m]);
  }
  return values;
}

}  // namespace

LambdamartData boosted_data(const TrainTask& task, const LambdamartParams& params,
                            const Context& context) {
  return prepare_lambdamart(task.data, params, context, task.start);
}

LambdamartRun phase_run(const TrainTask& task, const TrainingPhase& phase) {
  LambdamartRun run{.name = task.name, .log_every = task.log_every};
  if (task.start != nullptr) run.warm_start = *task.start;
  Checkpoints* checkpoints = task.checkpoints;
  if (checkpoints == nullptr) return run;
  run.resumed = load_trees(checkpoints, phase);
  run.checkpoint_every = checkpoints->every();
  run.save_checkpoint = [checkpoints, phase](const Forest& all_trees) {
    checkpoints->save(phase, all_trees);
  };
  run.save_end = [checkpoints, phase](const LambdamartResult& result) {
    const bool is_interrupted = result.end == BoostingEnd::kInterrupted;
    if (is_interrupted && result.num_rounds == 0) return;  // nothing to go on from
    checkpoints->save_end(phase, result.all_trees, is_interrupted);
  };
  return run;
}

TrainResult boosted_result(const LambdamartResult& result, const LambdamartParams& params,
                           const TrainTask& task) {
  TrainResult trained;
  trained.model.body = result.forest;
  trained.best_metric = result.best_metric;
  trained.is_interrupted = result.end == BoostingEnd::kInterrupted;
  trained.may_go_on = result.end == BoostingEnd::kAllRounds;
  trained.length = {{"trees", result.best_round}};
  trained.curve = {.names = result.curve_names, .rounds = result.curve, .costs = result.costs};
  TrainReport& report = trained.report;
  report.outcome = end_text(result);
  report.kept = counted(result.forest.trees().size(), "tree");
  report.num_trees = result.forest.trees().size();
  report.num_rounds = result.num_rounds;
  report.best_round = result.best_round;
  report.is_round_chosen = task.data.valid() != nullptr && params.patience > 0;
  report.stop_metric = stopping_name(params.watch);
  report.is_sampled = params.sample.method != SampleMethod::kNone;
  if (const MeanCost cost = mean_cost(result.costs); cost.num_rounds > 0) {
    report.row_share = cost.row_share;
    report.ms_per_tree = 1e3 * cost.seconds;
  }
  report.train = values_of(result, "train");
  report.valid = values_of(result, "valid");
  return trained;
}

void say_what_stops(const LambdamartParams& params, const TrainTask& task, const Context& context) {
  if (params.patience == 0 || task.data.valid() == nullptr || !task.name.empty()) return;
  context.info(patience_text(stopping_name(params.watch), params.patience));
}

void warn_of_few_rows(const LambdamartResult& result, const LambdamartParams& params,
                      const TrainTask& task, const Context& context) {
  constexpr double kRowsOfALeaf = 50;
  if (!samples_negatives(params.sample.method) || !task.name.empty()) return;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const RoundCost& cost : result.costs) {
    if (cost.rows > 0) fewest = std::min(fewest, cost.rows);
  }
  if (static_cast<double>(fewest) >= kRowsOfALeaf * params.boosting.num_leaves) return;
  context.warn(fmt::format(
      "the sampler leaves a tree {} rows for {} leaves; with fewer than {} rows a leaf "
      "samplers of negatives often rank worse than all rows: use smaller trees, keep more rows, or "
      "compare with no sampler",
      fewest, params.boosting.num_leaves, kRowsOfALeaf));
}

void warn_without_splits(const LambdamartResult& result, const Context& context) {
  const auto has_split = [](const Tree& tree) { return tree.leaf_values.size() > 1; };
  if (std::ranges::any_of(result.forest.trees(), has_split)) return;
  context.warn("no tree could be grown: every document gets the same score");
}

void check_boosted(const LambdamartParams& params, const TrainSetting& setting) {
  stop_metric(params.watch);
  make_sampler(params.sample);
  make_objective(objective_of(params.objective, params.watch), 0);
  if (params.sample.adaptive != AdaptiveStrategy::kNone && !setting.has_valid &&
      !params.watch.train_metric) {
    fail(ErrorKind::kUsage, "sample.adaptive needs --valid, or train_metric to watch");
  }
}

}  // namespace glassrank
