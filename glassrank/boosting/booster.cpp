#include "glassrank/boosting/booster.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/boosting/gradients.h"
#include "glassrank/boosting/histogram/full_search.h"
#include "glassrank/boosting/histogram/packed_search.h"
#include "glassrank/boosting/tree/leaf_values.h"
#include "glassrank/boosting/tree/other_rows.h"

namespace glassrank {
namespace {

GrowerRules grower_rules(const BoostingTask& task, const BoosterParams& params) {
  return {.num_leaves = static_cast<std::size_t>(params.num_leaves),
          .max_depth = static_cast<std::size_t>(params.max_depth),
          .growth = params.growth,
          .split = {.l1 = params.l1,
                    .l2 = params.l2,
                    .min_gain = params.min_gain,
                    .min_leaf_hessian = params.min_leaf_hessian,
                    .min_leaf_rows = static_cast<std::size_t>(params.min_leaf_rows)},
          .feature_fraction = params.feature_fraction,
          .monotone = task.monotone,
          .constraint = task.constraint};
}

std::unique_ptr<SplitSearch> make_search(const BinnedDataset& data, const BoosterParams& params,
                                         const SplitRules& rules, double active_share,
                                         const Context& context) {
  const auto num_histograms = static_cast<std::size_t>(params.num_leaves);
  if (params.precision == Precision::kFast) {
    const PackedSearch::Setup setup{
        .rules = rules, .num_histograms = num_histograms, .active_share = active_share};
    return std::make_unique<PackedSearch>(data, setup, context);
  }
  return std::make_unique<FullSearch>(data, rules, num_histograms, context);
}

std::size_t rows_everywhere(std::size_t num_rows, const Context& context) {
  std::uint64_t count = num_rows;
  context.communicator->sum({&count, 1});
  return count;
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
        rules_(grower_rules(task, params)),
        partition_(task.train, context),
        cost_({.all_rows = rows_everywhere(task.train.num_rows(), context)}),
        active_share_(wanted_active_share(params, cost_.all_rows)),
        search_(make_search(task.train, params, rules_.split, active_share_, context)),
        grower_(task.train, rules_, {*search_, partition_, times_}, context),
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
    result.grown = Forest({.trees = std::move(trees_),
                           .num_features = task_.train.num_features(),
                           .feature_names = {names.begin(), names.end()},
                           .base_score = base_score_,
                           .objective = task_.objective_name});
    result.forest = keep < result.num_rounds ? result.grown.first_trees(keep) : result.grown;
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
      if (!round()) return BoostingEnd::kNoSplitLeft;
      if (!tell_observers(false)) return BoostingEnd::kStoppedByObserver;
    }
    return BoostingEnd::kAllRounds;
  }

