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
#include "glassrank/methods/lambdamart/staged_training.h"

namespace glassrank {
namespace {

LambdamartParams interaction_params(const IlmartParams& params) {
  LambdamartParams changed = params.trees;
  if (params.interaction_trees > 0) changed.boosting.num_trees = params.interaction_trees;
  if (params.interaction_leaves > 0) changed.boosting.num_leaves = params.interaction_leaves;
  if (params.interaction_learning_rate > 0) {
    changed.boosting.learning_rate = params.interaction_learning_rate;
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

// Whether the trees of an interrupted step 3 went on from these main effects; those of a shorter
// training, as a search prolongs it, may have gone on from fewer.
bool begins_with(const Forest& grown, const Forest& main) {
  const std::size_t size = main.trees().size();
  return grown.trees().size() >= size &&
         std::ranges::equal(grown.trees().first(size), main.trees());
}

// Whether step 3 was in vain: what stops it was better after step 1.
bool is_in_vain(const LambdamartResult& main, const LambdamartResult& last,
                const IlmartParams& params) {
  const bool is_chosen = params.trees.patience > 0 && !std::isnan(main.best_metric);
  return is_chosen && !(last.best_metric > main.best_metric);  // NaN: no tree was grown
}

// One result of both steps; see the header for what its rounds are.
IlmartResult join_steps(const IlmartResult& main, LambdamartResult last,
                        std::vector<RankedFeaturePair> selected, const IlmartParams& params) {
  IlmartSteps steps = main.steps;
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
  return {std::move(last), std::move(steps)};
}

}  // namespace

void check_ilmart(const IlmartParams& params, std::size_t num_features, std::size_t num_queries) {
  wanted_pairs(params, num_features);
  if (!params.trees.interactions.empty()) {
    fail(ErrorKind::kUsage, "interactions are for lambdamart; ilmart finds its own pairs");
  }
  check_bags(params.bagging);
  if (params.is_bagged() && num_queries < 2) {
    fail(ErrorKind::kInput, "the training data has 1 query; bags need two, one to leave out");
  }
}

TreeFeatureSets one_feature_a_tree(std::size_t num_features) {
  FeatureSets sets;
  for (std::uint32_t feature = 0; feature < num_features; ++feature) sets.push_back({feature});
  return TreeFeatureSets(std::move(sets), num_features);
}

IlmartResult with_steps(LambdamartResult main) {
  IlmartSteps steps{.main_effects = main.forest,
                    .all_main_trees = main.all_trees,
                    .main_rounds = main.num_rounds,
                    .main_trees = main.forest.trees().size(),
                    .main_metric = main.best_metric,
                    .main_may_go_on = main.end == BoostingEnd::kAllRounds,
                    .main_curve = main.curve};
  return {std::move(main), std::move(steps)};
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_used(const Forest& forest) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> used;
  for (const Tree& tree : forest.trees()) {
    const std::vector<std::uint32_t> features = features_of(tree);
    if (features.size() == 2) used.emplace(features[0], features[1]);
  }
  return {used.begin(), used.end()};
}

std::optional<std::vector<RankedFeaturePair>> choose_pairs(const LambdamartData& data,
                                                           const Forest& main_effects,
                                                           const IlmartParams& params,
                                                           const Context& context) {
  const std::size_t num_features = data.train.num_features();
  const std::size_t wanted = wanted_pairs(params, num_features);
  if (wanted == 0) return std::vector<RankedFeaturePair>{};
  std::vector<std::uint32_t> features = features_of(main_effects.trees());
  context.info(fmt::format("main effects of {} features in {} trees; choosing {} pairs",
                           features.size(), main_effects.trees().size(), wanted));
  if (!params.heredity) {
    features.resize(num_features);
    std::iota(features.begin(), features.end(), 0U);
  }
  std::vector<RankedFeaturePair> selected;
  try {
    selected = select_pairs({.data = data,
                             .params = params.trees,
                             .main_effects = main_effects,
                             .features = features,
                             .num_pairs = wanted},
                            params.pair_selection, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    return std::nullopt;
  }
  if (selected.size() < wanted) {
    context.warn(fmt::format("only {} of {} pairs were found", selected.size(), wanted));
  }
  return selected;
}

IlmartResult add_interactions(const LambdamartData& data, const IlmartResult& main_only,
                              const IlmartParams& params, const LambdamartRun& run,
                              const Context& context) {
  IlmartResult main = main_only;
  if (main.end == BoostingEnd::kInterrupted) return main;
  std::optional<std::vector<RankedFeaturePair>> selected =
      choose_pairs(data, main.forest, params, context);
  if (!selected) {
    main.end = BoostingEnd::kInterrupted;  // a model all the same
    return main;
  }
  return train_interactions(data, main, *std::move(selected), params, run, context);
}

IlmartResult train_interactions(const LambdamartData& data, const IlmartResult& main,
                                std::vector<RankedFeaturePair> selected, const IlmartParams& params,
                                const LambdamartRun& run, const Context& context) {
  if (selected.empty()) return main;
  FeatureSets sets;
  for (const RankedFeaturePair& pair : selected) sets.push_back({pair.first, pair.second});
  const TreeFeatureSets constraint(std::move(sets), data.train.num_features());
  LambdamartRun interactions = run;
  interactions.warm_start = main.forest;
  interactions.constraint = &constraint;
  if (run.resumed && !begins_with(*run.resumed, main.forest)) interactions.resumed.reset();
  LambdamartResult last = train_lambdamart(data, interaction_params(params), interactions, context);
  if (is_in_vain(main, last, params)) {
    context.info(fmt::format("{}no interaction made {} better: the main effects stay alone",
                             run.name.empty() ? "" : fmt::format("{}: ", run.name),
                             stopping_name(params.trees.watch, data.valid_name)));
  }
  return join_steps(main, std::move(last), std::move(selected), params);
}

IlmartResult train_ilmart(const LambdamartData& data, const IlmartParams& params,
                          const IlmartRun& run, const Context& context) {
  if (params.is_bagged()) return train_ilmart_bags(data, params, run, context);
  const TreeFeatureSets constraint = one_feature_a_tree(data.train.num_features());
  LambdamartRun main = run.main;
  main.constraint = &constraint;
  return add_interactions(
      data, with_steps(train_in_stages(data, run.stages, params.trees, main, context)), params,
      run.interactions, context);
}

IlmartResult train_ilmart(const Dataset& train, const Dataset* valid, const IlmartParams& params,
                          const Context& context) {
  check_ilmart(params, train.num_features(), train.num_queries());
  return train_ilmart(prepare_lambdamart(train, valid, params.trees, context), params, {}, context);
}

}  // namespace glassrank
