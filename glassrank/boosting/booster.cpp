#include "glassrank/boosting/booster.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/boosting/gradients.h"
#include "glassrank/boosting/tree/grown_tree.h"
#include "glassrank/boosting/tree_backend.h"
#include "glassrank/data/shard.h"

namespace glassrank {
namespace {

GrowerRules grower_rules(const BoostingTask& task, const BoosterParams& params) {
  return {.num_leaves = static_cast<std::size_t>(params.num_leaves),
          .max_depth = static_cast<std::size_t>(params.max_depth),
          .growth = params.growth,
          .min_leaf_rows = static_cast<std::size_t>(params.min_leaf_rows),
          .min_split_rows = static_cast<std::size_t>(params.min_split_rows),
          .feature_fraction = params.feature_fraction,
          .monotone = task.monotone,
          .constraint = task.constraint};
}

// The metric that tells samplers how training goes; none if there are no metrics.
std::optional<std::size_t> progress_metric(const BoostingTask& task) {
  if (task.progress_metric || task.metrics.empty()) return task.progress_metric;
  const auto of_valid = std::ranges::find_if(task.metrics, [](const auto& m) { return m.set > 0; });
  return of_valid == task.metrics.end() ? 0
                                        : static_cast<std::size_t>(of_valid - task.metrics.begin());
}

void check_task(const BoostingTask& task) {
  const std::size_t num_features = task.train.num_features();
  if (task.objective == nullptr) fail(ErrorKind::kUsage, "boosting needs an objective");
  for (std::size_t v = 0; v < task.valid.size(); ++v) {
    if (task.valid[v].edges() != task.train.edges()) {
      fail(ErrorKind::kUsage, "validation set {} is not in the bins of the training data", v + 1);
    }
  }
  if (!task.monotone.empty() && task.monotone.size() != num_features) {
    fail(ErrorKind::kUsage, "{} monotone directions for {} features", task.monotone.size(),
         num_features);
  }
  for (const std::int8_t direction : task.monotone) {
    if (direction < -1 || direction > 1) {
      fail(ErrorKind::kUsage, "monotone direction {}; must be -1, 0 or 1", direction);
    }
  }
  for (const RoundMetric& metric : task.metrics) {
    if (metric.set > task.valid.size()) {
      fail(ErrorKind::kUsage, "metric {} asks for set {} of {}", metric.name, metric.set,
           task.valid.size() + 1);
    }
  }
  if (task.progress_metric && *task.progress_metric >= task.metrics.size()) {
    fail(ErrorKind::kUsage, "progress is to be read from metric {} of {}",
         *task.progress_metric + 1, task.metrics.size());
  }
  if (task.sampler != nullptr && task.sampler->looks_at_metrics() && !progress_metric(task)) {
    fail(ErrorKind::kUsage,
         "adaptive sampling needs a metric to watch: validation data, or the training metric");
  }
  if (task.start && task.start->num_features() != num_features) {
    fail(ErrorKind::kUsage, "the model to go on from has {} features, the data {}",
         task.start->num_features(), num_features);
  }
}

class Run {
 public:
  Run(const BoostingTask& task, const BoosterParams& params, const Context& context)
      : task_(task),
        params_(params),
        context_(context),
        backend_(make_tree_backend({.data = task.train, .monotone = task.monotone, .times = times_},
                                   params, context)),
        grower_(task.train, grower_rules(task, params), *backend_, context),
        shard_(shard_of(task.train.queries(), *context.communicator)),
        cost_({.all_rows = shard_.num_rows}),
        gradient_(task.train.num_rows()),
        hessian_(task.train.num_rows()) {
    task.objective->prepare({.grades = task.train.grades(),
                             .weights = task.train.weights(),
                             .queries = task.train.queries(),
                             .communicator = *context.communicator});
    if (task.sampler != nullptr) {
      task.sampler->prepare(task.train);
      // Rows without a gradient of their own are never used, but may be read.
      std::ranges::fill(gradient_.span(), 0.0F);
      std::ranges::fill(hessian_.span(), 0.0F);
    }
    base_score_ = task.start ? task.start->base_score() : task.objective->initial_score();
    scores_.emplace_back(task.train.num_rows(), base_score_);
    for (const BinnedDataset& valid : task.valid) {
      scores_.emplace_back(valid.num_rows(), base_score_);
    }
  }

