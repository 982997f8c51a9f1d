#pragma once
// ILMART: a ranker that is a sum of curves and a few surfaces (Lucchese, Nardini, Orlando, Perego,
// Veneri, SIGIR 2022).
//
//   1. main effects   LambdaMART whose trees use one feature each, stopped early
//   2. pairs          num_interactions pairs of features that step 1 used, or without heredity of
//                     any (pair_selection.h)
//   3. interactions   LambdaMART goes on from step 1, each tree within one of the pairs, stopped
//                     early; a tree may use only one feature of its pair
// Without interactions it ends after step 1 (the paper's ILMART; with them ILMART_i). If no round
// of step 3 is better than step 1 on the validation data, the model of step 1 stays.
// With bags (params.is_bagged()) it is the mean of several such models, see ilmart_bags.h.
// Samplers, cleaners, objectives and monotone directions work as in LambdaMART. In the result,
// rounds count trees of the final forest: curve[t] is after t + 1 of them, so the rounds of step 1
// beyond its best one are in IlmartSteps only.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/tree/constraints.h"
#include "glassrank/methods/ilmart/ilmart_params.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/lambdamart/staged_training.h"

namespace glassrank {

// Two trainings, each with checkpoints of its own. No warm start: trees of other models may use
// any features.
struct IlmartRun {
  LambdamartRun main = {};
  LambdamartRun interactions = {};
  std::vector<CleaningStage> stages = {};  // of step 1, see staged_training.h
  // In bags: the run of one of them. Step 3 is asked for with the pairs chosen, for trees of other
  // pairs are nothing to go on from; step 1 with none.
  std::function<LambdamartRun(std::size_t bag, std::span<const RankedFeaturePair> pairs)> of_bag =
      {};
};

// Throws Error{kUsage}: more pairs than the features have, interactions given, as ilmart finds its
// own; Error{kInput}: too few queries for bags.
void check_ilmart(const IlmartParams& params, std::size_t num_features, std::size_t num_queries);

// Throws as train_lambdamart does.
IlmartResult train_ilmart(const LambdamartData& data, const IlmartParams& params,
                          const IlmartRun& run, const Context& context);
// From the beginning. `valid` may be null.
IlmartResult train_ilmart(const Dataset& train, const Dataset* valid, const IlmartParams& params,
                          const Context& context);

// Step 1 is train_lambdamart under this rule.
TreeFeatureSets one_feature_a_tree(std::size_t num_features);
// Its result with what IlmartSteps says of it.
IlmartResult with_steps(LambdamartResult main);
// Step 2; none when asked to stop meanwhile.
std::optional<std::vector<RankedFeaturePair>> choose_pairs(const LambdamartData& data,
                                                           const Forest& main_effects,
                                                           const IlmartParams& params,
                                                           const Context& context);
// The pairs that trees use, ascending.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_used(const Forest& forest);
// Steps 2 and 3 after it.
IlmartResult add_interactions(const LambdamartData& data, const IlmartResult& main,
                              const IlmartParams& params, const LambdamartRun& run,
                              const Context& context);

// Step 3 alone, on given pairs; none: the main effects.
IlmartResult train_interactions(const LambdamartData& data, const IlmartResult& main,
                                std::vector<RankedFeaturePair> selected, const IlmartParams& params,
                                const LambdamartRun& run, const Context& context);

}  // namespace glassrank
