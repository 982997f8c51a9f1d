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
// With bags (params.ilmart->is_bagged()) it is the mean of several such models, see ilmart_bags.h.
// Samplers, cleaners, objectives and monotone directions work as in LambdaMART. In the result,
// rounds count trees of the final forest: curve[t] is after t + 1 of them, so the rounds of step 1
// beyond its best one are in IlmartSteps only.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/tree/constraints.h"
#include "glassrank/methods/ilmart/ilmart_params.h"
#include "glassrank/methods/lambdamart/lambdamart.h"

namespace glassrank {

// Two trainings, each with checkpoints of its own. No warm start: trees of other models may use
// any features.
struct IlmartRun {
  LambdamartRun main = {};
  LambdamartRun interactions = {};
};

// params.ilmart is set; in bags `run` has nothing to go on from. Throws as train_lambdamart does.
LambdamartResult train_ilmart(const LambdamartData& data, const LambdamartParams& params,
                              const IlmartRun& run, const Context& context);
// From the beginning. `valid` may be null.
LambdamartResult train_ilmart(const Dataset& train, const Dataset* valid,
                              const LambdamartParams& params, const Context& context);

// Step 1 is train_lambdamart under this rule.
TreeFeatureSets one_feature_a_tree(std::size_t num_features);
// Its result with what IlmartSteps says of it.
LambdamartResult with_steps(LambdamartResult main);
// Step 2; none when asked to stop meanwhile.
std::optional<std::vector<RankedPair>> choose_pairs(const LambdamartData& data,
                                                    const Forest& main_effects,
                                                    const LambdamartParams& params,
                                                    const Context& context);
// The pairs that trees use, ascending.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_used(const Forest& forest);
// Steps 2 and 3 after it.
LambdamartResult add_interactions(const LambdamartData& data, const LambdamartResult& main,
                                  const LambdamartParams& params, const LambdamartRun& run,
                                  const Context& context);

// Step 3 alone, on given pairs; none: the main effects.
LambdamartResult train_interactions(const LambdamartData& data, const LambdamartResult& main,
                                    std::vector<RankedPair> selected,
                                    const LambdamartParams& params, const LambdamartRun& run,
                                    const Context& context);

}  // namespace glassrank
