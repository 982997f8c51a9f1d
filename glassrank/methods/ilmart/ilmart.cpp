#include "glassrank/methods/ilmart/ilmart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/methods/ilmart/ilmart_bags.h"
#include "glassrank/methods/ilmart/pair_selection.h"

namespace glassrank {
namespace {

LambdamartParams interaction_params(const LambdamartParams& params) {
  LambdamartParams changed = params;
  const IlmartParams& ilmart = *params.ilmart;
  if (ilmart.interaction_trees > 0) changed.boosting.num_trees = ilmart.interaction_trees;
  if (ilmart.interaction_leaves > 0) changed.boosting.num_leaves = ilmart.interaction_leaves;
  if (ilmart.interaction_learning_rate > 0) {
    changed.boosting.learning_rate = ilmart.interaction_learning_rate;
  }
  return changed;
}

// The first `size` of the one, then the other.
template <typename T>
std::vector<T> joined(const std::vector<T>& first, std::size_t size, const std::vector<T>& second) {
  std::vector<T> all(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(size));
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

// Whether step 3 was in vain: what stops it was better after step 1.
bool is_in_vain(const LambdamartResult& main, const LambdamartResult& last,
                const LambdamartParams& params) {
  const bool is_chosen = params.patience > 0 && !std::isnan(main.best_metric);
  return is_chosen && !(last.best_metric > main.best_metric);  // NaN: no tree was grown
}

// One result of both steps; see the header for what its rounds are.
LambdamartResult join_steps(const LambdamartResult& main, LambdamartResult last,
                            std::vector<RankedPair> selected, const LambdamartParams& params) {
  IlmartSteps steps = *main.ilmart;
  steps.selected = std::move(selected);
  steps.interaction_rounds = last.num_rounds;
  steps.began_interactions = true;
  if (is_in_vain(main, last, params)) {
    last.forest = main.forest;
    last.best_round = 0;
    last.best_metric = main.best_metric;
  }
  steps.used = pairs_used(last.forest);
  const std::size_t num_kept = main.best_round;
  last.num_rounds += num_kept;
  last.best_round += num_kept;
  last.curve = joined(main.curve, num_kept, last.curve);
  last.costs = joined(main.costs, num_kept, last.costs);
  if (last.end != BoostingEnd::kInterrupted && steps.main_may_go_on) {
    last.end = BoostingEnd::kAllRounds;
  }
  last.ilmart = std::move(steps);
  return last;
}

}  // namespace

TreeFeatureSets one_feature_a_tree(std::size_t num_features) {
  FeatureSets sets;
  for (std::uint32_t feature = 0; feature < num_features; ++feature) sets.push_back({feature});
  return TreeFeatureSets(std::move(sets), num_features);
}

LambdamartResult with_steps(LambdamartResult main) {
  if (main.ilmart) return main;
  main.ilmart = IlmartSteps{.main_effects = main.forest,
                            .main_grown = main.grown,
                            .main_rounds = main.num_rounds,
                            .main_trees = main.forest.trees().size(),
                            .main_metric = main.best_metric,
                            .main_may_go_on = main.end == BoostingEnd::kAllRounds,
                            .main_curve = main.curve};
  return main;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_used(const Forest& forest) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> used;
  for (const Tree& tree : forest.trees()) {
    const std::vector<std::uint32_t> features = features_of(tree);
    if (features.size() == 2) used.emplace(features[0], features[1]);
  }
  return {used.begin(), used.end()};
}

std::optional<std::vector<RankedPair>> choose_pairs(const LambdamartData& data,
                                                    const Forest& main_effects,
                                                    const LambdamartParams& params,
                                                    const Context& context) {
  const std::size_t num_features = data.train.num_features();
  const std::size_t wanted = wanted_pairs(*params.ilmart, num_features);
  if (wanted == 0) return std::vector<RankedPair>{};
  std::vector<std::uint32_t> features = features_of(main_effects.trees());
  context.info(fmt::format("main effects of {} features in {} trees; choosing {} pairs",
                           features.size(), main_effects.trees().size(), wanted));
  if (!params.ilmart->heredity) {
    features.resize(num_features);
    std::iota(features.begin(), features.end(), 0U);
  }
  std::vector<RankedPair> selected;
  try {
    selected = select_pairs({.data = data,
                             .params = params,
                             .main_effects = main_effects,
                             .features = features,
                             .num_pairs = wanted},
                            params.ilmart->pair_selection, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    return std::nullopt;
  }
  if (selected.size() < wanted) {
    context.warn(fmt::format("only {} of {} pairs were found", selected.size(), wanted));
  }
  return selected;
}

LambdamartResult add_interactions(const LambdamartData& data, const LambdamartResult& main_only,
                                  const LambdamartParams& params, const LambdamartRun& run,
                                  const Context& context) {
  LambdamartResult main = with_steps(main_only);
  if (main.end == BoostingEnd::kInterrupted) return main;
  std::optional<std::vector<RankedPair>> selected =
      choose_pairs(data, main.forest, params, context);
  if (!selected) {
    main.end = BoostingEnd::kInterrupted;  // a model all the same
    return main;
  }
  return train_interactions(data, main, *std::move(selected), params, run, context);
}

LambdamartResult train_interactions(const LambdamartData& data, const LambdamartResult& main_only,
                                    std::vector<RankedPair> selected,
                                    const LambdamartParams& params, const LambdamartRun& run,
                                    const Context& context) {
  LambdamartResult main = with_steps(main_only);
  if (selected.empty()) return main;
  FeatureSets sets;
  for (const RankedPair& pair : selected) sets.push_back({pair.first, pair.second});
  const TreeFeatureSets constraint(std::move(sets), data.train.num_features());
  LambdamartRun interactions = run;
  interactions.warm_start = main.forest;
  interactions.constraint = &constraint;
  LambdamartResult last = train_lambdamart(data, interaction_params(params), interactions, context);
  if (is_in_vain(main, last, params)) {
    context.info(fmt::format("{}no interaction made {} better: the main effects stay alone",
                             run.name.empty() ? "" : fmt::format("{}: ", run.name),
                             stopping_name(params, data.valid_name)));
  }
  return join_steps(main, std::move(last), std::move(selected), params);
}

LambdamartResult train_ilmart(const LambdamartData& data, const LambdamartParams& params,
                              const IlmartRun& run, const Context& context) {
  if (params.ilmart->is_bagged()) {
    const auto train_main = [&](const LambdamartData& bag, std::span<const std::uint32_t>,
                                const LambdamartRun& one, const Context& own) {
      return train_lambdamart(bag, params, one, own);
    };
    return train_ilmart_bags(data, params, run.main, train_main, context);
  }
  const TreeFeatureSets constraint = one_feature_a_tree(data.train.num_features());
  LambdamartRun main = run.main;
  main.constraint = &constraint;
  return add_interactions(data, train_lambdamart(data, params, main, context), params,
                          run.interactions, context);
}

LambdamartResult train_ilmart(const Dataset& train, const Dataset* valid,
                              const LambdamartParams& params, const Context& context) {
  return train_ilmart(prepare_lambdamart(train, valid, params, context), params, {}, context);
}

}  // namespace glassrank
