#include "glassrank/methods/ilmart/ilmart_bags.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/boosting/tree/binned_tree.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/methods/training/round_metrics.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/models/forest/forest_bags.h"

namespace glassrank {
namespace {

struct Bag {
  IlmartResult result;
  IlmartBag report;
};

bool is_cut_short(const Bag& bag) { return bag.result.end == BoostingEnd::kInterrupted; }

// What one bag works on. Made anew for each step: a copy of the data a bag would be too many.
struct BagTask {
  std::vector<std::uint32_t> rows;
  LambdamartData data;
  Context context;
  std::size_t num_rows = 0;  // on all machines
  std::size_t num_held_out = 0;
};

std::size_t rows_everywhere(std::span<const std::uint32_t> rows, const Context& context) {
  std::uint64_t count = rows.size();
  context.communicator->sum({&count, 1});
  return count;
}

BagTask task_of(const LambdamartData& data, const BagParams& bagging, std::size_t bag,
                const Context& context) {
  const Context finishing = context.finishing();  // what is cut short here would be no bag at all
  const Shard shard = shard_of(data.train.queries(), *context.communicator);
  BagSplitRows split =
      split_bag(data.train.queries(), shard, {.share = bagging.valid_share}, context.seed, bag);
  BagTask task{.rows = {},
               .data = data,
               .context = context,
               .num_rows = rows_everywhere(split.train, context),
               .num_held_out = rows_everywhere(split.held_out, context)};
  task.rows = std::move(split.train);
  task.data.train = select_rows(data.train, task.rows, finishing);
  if (bagging.stop_on == StopOn::kBag) {
    task.data.valid = select_rows(data.train, split.held_out, finishing);
    task.data.valid_name = "held-out";
  }
  task.context.seed = CounterRandom(context.seed, "ilmart bag", bag).bits(0);
  return task;
}

std::vector<Forest> forests_of(std::span<const Bag> bags) {
  std::vector<Forest> forests;
  for (const Bag& bag : bags) forests.push_back(bag.result.forest);
  return forests;
}

std::vector<Bag> train_main_effects(const LambdamartData& data, const IlmartParams& params,
                                    const IlmartRun& all, const Context& context) {
  const TreeFeatureSets constraint = one_feature_a_tree(data.train.num_features());
  const auto num_bags = static_cast<std::size_t>(params.bagging.bags);
  std::vector<Bag> bags;
  for (std::size_t b = 0; b < num_bags && (b == 0 || !context.is_stopped_anywhere()); ++b) {
    const BagTask task = task_of(data, params.bagging, b, context);
    LambdamartRun run = all.of_bag ? all.of_bag(b, {}) : all.main;
    run.constraint = &constraint;
    run.name = fmt::format("bag {} of {}, main effects", b + 1, num_bags);
    Bag bag{.result = with_steps(train_in_stages(task.data, stages_within(all.stages, task.rows),
                                                 params.trees, run, task.context)),
            .report = {.num_rows = task.num_rows, .num_held_out_rows = task.num_held_out}};
    const bool is_empty = is_cut_short(bag) && bag.result.num_rounds == 0;
    if (!is_empty || b == 0) bags.push_back(std::move(bag));
  }
  return bags;
}

// Returns how many bags have interactions, or were found to need none.
std::size_t add_interactions_to(std::vector<Bag>& bags, const LambdamartData& data,
                                const std::vector<RankedFeaturePair>& pairs,
                                const IlmartParams& params, const IlmartRun& all,
                                const Context& context) {
  for (std::size_t b = 0; b < bags.size(); ++b) {
    if (context.is_stopped_anywhere()) return b;
    const BagTask task = task_of(data, params.bagging, b, context);
    LambdamartRun run = all.of_bag ? all.of_bag(b, pairs) : all.main;
    run.name = fmt::format("bag {} of {}, interactions", b + 1, bags.size());
    bags[b].result =
        train_interactions(task.data, bags[b].result, pairs, params, run, task.context);
    if (is_cut_short(bags[b])) return b + (bags[b].result.steps.interaction_rounds > 0 ? 1 : 0);
  }
  return bags.size();
}

// Of the mean model, on all training rows and on the validation data.
std::vector<std::pair<std::string, double>> metrics_of(const Forest& forest,
                                                       const LambdamartData& data,
                                                       const IlmartParams& params,
                                                       const Context& context) {
  std::vector<std::pair<std::string, double>> values;
  const std::vector<MetricSpec> specs = watched_metrics(params.trees.watch);
  const auto add = [&](const std::string& name, const BinnedDataset& rows) {
    const std::vector<double> scores = forest_scores(forest, rows, context);
    for (const RoundMetric& metric :
         round_metrics(name, 0, specs, params.trees.watch.convention())) {
      values.emplace_back(metric.name, metric.function(rows, scores, context));
    }
  };
  if (params.trees.watch.train_metric) add("train", data.train);
  if (data.valid) add("valid", *data.valid);
  return values;
}

BoostingEnd end_of(std::span<const Bag> bags, bool is_interrupted) {
  if (is_interrupted) return BoostingEnd::kInterrupted;
  const bool may_go_on = std::ranges::any_of(
      bags, [](const Bag& bag) { return bag.result.end == BoostingEnd::kAllRounds; });
  return may_go_on ? BoostingEnd::kAllRounds : bags.front().result.end;
}

std::size_t rounded_mean(std::size_t sum, std::size_t n) { return (2 * sum + n) / (2 * n); }

// Rounds, curve and report of one bag.
void add_bag(IlmartResult& result, Bag& bag) {
  IlmartResult& own = bag.result;
  IlmartSteps& steps = result.steps;
  bag.report.num_rounds = own.num_rounds;
  bag.report.main_trees = own.steps.main_trees;
  bag.report.pair_trees = own.forest.trees().size() - own.steps.main_trees;
  bag.report.metric = own.best_metric;
  steps.bags->reports.push_back(bag.report);
  steps.main_rounds += own.steps.main_rounds;
  steps.main_trees += own.steps.main_trees;
  steps.interaction_rounds += own.steps.interaction_rounds;
  result.num_rounds += own.num_rounds;
  result.best_round += own.best_round;
  result.curve.insert(result.curve.end(), own.curve.begin(), own.curve.end());
  result.costs.insert(result.costs.end(), own.costs.begin(), own.costs.end());
}

IlmartResult mean_of(std::vector<Bag> bags, std::vector<RankedFeaturePair> pairs,
                     const LambdamartData& data, const IlmartParams& params,
                     const Context& context) {
  std::vector<Forest> main_effects;
  for (const Bag& bag : bags) main_effects.push_back(bag.result.steps.main_effects);
  IlmartResult result;
  result.steps = {.main_effects = mean_forest(main_effects),
                  .selected = std::move(pairs),
                  .bags = IlmartBags{.forests = forests_of(bags)}};
  IlmartSteps& steps = result.steps;
  steps.all_main_trees = steps.main_effects;
  steps.began_interactions = !steps.selected.empty();
  result.curve_names = bags.front().result.curve_names;
  for (Bag& bag : bags) add_bag(result, bag);
  steps.main_trees = rounded_mean(steps.main_trees, bags.size());
  result.best_round = std::max(rounded_mean(result.best_round, bags.size()), steps.main_trees);
  result.forest = mean_forest(steps.bags->forests);
  result.all_trees = result.forest;
  steps.used = pairs_used(result.forest);
  steps.bags->metrics = metrics_of(result.forest, data, params, context.finishing());
  const auto metric_of = [&](std::span<const std::pair<std::string, double>> values) {
    const auto found = std::ranges::find(values, stopping_name(params.trees.watch),
                                         &std::pair<std::string, double>::first);
    return found == values.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
  };
  result.best_metric = metric_of(steps.bags->metrics);
  steps.main_metric = std::numeric_limits<double>::quiet_NaN();
  if (data.valid) {
    IlmartParams valid_only = params;
    valid_only.trees.watch.train_metric = false;
    steps.main_metric =
        metric_of(metrics_of(steps.main_effects, data, valid_only, context.finishing()));
  }
  return result;
}

}  // namespace

IlmartResult train_ilmart_bags(const LambdamartData& data, const IlmartParams& params,
                               const IlmartRun& run, const Context& context) {
  std::vector<Bag> bags = train_main_effects(data, params, run, context);
  bool is_interrupted = bags.size() < static_cast<std::size_t>(params.bagging.bags) ||
                        std::ranges::any_of(bags, is_cut_short);
  std::vector<RankedFeaturePair> pairs;
  if (!is_interrupted) {
    const auto chosen = choose_pairs(data, mean_forest(forests_of(bags)), params, context);
    is_interrupted = !chosen;
    if (chosen) pairs = *chosen;
  }
  if (!pairs.empty()) {
    const std::size_t num_done = add_interactions_to(bags, data, pairs, params, run, context);
    is_interrupted = num_done < bags.size() || std::ranges::any_of(bags, is_cut_short);
    if (num_done == 0) pairs.clear();  // the main effects are a model all the same
    if (num_done > 0) bags.resize(num_done);
  }
  const BoostingEnd end = end_of(bags, is_interrupted);
  IlmartResult result = mean_of(std::move(bags), std::move(pairs), data, params, context);
  result.end = end;
  return result;
}

}  // namespace glassrank
