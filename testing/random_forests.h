#pragma once
// For tests: forests of any shape and the rows that tell them apart.

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/random.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {

struct RandomForestShape {
  bool zero_is_missing = true;
  bool infinite_thresholds = true;
  bool float_leaves = false;  // leaf values and base score are float32 numbers
  bool statistics = true;
  bool names = true;
  std::size_t features_per_tree = 0;  // at most; 0: any number
};

class ForestMaker {
 public:
  explicit ForestMaker(std::uint64_t seed) : random_(CounterRandom(seed, "forest")) {}

  Forest forest(const RandomForestShape& shape) {
    ForestParts parts;
    parts.num_features = 1 + random_.below(9);
    const std::size_t num_trees = random_.below(6);
    for (std::size_t t = 0; t < num_trees; ++t) {
      parts.trees.push_back(tree(shape, parts.num_features));
    }
    if (shape.names && random_.below(2) == 0) {
      for (std::size_t f = 0; f < parts.num_features; ++f) {
        parts.feature_names.push_back(fmt::format("feature_{}", f));
      }
    }
    if (random_.below(2) == 0) parts.base_score = leaf_value(shape);
    parts.objective = random_.below(2) == 0 ? "lambdarank" : "";
    return Forest(std::move(parts));
  }

  // Values on, just beside and away from the forest's thresholds, zeros and missing ones.
  std::vector<float> row(const Forest& forest) {
    std::vector<float> values(forest.num_features());
    for (float& value : values) value = any_float();
    for (const Tree& tree : forest.trees()) {
      for (const TreeNode& node : tree.nodes) {
        if (random_.below(2) == 0) values[node.feature] = beside(node.threshold);
      }
    }
    return values;
  }

 private:
  float any_float() {
    constexpr std::array kSpecial = {0.0F,
                                     -0.0F,
                                     1e-36F,
                                     -1e-36F,
                                     1e-35F,
                                     -1e-35F,
                                     1e-45F,
                                     1.0F,
                                     std::numeric_limits<float>::max(),
                                     std::numeric_limits<float>::lowest(),
                                     std::numeric_limits<float>::quiet_NaN()};
    if (random_.below(3) == 0) return kSpecial[random_.below(kSpecial.size())];
    return static_cast<float>(random_.normal());
  }
  float beside(float value) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::uint64_t side = random_.below(3);
    return side == 0 ? value : std::nextafter(value, side == 1 ? kInfinity : -kInfinity);
  }
  float threshold(const RandomForestShape& shape) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (shape.infinite_thresholds && random_.below(10) == 0) {
      return random_.below(2) == 0 ? kInfinity : -kInfinity;
    }
    const float value = any_float();
    return std::isnan(value) ? 0.5F : value;
  }
  double leaf_value(const RandomForestShape& shape) {
    const double value = random_.normal() / 3;
    return shape.float_leaves ? static_cast<double>(static_cast<float>(value)) : value;
  }

  // Splits random leaves, numbering nodes and leaves as leaf-wise growth does.
  Tree tree(const RandomForestShape& shape, std::size_t num_features) {
    Tree tree;
    tree.leaf_values = {leaf_value(shape)};
    std::vector<std::pair<std::int32_t, bool>> parents = {{-1, false}};  // of each leaf
    const std::size_t num_nodes = random_.below(20);
    for (std::size_t n = 0; n < num_nodes; ++n) {
      const auto leaf = static_cast<std::size_t>(random_.below(tree.leaf_values.size()));
      const auto index = static_cast<std::int32_t>(n);
      const auto [parent, is_left] = parents[leaf];
      if (parent >= 0) {
        TreeNode& above = tree.nodes[static_cast<std::size_t>(parent)];
        (is_left ? above.left : above.right) = index;
      }
      tree.nodes.push_back({.feature = static_cast<std::uint32_t>(random_.below(num_features)),
                            .threshold = threshold(shape),
                            .left = ~static_cast<std::int32_t>(leaf),
                            .right = ~static_cast<std::int32_t>(tree.leaf_values.size()),
                            .missing_left = random_.below(2) == 0,
                            .zero_is_missing = shape.zero_is_missing && random_.below(4) == 0});
      parents[leaf] = {index, true};
      parents.emplace_back(index, false);
      tree.leaf_values.push_back(leaf_value(shape));
    }
    if (shape.features_per_tree > 0) {
      std::vector<std::uint32_t> kept;
      for (std::size_t f = 0; f < shape.features_per_tree; ++f) {
        kept.push_back(static_cast<std::uint32_t>(random_.below(num_features)));
      }
      for (TreeNode& node : tree.nodes) node.feature = kept[node.feature % kept.size()];
    }
    if (shape.statistics && random_.below(2) == 0) add_statistics(tree);
    return tree;
  }

  void add_statistics(Tree& tree) {
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      tree.statistics.node_gain.push_back(random_.uniform());
      tree.statistics.node_value.push_back(random_.normal());
      tree.statistics.node_weight.push_back(random_.uniform());
      tree.statistics.node_count.push_back(random_() >> 20);
    }
    for (std::size_t leaf = 0; leaf < tree.leaf_values.size(); ++leaf) {
      tree.statistics.leaf_weight.push_back(random_.uniform());
      tree.statistics.leaf_count.push_back(random_.below(1000));
    }
  }

  RandomSequence random_;
};

inline bool same_trees(const Forest& a, const Forest& b) {
  return std::vector<Tree>(a.trees().begin(), a.trees().end()) ==
         std::vector<Tree>(b.trees().begin(), b.trees().end());
}

inline bool same_forest(const Forest& a, const Forest& b) {
  return same_trees(a, b) && a.num_features() == b.num_features() &&
         std::vector<std::string>(a.feature_names().begin(), a.feature_names().end()) ==
             std::vector<std::string>(b.feature_names().begin(), b.feature_names().end()) &&
         a.base_score() == b.base_score() && a.objective() == b.objective();
}

}  // namespace glassrank