  BoostingResult run() {
    BoostingResult result;
    {
      const Stopwatch watch(times_.total);
      result.end = all_rounds();
    }
    result.num_rounds = trees_.size();
    std::size_t keep = trees_.size();
    for (const RoundObserver* observer : task_.observers) {
      if (const auto wanted = observer->trees_to_keep()) keep = std::min(keep, *wanted);
    }
    const auto names = task_.train.feature_names();
    result.all_trees = Forest({.trees = std::move(trees_),
                               .num_features = task_.train.num_features(),
                               .feature_names = {names.begin(), names.end()},
                               .base_score = base_score_,
                               .objective = task_.objective_name,
                               .categories = task_.train.table().schema.category_names()});
    result.forest =
        keep < result.num_rounds ? result.all_trees.first_trees(keep) : result.all_trees;
    return result;
  }

  const BoostingTimes& times() const { return times_; }

 private:
  BoostingEnd all_rounds() {
    if (task_.start) {
      for (const Tree& tree : task_.start->trees()) {
        if (task_.sampler != nullptr && task_.sampler->is_kept(trees_.size())) {
          task_.sampler->select_documents(sample_view(), rows_);
        }
        replay(tree);
        if (trees_.size() <= task_.replay_from) continue;
        if (!tell_observers(true)) return BoostingEnd::kStoppedByObserver;
      }
    }
    while (trees_.size() < static_cast<std::size_t>(params_.num_trees)) {
      if (is_stopped()) return BoostingEnd::kInterrupted;
      try {
        if (!round()) return BoostingEnd::kNoSplitLeft;
      } catch (const Error& error) {
        // In the middle of the gradients of a long query: nothing of the round is there yet.
        if (error.kind() != ErrorKind::kInterrupted) throw;
        return BoostingEnd::kInterrupted;
      }
      if (!tell_observers(false)) return BoostingEnd::kStoppedByObserver;
    }
    return BoostingEnd::kAllRounds;
  }

  // Asked on any of the machines: all leave together.
  bool is_stopped() const { return context_.is_stopped_anywhere(); }

  void replay(const Tree& tree) {
    const BinnedTree binned = to_binned_tree(tree, task_.train.edges());
    add_tree_scores(binned, task_.train, scores_[0], context_);
    add_to_valid(binned);
    trees_.push_back(tree);
  }

  void add_to_valid(const BinnedTree& tree) {
    const Stopwatch watch(times_.valid);
    for (std::size_t v = 0; v < task_.valid.size(); ++v) {
      add_tree_scores(tree, task_.valid[v], scores_[v + 1], context_);
    }
  }

  SampleView sample_view() const {
    return {.round = trees_.size(),
            .data = task_.train,
            .scores = scores_[0],
            .context = context_,
            .better_rounds = better_rounds_,
            .shard = shard_};
  }

  // Fills gradient_ and hessian_; returns the rows that take part.
  SampledRows gradients() {
    const Stopwatch watch(times_.gradients);
    GradientTask gradients{.data = task_.train,
                           .objective = *task_.objective,
                           .scores = scores_[0],
                           .round = trees_.size()};
    const GradientView out{.gradient = gradient_.span(), .hessian = hessian_.span()};
    const bool lists =
        task_.sampler != nullptr && task_.sampler->select_documents(sample_view(), rows_);
    if (lists) gradients.documents = rows_;
    compute_gradients(gradients, out, context_);
    const bool sampled = lists || (task_.sampler != nullptr &&
                                   task_.sampler->select_rows(sample_view(), out, rows_));
    return sampled ? SampledRows(rows_) : std::nullopt;
  }

