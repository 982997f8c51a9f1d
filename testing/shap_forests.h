#pragma once
// For tests: forests with cover that are larger or deeper than random_forests.h makes them.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// A forest of many small trees and a few large ones, and rows for it.
struct Example {
  Forest forest;
  std::vector<float> rows;
};

inline Example large_example(std::size_t num_trees, std::size_t num_rows) {
  RandomSequence random(CounterRandom(5, "large example"));
  constexpr std::size_t kFeatures = 20;
  ForestParts parts{.trees = {}, .num_features = kFeatures};
  for (std::size_t t = 0; t < num_trees; ++t) {
    Tree tree{.nodes = {}, .leaf_values = {random.normal()}, .statistics = {.leaf_count = {64}}};
    const std::size_t num_nodes = 1 + random.below(t % 5 == 0 ? 60 : 9);
    std::vector<std::int32_t*> hanging;
    tree.nodes.reserve(num_nodes);
    for (std::size_t n = 0; n < num_nodes; ++n) {
      if (n > 0) {
        const std::size_t at = random.below(hanging.size());
        *hanging[at] = static_cast<std::int32_t>(n);
        hanging.erase(hanging.begin() + static_cast<std::ptrdiff_t>(at));
      }
      tree.nodes.push_back({.feature = static_cast<std::uint32_t>(random.below(kFeatures)),
                            .threshold = static_cast<float>(random.normal()),
                            .missing_left = random.below(2) == 0});
      hanging.push_back(&tree.nodes.back().left);
      hanging.push_back(&tree.nodes.back().right);
    }
    tree.leaf_values.clear();
    tree.statistics.leaf_count.clear();
    for (std::int32_t* child : hanging) {
      *child = ~static_cast<std::int32_t>(tree.leaf_values.size());
      tree.leaf_values.push_back(random.normal());
      tree.statistics.leaf_count.push_back(random.below(50));
    }
    parts.trees.push_back(std::move(tree));
  }
  Example example{.forest = Forest(std::move(parts)), .rows = {}};
  for (std::size_t i = 0; i < num_rows * kFeatures; ++i) {
    example.rows.push_back(random.below(20) == 0 ? std::nanf("")
                                                 : static_cast<float>(random.normal()));
  }
  return example;
}

// Feature n at node n, going right down a chain; every feature halves what is left.
inline Forest chain(std::size_t depth) {
  Tree tree;
  for (std::size_t n = 0; n < depth; ++n) {
    const bool is_last = n + 1 == depth;
    tree.nodes.push_back(
        {.feature = static_cast<std::uint32_t>(n),
         .threshold = 0,
         .left = ~static_cast<std::int32_t>(n),
         .right = is_last ? ~static_cast<std::int32_t>(depth) : static_cast<std::int32_t>(n + 1)});
    tree.leaf_values.push_back(0);
  }
  tree.leaf_values.push_back(1);
  tree.statistics.leaf_weight.assign(depth + 1, 0);
  double left = 1;
  for (std::size_t n = 0; n < depth; ++n) tree.statistics.leaf_weight[n] = left /= 2;
  tree.statistics.leaf_weight[depth] = left;
  return Forest({.trees = {tree}, .num_features = depth});
}

}  // namespace glassrank
