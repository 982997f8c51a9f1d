#pragma once
// For tests: forests with sets of categories, and forests of thresholds that are the same.
//
// Every feature has one set of its own: in the twin it is replaced by whether the value is in it
// (0) or not (1), and the node asks x <= 0.5. Both score, and are explained, alike.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "glassrank/base/matrix_view.h"
#include "glassrank/base/random.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank::testing {

struct CategoryTwins {
  Forest sets;
  Forest thresholds;
  std::vector<CategorySet> set_of_feature;

  // The rows of the twin; missing values stay so.
  std::vector<float> twin_rows(const std::vector<float>& rows) const {
    std::vector<float> twins = rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (std::isnan(rows[i])) continue;
      twins[i] = set_of_feature[i % set_of_feature.size()].contains(rows[i]) ? 0.0F : 1.0F;
    }
    return twins;
  }
};

// Random trees of `num_leaves` leaves with all statistics; leaf values are multiples of 1/64, so
// that sums are exact.
inline Tree random_category_tree(RandomSequence& random, std::size_t num_leaves,
                                 const std::vector<CategorySet>& sets) {
  Tree tree;
  tree.leaf_values.resize(num_leaves);
  for (double& value : tree.leaf_values) {
    value = (static_cast<double>(random.below(257)) - 128) / 64;
  }
  // Leaf n is split by node n - 1, which hangs where a random leaf was.
  for (std::size_t n = 0; n + 1 < num_leaves; ++n) {
    const auto leaf = static_cast<std::int32_t>(random.below(n + 1));
    for (TreeNode& above : tree.nodes) {
      if (above.left == ~leaf) above.left = static_cast<std::int32_t>(n);
      if (above.right == ~leaf) above.right = static_cast<std::int32_t>(n);
    }
    const auto feature = static_cast<std::uint32_t>(random.below(sets.size()));
    tree.nodes.push_back({.feature = feature,
                          .left = ~leaf,
                          .right = ~static_cast<std::int32_t>(n + 1),
                          .missing_left = random.below(2) == 0,
                          .categories = sets[feature]});
  }
  TreeStatistics& known = tree.statistics;
  for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
    known.leaf_count.push_back(1 + random.below(50));
    known.leaf_weight.push_back(static_cast<double>(known.leaf_count.back()));
  }
  known.node_count.resize(tree.nodes.size());
  known.node_weight.resize(tree.nodes.size());
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    for (const std::int32_t child : {tree.nodes[n].left, tree.nodes[n].right}) {
      known.node_count[n] += child < 0 ? known.leaf_count[static_cast<std::size_t>(~child)]
                                       : known.node_count[static_cast<std::size_t>(child)];
    }
    known.node_weight[n] = static_cast<double>(known.node_count[n]);
  }
  return tree;
}

inline CategoryTwins category_twins(std::uint64_t seed, std::size_t num_trees,
                                    std::size_t num_leaves, std::size_t num_features = 4) {
  RandomSequence random(CounterRandom(seed, "category_twins"));
  CategoryTwins twins;
  for (std::size_t f = 0; f < num_features; ++f) {
    std::vector<std::uint32_t> codes;
    for (std::uint32_t code = 0; code < 9 + 40 * f; ++code) {
      if (random.below(3) == 0) codes.push_back(code);
    }
    twins.set_of_feature.emplace_back(codes);
  }
  ForestParts sets{.num_features = num_features, .base_score = 0.25};
  for (std::size_t t = 0; t < num_trees; ++t) {
    sets.trees.push_back(random_category_tree(random, num_leaves, twins.set_of_feature));
  }
  ForestParts thresholds = sets;
  for (Tree& tree : thresholds.trees) {
    for (TreeNode& node : tree.nodes) {
      node.categories = {};
      node.threshold = 0.5F;
    }
  }
  twins.sets = Forest(std::move(sets));
  twins.thresholds = Forest(std::move(thresholds));
  return twins;
}

// Categories, fractions, negative, unseen and missing values.
inline std::vector<float> category_rows(std::uint64_t seed, std::size_t num_rows,
                                        std::size_t num_features = 4) {
  RandomSequence random(CounterRandom(seed, "category_rows"));
  std::vector<float> rows(num_rows * num_features);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<float>(random.below(10 + 40 * (i % num_features)));
    const std::uint64_t kind = random.below(12);
    if (kind == 0) rows[i] = std::numeric_limits<float>::quiet_NaN();
    if (kind == 1) rows[i] = -1 - rows[i];
    if (kind == 2) rows[i] += 0.75F;
    if (kind == 3) rows[i] = 1e9F;
    if (kind == 4) rows[i] = -0.5F;
  }
  return rows;
}

}  // namespace glassrank::testing
