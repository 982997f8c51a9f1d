#pragma once
// Shapley values of any game, exactly or by sampling: what kernel-shap and ranking-shap share.
//
// With no more than `samples` coalitions in all, every one is evaluated and the values are exact.
// Otherwise the mode says how they are sampled:
//   paired       pairs of coalitions with weights by probability, and KernelSHAP's regression
//                (paired_coalitions.h, kernel_regression.h)
//   shap         the sampling rule of shap's KernelExplainer and its choice of features
//   permutation  random orders and their reverses (permutation_shapley.h)
//   exact        every coalition, whatever `samples` says
// paired and permutation sample in rounds, each as large as all before: they end when the largest
// standard error is below `max_error` of the range of the values.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/base/random.h"
#include "glassrank/explain/shapley/game.h"

namespace glassrank {

enum class ShapleyMode { kPaired, kShap, kPermutation, kExact };
template <>
struct EnumNames<ShapleyMode> {
  static std::span<const std::pair<std::string_view, ShapleyMode>> table();
};

struct ShapleyParams {
  ShapleyMode mode = ShapleyMode::kPaired;
  std::uint64_t samples = 0;  // coalitions; 0: 2 players + 2048
  double max_error = 0.01;
  std::string l1_reg = "auto";

  void visit(ParamVisitor& visitor);
};

struct ShapleyResult {
  std::vector<ShapleyValues> outputs;
  std::size_t num_evaluated = 0;  // coalitions, but for none and all
  bool is_exact = false;
};

// Throws Error{kUsage} when the samples are too few for the players, l1_reg is not one of its
// forms, or there are too many players for mode = exact.
ShapleyResult shapley_values(const Game& game, const ShapleyParams& params, CounterRandom random,
                             const Context& context);

// Whether every output's largest standard error is at most `share` of the range of its values.
bool is_settled(const std::vector<ShapleyValues>& outputs, double share);

}  // namespace glassrank
