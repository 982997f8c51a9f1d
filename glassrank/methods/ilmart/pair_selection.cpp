#include "glassrank/methods/ilmart/pair_selection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/gradients.h"
#include "glassrank/boosting/tree/binned_tree.h"
#include "glassrank/boosting/tree/constraints.h"
#include "glassrank/math/fixed_point.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsAtOnce = 1 << 16;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Notes each pair when a tree first uses it; stops at the last one wanted.
class PairCollector final : public RoundObserver {
 public:
  explicit PairCollector(std::size_t num_wanted) : num_wanted_(num_wanted) {}

  bool after_round(const RoundEvent& event) override {
    const Tree& tree = event.trees.back();
    const std::vector<std::uint32_t> features = features_of(tree);
    if (features.size() != 2) return true;
    const bool is_known = std::ranges::any_of(pairs_, [&](const RankedFeaturePair& pair) {
      return pair.first == features[0] && pair.second == features[1];
    });
    if (is_known) return true;
    const std::vector<double>& gains = tree.statistics.node_gain;
    pairs_.push_back({.first = features[0],
                      .second = features[1],
                      .statistic = std::accumulate(gains.begin(), gains.end(), 0.0)});
    return pairs_.size() < num_wanted_;
  }

  const std::vector<RankedFeaturePair>& pairs() const { return pairs_; }

 private:
  std::size_t num_wanted_;
  std::vector<RankedFeaturePair> pairs_;
};

// Trees of three leaves after the main effects.
LambdamartResult grow_small_trees(const PairTask& task, const PairSelectionParams& selection,
                                  const TreeConstraint& constraint, RoundObserver* observer,
                                  const Context& context) {
  LambdamartParams params = task.params;
  params.boosting.num_trees = selection.max_rounds;
  params.boosting.learning_rate = selection.learning_rate;
  params.boosting.num_leaves = 3;
  params.boosting.max_depth = 0;
  params.patience = 0;
  // Adaptive samplers go by a metric.
  params.watch.train_metric = params.sample.adaptive != AdaptiveStrategy::kNone;
  LambdamartData data = task.data;
  data.valid.reset();
  LambdamartRun run{.warm_start = task.main_effects, .constraint = &constraint};
  if (observer != nullptr) run.observers.push_back(observer);
  LambdamartResult result = train_lambdamart(data, params, run, context);
  context.check_stop_anywhere();
  return result;
}

std::vector<RankedFeaturePair> pairs_seen(const PairTask& task,
                                          const PairSelectionParams& selection,
                                          const TreeConstraint& constraint,
                                          const Context& context) {
  PairCollector collector(task.num_pairs);
  grow_small_trees(task, selection, constraint, &collector, context);
  return collector.pairs();
}

// The mean over rows, by their weights, of |effect - mean effect| of trees summed up.
double mean_effect(std::span<const Tree* const> trees, const BinnedDataset& data,
                   std::vector<double>& effect, const Context& context) {
  std::ranges::fill(effect, 0.0);
  for (const Tree* tree : trees) {
    add_tree_scores(to_binned_tree(*tree, data.edges()), data, effect, context);
  }
  std::uint64_t num_rows = effect.size();
  context.communicator->sum({&num_rows, 1});
  const auto mean_of = [&](const auto& value) {
    // Of weighted values and of weights; sums are exact.
    double greatest[2] = {};
    for (std::size_t row = 0; row < effect.size(); ++row) {
      greatest[0] = std::max(greatest[0], std::abs(data.weight(row) * value(effect[row])));
      greatest[1] = std::max(greatest[1], data.weight(row));
    }
    context.communicator->max(greatest);
    const FixedPoint value_units(greatest[0], num_rows);
    const FixedPoint weight_units(greatest[1], num_rows);
    using Totals = std::array<std::int64_t, 2>;
    Totals totals = ordered_reduce(
        context, effect.size(), kRowsAtOnce, Totals{},
        [&](std::size_t begin, std::size_t end) {
          Totals part{};
          for (std::size_t row = begin; row < end; ++row) {
            part[0] += value_units.to_units(data.weight(row) * value(effect[row]));
            part[1] += weight_units.to_units(data.weight(row));
          }
          return part;
        },
        [](Totals& total, const Totals& part) {
          total[0] += part[0];
          total[1] += part[1];
        });
    context.communicator->sum(std::span(totals));
    return totals[1] > 0 ? value_units.to_real(totals[0]) / weight_units.to_real(totals[1]) : 0.0;
  };
  const double mean = mean_of([](double value) { return value; });
  return mean_of([mean](double value) { return std::abs(value - mean); });
}

