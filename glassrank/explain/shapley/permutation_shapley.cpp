#include "glassrank/explain/shapley/permutation_shapley.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace glassrank {
namespace {

constexpr std::size_t kCoalitionsAtOnce = 4096;  // coalitions evaluated at a time, about

// The coalitions on the way from none to all, both ends left out.
void add_way(const std::vector<std::uint32_t>& order, std::vector<std::uint8_t>& members) {
  std::vector<std::uint8_t> coalition(order.size());
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    coalition[order[i]] = 1;
    members.insert(members.end(), coalition.begin(), coalition.end());
  }
}

}  // namespace

PermutationShapley::PermutationShapley(const Game& game, std::vector<ShapleyValues> ends,
                                       CounterRandom random)
    : game_(game),
      ends_(std::move(ends)),
      random_(random),
      sums_(game.num_outputs * game.num_players),
      squares_(sums_.size()) {}

void PermutationShapley::grow(std::size_t num_pairs, const Context& context) {
  const std::size_t most =
      std::max<std::size_t>(1, kCoalitionsAtOnce / (2 * (game_.num_players - 1)));
  while (num_pairs_ < num_pairs) {
    context.check_stop();
    add_batch(std::min(most, num_pairs - num_pairs_));
  }
}

void PermutationShapley::add_batch(std::size_t num_pairs) {
  const std::size_t num_players = game_.num_players;
  std::vector<std::vector<std::uint32_t>> orders;
  std::vector<std::uint8_t> members;
  for (std::size_t i = 0; i < num_pairs; ++i) {
    std::vector<std::uint32_t> order(num_players);
    std::iota(order.begin(), order.end(), 0U);
    random_.shuffle(order);
    orders.push_back(order);
    std::ranges::reverse(order);
    orders.push_back(std::move(order));
  }
  for (const auto& order : orders) add_way(order, members);
  const std::size_t num_coalitions = members.size() / num_players;
  std::vector<double> worths(num_coalitions * game_.num_outputs);
  game_.evaluate({members.data(), num_coalitions, num_players}, worths);
  const double* next = worths.data();
  for (std::size_t i = 0; i < num_pairs; ++i) {
    std::vector<double> gains(sums_.size());
    next = add_order(orders[2 * i], next, gains);
    next = add_order(orders[2 * i + 1], next, gains);
    for (std::size_t j = 0; j < gains.size(); ++j) {
      sums_[j] += gains[j] / 2;
      squares_[j] += gains[j] / 2 * (gains[j] / 2);
    }
  }
  num_pairs_ += num_pairs;
}

const double* PermutationShapley::add_order(const std::vector<std::uint32_t>& order,
                                            const double* worths,
                                            std::vector<double>& gains) const {
  const std::size_t num_outputs = game_.num_outputs;
  const std::size_t last = order.size() - 1;
  for (std::size_t o = 0; o < num_outputs; ++o) {
    double before = ends_[o].base;
    for (std::size_t i = 0; i <= last; ++i) {
      const double after = i == last ? ends_[o].full : worths[i * num_outputs + o];
      gains[o * order.size() + order[i]] += after - before;
      before = after;
    }
  }
  return worths + last * num_outputs;
}

std::vector<ShapleyValues> PermutationShapley::values() const {
  std::vector<ShapleyValues> outputs = ends_;
  const auto n = static_cast<double>(num_pairs_);
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    for (std::size_t i = 0; i < game_.num_players; ++i) {
      const double mean = sums_[o * game_.num_players + i] / n;
      const double square = squares_[o * game_.num_players + i] / n;
      outputs[o].values[i] = mean;
      outputs[o].errors[i] = std::sqrt(std::max(0.0, square - mean * mean) / (n - 1));
    }
  }
  return outputs;
}

}  // namespace glassrank
