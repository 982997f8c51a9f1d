#pragma once
// KernelSHAP's regression (Lundberg and Lee 2017): Shapley values are the coefficients phi that
// minimise
//   sum over coalitions S of weight(S) (v(S) - v(none) - sum over S of phi)^2
// with sum of phi = v(all) - v(none), if every coalition is there with its kernel weight. With a
// sample of them the solution is an estimate.
//
// Standard errors: a row of the regression (a coalition with its complement) that the sample might
// have missed moves phi by its influence H_r times its residual e_r. Rows come independently but
// for the fixed number of them, so
//   variance of phi_j = sum over rows of (chance to be left out) (H_rj e_r / (1 - h_r))^2
// where h_r is the row's leverage: the residual is that of a regression without the row (the
// sandwich estimator HC3, which is rather too large than too small). Rows that are there for
// certain add nothing; with all coalitions the error is 0.
// Cost: rows x players^2.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/explain/shapley/coalition_set.h"
#include "glassrank/explain/shapley/game.h"
#include "glassrank/explain/shapley/l1_selection.h"

namespace glassrank {

// The worths of a set's coalitions, evaluated as the set grows.
class CoalitionWorths {
 public:
  explicit CoalitionWorths(const Game& game) : game_(game) {}

  // Evaluates the entries of the set that are new since the last call.
  void evaluate(const CoalitionSet& set, const Context& context);
  double of(std::size_t entry, std::size_t output) const {
    return worths_[entry * game_.num_outputs + output];
  }
  // NaN: the entry has no complement.
  double of_complement(std::size_t entry, std::size_t output) const {
    return complements_[entry * game_.num_outputs + output];
  }

 private:
  const Game& game_;
  std::vector<double> worths_;
  std::vector<double> complements_;
};

// Fills values and errors of the outputs, whose ends are known. Returns false where the coalitions
// do not settle the values of the players that l1 lets in; those it leaves out have value and
// error 0.
bool fit_kernel_regression(const CoalitionSet& set, const CoalitionWorths& worths, const L1Reg& l1,
                           std::span<ShapleyValues> outputs, const Context& context);

}  // namespace glassrank
