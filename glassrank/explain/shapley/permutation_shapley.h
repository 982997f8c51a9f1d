#pragma once
// Shapley values by random orders (Castro et al. 2009): players come in one after another, and each
// gets what its coming adds; the mean over all orders is the Shapley value. An order and its
// reverse are used together (Mitchell et al. 2022): what one overstates the other understates.
//
// Unbiased for any number of orders. Standard errors are those of a mean of independent pairs of
// orders. Values add up to v(all) - v(none) exactly but for rounding.
// Cost: 2 (M - 1) coalitions for each pair of orders.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/random.h"
#include "glassrank/explain/shapley/game.h"

namespace glassrank {

class PermutationShapley {
 public:
  // At least two players.
  PermutationShapley(const Game& game, std::vector<ShapleyValues> ends, CounterRandom random);

  // Draws until there are so many pairs of orders.
  void grow(std::size_t num_pairs, const Context& context);
  std::size_t num_pairs() const { return num_pairs_; }
  // At least two pairs.
  std::vector<ShapleyValues> values() const;

 private:
  void add_batch(std::size_t num_pairs);
  // Adds the marginal gains of one order to `gains`, [output][player]; returns the next worth.
  const double* add_order(const std::vector<std::uint32_t>& order, const double* worths,
                          std::vector<double>& gains) const;

  const Game& game_;
  std::vector<ShapleyValues> ends_;
  RandomSequence random_;
  std::size_t num_pairs_ = 0;
  std::vector<double> sums_;  // of the pairs' values, [output][player]
  std::vector<double> squares_;
};

}  // namespace glassrank