std::vector<RankedFeaturePair> pairs_by_contribution(const PairTask& task,
                                                     const PairSelectionParams& selection,
                                                     const TreeConstraint& constraint,
                                                     const Context& context) {
  const LambdamartResult small = grow_small_trees(task, selection, constraint, nullptr, context);
  std::map<Pair, std::vector<const Tree*>> trees_of;
  for (const Tree& tree : small.all_trees.trees().subspan(task.main_effects.trees().size())) {
    const std::vector<std::uint32_t> features = features_of(tree);
    if (features.size() == 2) trees_of[{features[0], features[1]}].push_back(&tree);
  }
  std::vector<double> effect(task.data.train.num_rows());
  std::vector<RankedFeaturePair> pairs;
  for (const auto& [pair, trees] : trees_of) {
    pairs.push_back({.first = pair.first,
                     .second = pair.second,
                     .statistic = mean_effect(trees, task.data.train, effect, context)});
  }
  std::ranges::stable_sort(pairs, std::greater<>(), &RankedFeaturePair::statistic);
  return pairs;
}

std::vector<RankedFeaturePair> pairs_by_fast(const PairTask& task, const Context& context) {
  const BinnedDataset& data = task.data.train;
  const std::vector<double> scores = forest_scores(task.main_effects, data, context);
  const std::unique_ptr<Objective> objective =
      make_objective(objective_of(task.params.objective, task.params.watch), context.seed);
  objective->prepare({.grades = data.grades(),
                      .weights = data.weights(),
                      .queries = data.queries(),
                      .communicator = *context.communicator});
  std::vector<float> gradients(data.num_rows());
  std::vector<float> hessians(data.num_rows());
  compute_gradients({.data = data,
                     .objective = *objective,
                     .scores = scores,
                     .round = task.main_effects.trees().size()},
                    {.gradient = gradients, .hessian = hessians}, context);
  std::vector<RankedFeaturePair> pairs = rank_pairs_fast(
      {.data = data, .gradients = gradients, .hessians = hessians, .features = task.features},
      {.min_leaf_rows = task.params.boosting.min_leaf_rows}, context);
  std::erase_if(pairs, [](const RankedFeaturePair& pair) { return pair.statistic <= 0; });
  return pairs;
}

}  // namespace

std::vector<RankedFeaturePair> select_pairs(const PairTask& task,
                                            const PairSelectionParams& selection,
                                            const Context& context) {
  const std::size_t num_features = task.data.train.num_features();
  const std::vector<std::uint32_t> features(task.features.begin(), task.features.end());
  if (task.num_pairs == 0 || features.size() < 2) return {};
  std::vector<RankedFeaturePair> pairs;
  switch (selection.method) {
    case PairSelection::kPaper:
      pairs = pairs_seen(task, selection, DistinctFeatures(features, num_features), context);
      break;
    case PairSelection::kFirstSeen:
      pairs = pairs_seen(task, selection, TreeFeatureSets({features}, num_features), context);
      break;
    case PairSelection::kContribution:
      pairs = pairs_by_contribution(task, selection, TreeFeatureSets({features}, num_features),
                                    context);
      break;
    case PairSelection::kFast:
      pairs = pairs_by_fast(task, context);
      break;
  }
  pairs.resize(std::min(pairs.size(), task.num_pairs));
  return pairs;
}

}  // namespace glassrank