  bool round() {
    const auto start = std::chrono::steady_clock::now();
    const SampledRows rows = gradients();
    const GrownTree grown = grower_.grow({.gradient = gradient_.span(),
                                          .hessian = hessian_.span(),
                                          .round = trees_.size(),
                                          .first_row = shard_.first_row},
                                         rows);
    cost_.rows = grown.num_rows;
    // Without chance in the rounds, one without a split would repeat for ever.
    const bool has_chance = rows || backend_->draws_rows() || params_.feature_fraction < 1;
    if (grown.nodes.empty() && !has_chance) return false;
    const BinnedTree binned = finish(grown);
    add_to_valid(binned);
    cost_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return true;
  }

  // The tree joins the forest and the scores of the training rows.
  BinnedTree finish(const GrownTree& grown) {
    const Stopwatch watch(times_.leaf_values);
    auto [binned, tree] = finish_tree(grown, backend_->leaf_sums(), split_rules(params_),
                                      params_.learning_rate, task_.train.edges());
    for (const double value : binned.leaf_values) {
      if (std::isfinite(value)) continue;
      fail(ErrorKind::kInput,
           "round {}: a leaf would add {} to scores; the learning rate is too large",
           trees_.size() + 1, value);
    }
    trees_.push_back(std::move(tree));
    backend_->add_tree(binned, scores_[0]);
    return std::move(binned);
  }

  bool tell_observers(bool replayed) {
    std::vector<double> values;
    for (const RoundMetric& metric : task_.metrics) {
      const BinnedDataset& data = metric.set == 0 ? task_.train : task_.valid[metric.set - 1];
      values.push_back(metric.function(data, scores_[metric.set], context_));
    }
    const RoundEvent event{.round = trees_.size() - 1,
                           .trees = trees_,
                           .scores = scores_,
                           .metrics = values,
                           .base_score = base_score_,
                           .replayed = replayed,
                           .cost = replayed ? RoundCost{} : cost_};
    note_progress(values);
    bool go_on = true;
    for (RoundObserver* observer : task_.observers) go_on &= observer->after_round(event);
    return go_on;
  }

  // As early stopping sees it: the first round is better than none.
  void note_progress(std::span<const double> values) {
    const std::optional<std::size_t> metric = progress_metric(task_);
    if (!metric) return;
    const double value = values[*metric];
    const double gained =
        task_.metrics[*metric].larger_is_better ? value - best_value_ : best_value_ - value;
    const bool is_better = std::isnan(best_value_) || gained > 0;
    if (is_better) best_value_ = value;
    better_rounds_.push_back(is_better ? 1 : 0);
  }

  const BoostingTask& task_;
  const BoosterParams& params_;
  const Context& context_;
  BoostingTimes times_;
  std::unique_ptr<TreeBackend> backend_;
  TreeGrower grower_;
  Shard shard_;     // of the training rows
  RoundCost cost_;  // of the last round
  Buffer<float> gradient_;
  Buffer<float> hessian_;
  double base_score_ = 0;
  std::vector<std::vector<double>> scores_;  // per set, training first
  std::vector<std::uint32_t> rows_;          // that take part in a sampled round
  std::vector<Tree> trees_;
  double best_value_ = std::numeric_limits<double>::quiet_NaN();  // of the progress metric
  std::vector<std::uint8_t> better_rounds_;
};

}  // namespace

BoostingResult boost(const BoostingTask& task, const BoosterParams& params, const Context& context,
                     BoostingTimes* times) {
  check_params(params);
  check_task(task);
  Run run(task, params, context);
  BoostingResult result = run.run();
  if (times != nullptr) *times = run.times();
  return result;
}

}  // namespace glassrank