  // Asked on any of the machines: all leave together.
  bool is_stopped() const {
    std::uint64_t stop = context_.is_stopped() ? 1 : 0;
    context_.communicator->sum({&stop, 1});
    return stop > 0;
  }

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
            .better_rounds = better_rounds_};
  }

  // Fills gradient_ and hessian_; true if only rows_ take part.
  bool gradients() {
    const Stopwatch watch(times_.gradients);
    GradientQuestion question{.data = task_.train,
                              .objective = *task_.objective,
                              .scores = scores_[0],
                              .round = trees_.size()};
    const GradientView out{.gradient = gradient_.span(), .hessian = hessian_.span()};
    const bool lists =
        task_.sampler != nullptr && task_.sampler->select_documents(sample_view(), rows_);
    if (lists) question.documents = rows_;
    compute_gradients(question, out, context_);
    if (lists) return true;
    return task_.sampler != nullptr && task_.sampler->select_rows(sample_view(), out, rows_);
  }

  bool round() {
    const auto start = std::chrono::steady_clock::now();
    const bool sampled = gradients();
    TreeGradients view{
        .gradient = gradient_.span(), .hessian = hessian_.span(), .round = trees_.size()};
    cost_.rows = sampled ? rows_everywhere(rows_.size(), context_) : cost_.all_rows;
    view.few_rows = wanted_active_share(params_, cost_.rows) >= 1;
    const GrownTree grown = sampled ? grower_.grow(view, rows_) : grower_.grow(view);
    // Without chance in the rounds, one without a split would repeat for ever.
    const bool draws_rows = params_.precision == Precision::kFast && active_share_ < 1;
    const bool has_chance = sampled || draws_rows || params_.feature_fraction < 1;
    if (grown.nodes.empty() && !has_chance) return false;
    BinnedTree binned{.nodes = grown.nodes, .leaf_values = {}};
    {
      const Stopwatch watch(times_.leaf_values);
      const std::vector<LeafRows> leaves = finish_tree(grown, view, binned);
      if (sampled && !are_few_others(binned, rows_.size(), task_.train.num_rows())) {
        add_tree_scores(binned, task_.train, scores_[0], context_);
      } else {
        add_leaf_values(partition_, leaves, binned.leaf_values, scores_[0], context_);
        if (sampled) add_scores_of_others(binned, task_.train, rows_, scores_[0], context_);
      }
    }
    add_to_valid(binned);
    cost_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return true;
  }

  // Leaf values and statistics; returns the rows of the leaves.
  std::vector<LeafRows> finish_tree(const GrownTree& grown, const TreeGradients& view,
                                    BinnedTree& binned) {
    std::vector<LeafRows> leaves;
    leaves.reserve(grown.leaves.size());
    for (const GrownLeaf& leaf : grown.leaves) leaves.push_back(leaf.rows);
    const std::vector<LeafSums> sums = sum_leaves(partition_, leaves, view, context_);
    for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
      binned.leaf_values.push_back(params_.learning_rate *
                                   leaf_value(sums[leaf], rules_.split, grown.leaves[leaf].bounds));
    }
    Tree tree{.nodes = to_tree_nodes(binned, task_.train.edges()),
              .leaf_values = binned.leaf_values};
    tree.statistics = statistics_of(grown, sums);
    trees_.push_back(std::move(tree));
    return leaves;
  }

  // Children come after their parents: sums run from the last node up.
  TreeStatistics statistics_of(const GrownTree& grown, std::span<const LeafSums> sums) const {
    const std::size_t num_nodes = grown.nodes.size();
    TreeStatistics s;
    std::vector<LeafSums> node_sums(num_nodes);
    s.node_gain = grown.node_gain;
    s.node_value.resize(num_nodes);
    s.node_weight.resize(num_nodes);
    s.node_count.resize(num_nodes);
    for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
      s.leaf_weight.push_back(sums[leaf].hessian);
      s.leaf_count.push_back(grown.leaves[leaf].counts.all());
    }
    for (std::size_t n = num_nodes; n-- > 0;) {
      for (const std::int32_t child : {grown.nodes[n].left, grown.nodes[n].right}) {
        const auto at = static_cast<std::size_t>(child < 0 ? ~child : child);
        const LeafSums& part = child < 0 ? sums[at] : node_sums[at];
        node_sums[n].gradient += part.gradient;
        node_sums[n].hessian += part.hessian;
        s.node_count[n] += child < 0 ? s.leaf_count[at] : s.node_count[at];
      }
      s.node_weight[n] = node_sums[n].hessian;
      s.node_value[n] = params_.learning_rate * leaf_value(node_sums[n], rules_.split, {});
    }
    return s;
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
  GrowerRules rules_;
  BoostingTimes times_;
  RowPartition partition_;
  RoundCost cost_;  // of the last round
  double active_share_;
  std::unique_ptr<SplitSearch> search_;
  TreeGrower grower_;
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
  check_task(task);
  Run run(task, params, context);
  BoostingResult result = run.run();
  if (times != nullptr) *times = run.times();
  return result;
}

}  // namespace glassrank
