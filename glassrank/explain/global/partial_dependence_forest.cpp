#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/explain/global/feature_cells.h"
#include "glassrank/explain/global/partial_dependence.h"
#include "glassrank/models/forest/forest_scorer.h"

namespace glassrank {
namespace {

// A number for every leaf of some trees, one tree after the other.
using LeafWeights = std::vector<double>;

constexpr std::size_t kMostParts = 64;
constexpr std::size_t kLeastRows = 1024;
// Rows that go down one tree before the next: they stay in the second-level cache, the tree in the
// first.
constexpr std::size_t kRowsAtOnce = 128;

// A node as rows meet it.
struct StepNode {
  std::uint32_t feature = 0;
  float threshold = 0;
  std::int32_t left = 0;
  std::int32_t right = 0;
  float zero_bound = -1;  // |x| up to it, and NaN, count as missing
  bool missing_left = false;
  bool is_asked = false;                    // of the grid's features: rows go both ways
  const CategorySet* categories = nullptr;  // if there is one, it decides
};

// The trees that ask the features, and where each one's leaves begin in LeafWeights.
struct AskingTrees {
  std::vector<std::vector<StepNode>> nodes;
  std::vector<const Tree*> trees;
  std::vector<std::size_t> first_leaf;
  std::size_t num_leaves = 0;
  std::size_t most_nodes = 0;  // of a tree
};

bool is_asked(const PointGrid& grid, std::uint32_t feature) {
  return std::ranges::find(grid.features, feature) != grid.features.end();
}

std::vector<StepNode> step_nodes(const Tree& tree, const PointGrid& grid) {
  std::vector<StepNode> nodes;
  for (const TreeNode& node : tree.nodes) {
    nodes.push_back({.feature = node.feature,
                     .threshold = node.threshold,
                     .left = node.left,
                     .right = node.right,
                     .zero_bound = node.zero_is_missing ? kZeroThreshold : -1,
                     .missing_left = node.missing_left,
                     .is_asked = is_asked(grid, node.feature),
                     .categories = node.asks_category() ? &node.categories : nullptr});
  }
  return nodes;
}

// Adds the row's weight to every leaf that it reaches for some values of the grid's features.
// `stack` has room for the depth of the tree.
void add_row(const StepNode* nodes, const float* row, double weight, double* weights,
             std::int32_t* stack) {
  std::size_t size = 1;
  stack[0] = 0;
  while (size > 0) {
    std::int32_t at = stack[--size];
    while (at >= 0) {
      const StepNode& node = nodes[at];
      if (node.is_asked) {
        stack[size++] = node.right;
        at = node.left;
        continue;
      }
      const float value = row[node.feature];
      const bool is_there = std::abs(value) > node.zero_bound;  // not of NaN
      const bool passes =
          node.categories == nullptr ? value <= node.threshold : node.categories->contains(value);
      const bool left = is_there ? passes : node.missing_left;
      at = left ? node.left : node.right;
    }
    weights[~at] += weight;
  }
}

LeafWeights leaf_weights(const AskingTrees& asking, const WeightedRows& data,
                         const Context& context) {
  const std::size_t num_rows = data.rows.num_rows();
  const std::size_t chunk = std::max(kLeastRows, (num_rows + kMostParts - 1) / kMostParts);
  return ordered_reduce(
      context, num_rows, chunk, LeafWeights(asking.num_leaves),
      [&](std::size_t begin, std::size_t end) {
        context.check_stop();
        LeafWeights part(asking.num_leaves);
        std::vector<std::int32_t> stack(asking.most_nodes + 1);
        for (std::size_t block = begin; block < end; block += kRowsAtOnce) {
          const std::size_t block_end = std::min(block + kRowsAtOnce, end);
          for (std::size_t t = 0; t < asking.trees.size(); ++t) {
            for (std::size_t r = block; r < block_end; ++r) {
              add_row(asking.nodes[t].data(), data.rows.row(r).data(), data.weight(r),
                      part.data() + asking.first_leaf[t], stack.data());
            }
          }
        }
        return part;
      },
      [](LeafWeights& total, LeafWeights&& part) {
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
      });
}

// The weighted sum of a tree's values at one point of its features: over the leaves that the point
// leads to.
double sum_at(const Tree& tree, const PointGrid& point, std::span<const float> at_point,
              const double* weights, std::vector<std::int32_t>& stack) {
  double sum = 0;
  stack.assign(1, tree.nodes.empty() ? ~0 : 0);
  while (!stack.empty()) {
    std::int32_t at = stack.back();
    stack.pop_back();
    while (at >= 0) {
      const TreeNode& node = tree.nodes[static_cast<std::size_t>(at)];
      const auto found = std::ranges::find(point.features, node.feature);
      if (found == point.features.end()) {
        stack.push_back(node.right);
        at = node.left;
      } else {
        const float value = at_point[static_cast<std::size_t>(found - point.features.begin())];
        at = goes_left(node, value) ? node.left : node.right;
      }
    }
    sum += weights[~at] * tree.leaf_values[static_cast<std::size_t>(~at)];
  }
  return sum;
}

// A tree's weighted sum in each of its own cells, which are few, and which of them every point of
// the grid is in.
struct TreeTable {
  std::vector<double> sums;                       // row-major over the cells of the features
  std::vector<std::vector<std::uint32_t>> cells;  // of the values of each feature
  std::size_t width = 1;                          // cells of the last feature
};

TreeTable table_of(const Tree& tree, const PointGrid& grid, const double* weights) {
  TreeTable table;
  std::vector<std::vector<float>> values;
  for (std::size_t f = 0; f < grid.features.size(); ++f) {
    const GamAxis axis = feature_cells({&tree, 1}, grid.features[f]);
    values.push_back(values_in_cells(axis));
    table.cells.emplace_back();
    for (const float value : grid.values[f]) {
      table.cells.back().push_back(static_cast<std::uint32_t>(axis.cell(value)));
    }
  }
  if (values.size() == 1) values.insert(values.begin(), {0.0F});
  table.width = values[1].size();
  std::vector<std::int32_t> stack;
  for (const float first : values[0]) {
    for (const float second : values[1]) {
      const float both[] = {first, second};
      const std::span<const float> point =
          grid.features.size() == 1 ? std::span(both).subspan(1) : std::span(both);
      table.sums.push_back(sum_at(tree, grid, point, weights, stack));
    }
  }
  return table;
}

void add_table(const TreeTable& table, std::vector<double>& sums) {
  std::size_t point = 0;
  if (table.cells.size() == 1) {
    for (const std::uint32_t cell : table.cells[0]) sums[point++] += table.sums[cell];
    return;
  }
  for (const std::uint32_t first : table.cells[0]) {
    const double* const row = table.sums.data() + first * table.width;
    for (const std::uint32_t second : table.cells[1]) sums[point++] += row[second];
  }
}

// The weighted sum of the scores by the trees that do not ask the features.
double sum_of_others(const Forest& forest, std::vector<Tree> others, const WeightedRows& data,
                     const Context& context) {
  const ForestScorer scorer(Forest({.trees = std::move(others),
                                    .num_features = forest.num_features(),
                                    .feature_names = {},
                                    .base_score = forest.base_score(),
                                    .objective = {}}));
  std::vector<double> scores(data.rows.num_rows());
  scorer.score(data.rows, scores, context);
  double sum = 0;
  for (std::size_t r = 0; r < scores.size(); ++r) sum += data.weight(r) * scores[r];
  return sum;
}

}  // namespace

std::vector<double> forest_mean_scores_at(const Forest& forest, const PointGrid& grid,
                                          const WeightedRows& data, const Context& context) {
  AskingTrees asking;
  std::vector<Tree> others;
  for (const Tree& tree : forest.trees()) {
    const bool asks = std::ranges::any_of(
        tree.nodes, [&](const TreeNode& node) { return is_asked(grid, node.feature); });
    if (!asks) {
      others.push_back(tree);
      continue;
    }
    asking.trees.push_back(&tree);
    asking.nodes.push_back(step_nodes(tree, grid));
    asking.most_nodes = std::max(asking.most_nodes, tree.nodes.size());
    asking.first_leaf.push_back(asking.num_leaves);
    asking.num_leaves += tree.num_leaves();
  }
  const LeafWeights weights = leaf_weights(asking, data, context);
  std::vector<TreeTable> tables(asking.trees.size());
  parallel_for(context, tables.size(), 1, [&](std::size_t t, std::size_t) {
    tables[t] = table_of(*asking.trees[t], grid, weights.data() + asking.first_leaf[t]);
  });
  std::vector<double> means(grid.num_points(),
                            sum_of_others(forest, std::move(others), data, context));
  for (const TreeTable& table : tables) add_table(table, means);
  const double total = data.total();
  for (double& mean : means) mean /= total;
  return means;
}

}  // namespace glassrank
