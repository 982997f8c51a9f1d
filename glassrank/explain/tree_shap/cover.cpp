#include "glassrank/explain/tree_shap/cover.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/models/gam/distil.h"

namespace glassrank {
namespace {

bool has_cover(const Tree& tree, Cover cover) {
  if (tree.nodes.empty()) return true;  // one leaf: no row ever goes two ways
  const TreeStatistics& s = tree.statistics;
  const std::size_t known = cover == Cover::kCount ? s.leaf_count.size() : s.leaf_weight.size();
  return known == tree.num_leaves();
}

bool has_cover(const Forest& forest, Cover cover) {
  return std::ranges::all_of(forest.trees(), [&](const Tree& t) { return has_cover(t, cover); });
}

// The value of a child: a leaf's own, or what has been worked out for the node.
double of_child(std::int32_t child, std::span<const double> of_leaves,
                std::span<const double> of_nodes) {
  return child < 0 ? of_leaves[static_cast<std::size_t>(~child)]
                   : of_nodes[static_cast<std::size_t>(child)];
}

std::vector<double> leaf_cover(const Tree& tree, Cover cover) {
  const TreeStatistics& s = tree.statistics;
  std::vector<double> covers = s.leaf_weight;
  if (cover == Cover::kCount) covers.assign(s.leaf_count.begin(), s.leaf_count.end());
  for (std::size_t leaf = 0; leaf < covers.size(); ++leaf) {
    if (!std::isfinite(covers[leaf]) || covers[leaf] < 0) {
      fail(ErrorKind::kInput, "leaf {}: cover {}; it must be finite and not negative", leaf,
           covers[leaf]);
    }
  }
  return covers;
}

void count_rows(Tree& tree, const Dataset& data) {
  TreeStatistics& s = tree.statistics;
  s.leaf_count.assign(tree.num_leaves(), 0);
  for (std::size_t r = 0; r < data.num_rows(); ++r) ++s.leaf_count[leaf_of(tree, data.row(r))];
  s.node_count.assign(tree.nodes.size(), 0);
  const std::vector<std::size_t> order = parents_first(tree);
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const std::int32_t child : {tree.nodes[order[i]].left, tree.nodes[order[i]].right}) {
      s.node_count[order[i]] += child < 0 ? s.leaf_count[static_cast<std::size_t>(~child)]
                                          : s.node_count[static_cast<std::size_t>(child)];
    }
  }
}

}  // namespace

std::span<const std::pair<std::string_view, Cover>> EnumNames<Cover>::table() {
  static constexpr std::array kTable = {
      std::pair<std::string_view, Cover>{"auto", Cover::kAuto},
      std::pair<std::string_view, Cover>{"count", Cover::kCount},
      std::pair<std::string_view, Cover>{"hessian", Cover::kHessian},
  };
  return kTable;
}

bool knows_cover(const Forest& forest) {
  return has_cover(forest, Cover::kCount) || has_cover(forest, Cover::kHessian);
}

Cover resolve_cover(const Forest& forest, Cover cover) {
  const bool counts = has_cover(forest, Cover::kCount);
  const bool hessians = has_cover(forest, Cover::kHessian);
  if (cover == Cover::kCount ? counts : cover == Cover::kHessian ? hessians : counts || hessians) {
    if (cover != Cover::kAuto) return cover;
    return counts ? Cover::kCount : Cover::kHessian;
  }
  if (counts || hessians) {
    fail(ErrorKind::kInput, "the model does not know the {} of its leaves; take cover {}",
         counts ? "hessians" : "counts", counts ? "count" : "hessian");
  }
  fail(ErrorKind::kInput,
       "the model does not know how many rows reached its leaves, so path-dependent values cannot "
       "be told; count the rows of a data set first (cover from data), or ask for interventional "
       "values with background rows");
}

std::vector<std::size_t> parents_first(const Tree& tree) {
  std::vector<std::size_t> order;
  if (!tree.nodes.empty()) order.push_back(0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TreeNode& node = tree.nodes[order[i]];
    if (node.left >= 0) order.push_back(static_cast<std::size_t>(node.left));
    if (node.right >= 0) order.push_back(static_cast<std::size_t>(node.right));
  }
  return order;
}

std::vector<NodeShares> node_shares(const Tree& tree, Cover cover) {
  if (tree.nodes.empty()) return {};
  const std::vector<double> leaves = leaf_cover(tree, cover);
  std::vector<double> sums(tree.nodes.size());
  std::vector<NodeShares> shares(tree.nodes.size());
  const std::vector<std::size_t> order = parents_first(tree);
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t n = order[i];
    const double left = of_child(tree.nodes[n].left, leaves, sums);
    const double right = of_child(tree.nodes[n].right, leaves, sums);
    sums[n] = left + right;
    shares[n] = sums[n] > 0 ? NodeShares{.left = left / sums[n], .right = right / sums[n]}
                            : NodeShares{.left = 0.5, .right = 0.5};
  }
  return shares;
}

std::vector<double> node_means(const Tree& tree, std::span<const NodeShares> shares) {
  std::vector<double> means(tree.nodes.size());
  const std::vector<std::size_t> order = parents_first(tree);
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t n = order[i];
    means[n] = shares[n].left * of_child(tree.nodes[n].left, tree.leaf_values, means) +
               shares[n].right * of_child(tree.nodes[n].right, tree.leaf_values, means);
  }
  return means;
}

double tree_mean(const Tree& tree, std::span<const NodeShares> shares) {
  return tree.nodes.empty() ? tree.leaf_values.front() : node_means(tree, shares).front();
}

Forest with_cover_from(const Forest& forest, const Dataset& data, const Context& context) {
  if (data.num_rows() == 0) fail(ErrorKind::kUsage, "cover from data: the data has no rows");
  if (data.num_features() < forest.num_features()) {
    fail(ErrorKind::kUsage, "cover from data of {} features for a model of {}", data.num_features(),
         forest.num_features());
  }
  ForestParts parts{.trees = {forest.trees().begin(), forest.trees().end()},
                    .num_features = forest.num_features(),
                    .feature_names = {forest.feature_names().begin(), forest.feature_names().end()},
                    .base_score = forest.base_score(),
                    .objective = forest.objective(),
                    .categories = forest.categories()};
  parallel_for(context, parts.trees.size(), 1, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    for (std::size_t t = begin; t < end; ++t) count_rows(parts.trees[t], data);
  });
  return Forest(std::move(parts));
}

Model with_known_cover(const Model& model, const Dataset& data, const Context& context) {
  return match(
      model,
      [&](const Forest& forest) {
        if (knows_cover(forest)) return model;
        Model known = model;
        known.body = with_cover_from(forest, data, context);
        return known;
      },
      [&](const Gam& gam) {
        Model known = model;
        known.body = with_missing_weights(gam, data, context);
        return known;
      },
      [&](const auto&) { return model; });
}

}  // namespace glassrank
