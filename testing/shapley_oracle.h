#pragma once
// For tests: Shapley values and interactions of any game by its definition, over all 2^n
// coalitions; and the games of forests, as plain as they can be said.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

using Coalition = std::uint32_t;  // bit f: feature f is known

inline double factorial(std::size_t n) {
  double product = 1;
  for (std::size_t i = 2; i <= n; ++i) product *= static_cast<double>(i);
  return product;
}

// v of every coalition.
template <typename Game>
std::vector<double> all_coalitions(std::size_t num_features, const Game& game) {
  std::vector<double> values(std::size_t{1} << num_features);
  for (Coalition s = 0; s < values.size(); ++s) values[s] = game(s);
  return values;
}

// sum over S without i of |S|! (n - |S| - 1)! / n! (v(S + i) - v(S))
inline std::vector<double> brute_shapley(std::size_t n, std::span<const double> v) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (Coalition s = 0; s < v.size(); ++s) {
      if ((s >> i & 1) != 0) continue;
      const auto size = static_cast<std::size_t>(std::popcount(s));
      const double weight = factorial(size) * factorial(n - size - 1) / factorial(n);
      values[i] += weight * (v[s | Coalition{1} << i] - v[s]);
    }
  }
  return values;
}

// The whole interaction of i and j, as Owen and Grabisch define it: sum over S without i and j of
// |S|! (n - |S| - 2)! / (n - 1)! (v(S + i + j) - v(S + i) - v(S + j) + v(S)). By i * n + j, i < j.
inline std::vector<double> brute_interactions(std::size_t n, std::span<const double> v) {
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const Coalition with_i = Coalition{1} << i;
      const Coalition with_j = Coalition{1} << j;
      for (Coalition s = 0; s < v.size(); ++s) {
        if ((s & (with_i | with_j)) != 0) continue;
        const auto size = static_cast<std::size_t>(std::popcount(s));
        const double weight = factorial(size) * factorial(n - size - 2) / factorial(n - 1);
        values[i * n + j] +=
            weight * (v[s | with_i | with_j] - v[s | with_i] - v[s | with_j] + v[s]);
      }
    }
  }
  return values;
}

inline double path_dependent_value(const Tree& tree, std::span<const NodeShares> shares,
                                   std::span<const float> row, Coalition known,
                                   std::int32_t at = 0) {
  if (tree.nodes.empty()) return tree.leaf_values[0];
  if (at < 0) return tree.leaf_values[static_cast<std::size_t>(~at)];
  const auto n = static_cast<std::size_t>(at);
  const TreeNode& node = tree.nodes[n];
  const auto below = [&](std::int32_t child) {
    return path_dependent_value(tree, shares, row, known, child);
  };
  if ((known >> node.feature & 1) != 0) {
    return below(goes_left(node, row[node.feature]) ? node.left : node.right);
  }
  return shares[n].left * below(node.left) + shares[n].right * below(node.right);
}

inline std::vector<double> path_dependent_game(const Forest& forest, Cover cover,
                                               std::span<const float> row) {
  return all_coalitions(forest.num_features(), [&](Coalition known) {
    double sum = forest.base_score();
    for (const Tree& tree : forest.trees()) {
      sum += path_dependent_value(tree, node_shares(tree, cover), row, known);
    }
    return sum;
  });
}

// Any model with score(row); background rows one after the other.
template <typename Ranker>
std::vector<double> interventional_game(const Ranker& model, std::span<const float> row,
                                        std::span<const float> background) {
  const std::size_t width = row.size();
  const std::size_t num_rows = background.size() / width;
  return all_coalitions(width, [&](Coalition known) {
    double sum = 0;
    for (std::size_t b = 0; b < num_rows; ++b) {
      std::vector<float> mixed(background.begin() + static_cast<std::ptrdiff_t>(b * width),
                               background.begin() + static_cast<std::ptrdiff_t>((b + 1) * width));
      for (std::size_t f = 0; f < width; ++f) {
        if ((known >> f & 1) != 0) mixed[f] = row[f];
      }
      sum += model.score(mixed);
    }
    return sum / static_cast<double>(num_rows);
  });
}

// The same forest with leaf counts and hessians of its own, a few of them 0.
inline Forest with_random_cover(const Forest& forest, std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "cover"));
  ForestParts parts{.trees = {forest.trees().begin(), forest.trees().end()},
                    .num_features = forest.num_features(),
                    .feature_names = {},
                    .base_score = forest.base_score(),
                    .objective = {}};
  for (Tree& tree : parts.trees) {
    tree.statistics = {};
    for (std::size_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
      tree.statistics.leaf_count.push_back(random.below(4) == 0 ? 0 : random.below(100));
      tree.statistics.leaf_weight.push_back(random.below(4) == 0 ? 0 : random.uniform());
    }
  }
  return Forest(std::move(parts));
}

}  // namespace glassrank
