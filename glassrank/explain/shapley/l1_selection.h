#pragma once
// Which features shap's KernelExplainer lets into its regression (its option l1_reg).
//
// The choice is made by least angles on rows doubled so that the constraint is part of them: a
// coalition S of worth v counts as (members of S, v) with weight w (M - |S|) and as
// (members of S - 1, v - gain) with weight w |S|. num_features(k): the first k columns that enter.
// aic, bic: the corner of the lasso's path with the least
//   residual / variance + 2 (or log n) * columns,  variance = residual of least squares / (n - M -
//   1)
// with the rows' means taken out, as scikit-learn's LassoLarsIC does.
// Features that are not chosen get exactly 0: an explanation with few features, not one with the
// right values. That is why glassrank does not choose unless asked.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"

namespace glassrank {

enum class L1Kind { kNone, kAic, kBic, kNumFeatures };

struct L1Reg {
  L1Kind kind = L1Kind::kNone;
  std::size_t num_features = 0;
};

// "none", "aic", "bic" or "num_features(10)". Throws Error{kUsage} for anything else.
L1Reg parse_l1_reg(std::string_view text);

struct WeightedCoalition {
  const std::uint8_t* members = nullptr;
  bool is_complement = false;  // the players that are not members
  double weight = 0;
  double worth = 0;  // above v(none)
};

// Ascending. Throws Error{kUsage} when aic or bic have too few coalitions to tell a variance.
std::vector<std::uint32_t> select_players(std::span<const WeightedCoalition> coalitions,
                                          std::size_t num_players, double gain, const L1Reg& l1,
                                          const Context& context);

}  // namespace glassrank
