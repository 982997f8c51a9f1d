#include "glassrank/studies/leaf_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "glassrank/base/parallel.h"
#include "glassrank/data/relevance.h"

namespace glassrank {
namespace {

double mean_of_busiest(const Tree& tree, std::span<const std::size_t> counts,
                       std::size_t num_leaves) {
  std::vector<std::size_t> leaves(counts.size());
  std::iota(leaves.begin(), leaves.end(), std::size_t{0});
  std::ranges::stable_sort(leaves, std::greater<>(), [&](std::size_t l) { return counts[l]; });
  if (num_leaves == 0) {
    num_leaves = static_cast<std::size_t>(std::ceil(0.075 * static_cast<double>(leaves.size())));
  }
  double sum = 0;
  std::size_t used = 0;
  for (const std::size_t leaf : leaves) {
    if (used == num_leaves || counts[leaf] == 0) break;
    sum += tree.leaf_values[leaf];
    ++used;
  }
  return used == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(used);
}

// One tree of one group; adds its values to the scores of the documents.
struct GroupProbe {
  const Dataset& data;
  const DocumentGroup& group;
  std::vector<double> scores;

  double leaf_score(const Tree& tree, std::size_t num_leaves, const Context& context) {
    std::vector<std::uint32_t> leaves(group.rows.size());
    parallel_for(context, leaves.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        leaves[i] = static_cast<std::uint32_t>(leaf_of(tree, data.row(group.rows[i])));
        scores[i] += tree.leaf_values[leaves[i]];
      }
    });
    std::vector<std::size_t> counts(tree.num_leaves());
    for (const std::uint32_t leaf : leaves) ++counts[leaf];
    return mean_of_busiest(tree, counts, num_leaves);
  }

  double so_far() const {
    if (scores.empty()) return std::numeric_limits<double>::quiet_NaN();
    return std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
  }
};

}  // namespace

DocumentGroup relevant_at_top(const Dataset& data, std::span<const double> scores,
                              std::size_t cutoff, double negative_grade) {
  DocumentGroup group{.name = "P_k", .rows = {}};
  std::vector<std::uint32_t> order;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    order.resize(rows.size());
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(rows.begin));
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t r) { return scores[r]; });
    order.resize(std::min(cutoff, order.size()));
    for (const std::uint32_t row : order) {
      if (is_relevant(data.grades()[row], negative_grade)) group.rows.push_back(row);
    }
  }
  std::ranges::sort(group.rows);
  return group;
}

DocumentGroup other_negatives(const Dataset& data, std::span<const std::uint32_t> outliers,
                              double negative_grade) {
  DocumentGroup group{.name = "N", .rows = {}};
  for (std::uint32_t row = 0; row < data.num_rows(); ++row) {
    if (!is_relevant(data.grades()[row], negative_grade) &&
        !std::ranges::binary_search(outliers, row)) {
      group.rows.push_back(row);
    }
  }
  return group;
}

LeafScores probe_leaves(const Forest& forest, const Dataset& data,
                        std::span<const DocumentGroup> groups, std::size_t num_trees,
                        std::size_t num_leaves, const Context& context) {
  LeafScores result;
  const std::size_t last = std::min(num_trees, forest.trees().size());
  for (const DocumentGroup& group : groups) {
    GroupProbe probe{.data = data,
                     .group = group,
                     .scores = std::vector<double>(group.rows.size(), forest.base_score())};
    std::vector<double> leaf;
    std::vector<double> so_far;
    for (std::size_t t = 0; t < last; ++t) {
      context.check_stop();
      leaf.push_back(probe.leaf_score(forest.trees()[t], num_leaves, context));
      so_far.push_back(probe.so_far());
    }
    result.leaf.push_back(std::move(leaf));
    result.so_far.push_back(std::move(so_far));
  }
  return result;
}

}  // namespace glassrank
