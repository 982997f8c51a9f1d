#include "glassrank/models/gam/gam_forest.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace glassrank {
namespace {

// Writes the tree of one effect.
class TreeWriter {
 public:
  explicit TreeWriter(const GamEffect& effect) : effect_(effect) {}

  Tree take() {
    add_axis(0, 0);
    if (tree_.nodes.empty()) make_a_split();
    return std::move(tree_);
  }

 private:
  // The cells of axis `a` from cell `first` on: those of a slice that fixes all earlier axes. Gives
  // the child number of its root.
  std::int32_t add_axis(std::size_t a, std::size_t first) {
    const GamAxis& axis = effect_.axes[a];
    const std::size_t slice = a + 1 < effect_.axes.size() ? effect_.axes[a + 1].num_cells() : 1;
    const auto start = [&](std::size_t cell) { return first + cell * slice; };
    // Edges between cells that differ: all others need no node.
    std::vector<std::size_t> cuts;
    for (std::size_t i = 0; i < axis.edges.size(); ++i) {
      if (!same(start(i), start(i + 1), slice)) cuts.push_back(i);
    }
    Slice here{.axis = a, .first = first, .slice = slice, .cuts = std::move(cuts)};
    here.missing_cell = cell_like_missing(here);
    return add_halves(here, 0, here.cuts.size(), true);
  }

  struct Slice {
    std::size_t axis = 0;
    std::size_t first = 0;
    std::size_t slice = 1;
    std::vector<std::size_t> cuts;
    std::size_t missing_cell = 0;  // the cell whose way a missing value goes
  };

  bool same(std::size_t a, std::size_t b, std::size_t size) const {
    return std::equal(effect_.values.begin() + static_cast<std::ptrdiff_t>(a),
                      effect_.values.begin() + static_cast<std::ptrdiff_t>(a + size),
                      effect_.values.begin() + static_cast<std::ptrdiff_t>(b),
                      [](double x, double y) {
                        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
                      });
  }

  // A cell of the same values as the missing cell, that of 0 first; else the missing cell.
  std::size_t cell_like_missing(const Slice& here) const {
    const GamAxis& axis = effect_.axes[here.axis];
    const std::size_t missing = here.first + axis.missing_cell() * here.slice;
    const std::size_t zero = axis.cell(0.0F);
    if (same(here.first + zero * here.slice, missing, here.slice)) return zero;
    for (std::size_t cell = 0; cell < axis.missing_cell(); ++cell) {
      if (same(here.first + cell * here.slice, missing, here.slice)) return cell;
    }
    return axis.missing_cell();
  }

  // The cells between cuts [begin, end); `with_missing`: a missing value may come here.
  std::int32_t add_halves(const Slice& here, std::size_t begin, std::size_t end,
                          bool with_missing) {
    const GamAxis& axis = effect_.axes[here.axis];
    const bool apart = here.missing_cell == axis.missing_cell();
    if (begin == end) {
      const std::size_t cell = begin < here.cuts.size() ? here.cuts[begin] : axis.edges.size();
      return with_missing && apart ? add_missing_node(here, cell, end) : add_cell(here, cell);
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const std::size_t cut = here.cuts[middle];
    // With a leaf of its own a missing value follows the lowest values.
    const bool left = apart || here.missing_cell <= cut;
    const auto node = add_node(axis, axis.edges[cut], left);
    const std::int32_t low = add_halves(here, begin, middle, with_missing && left);
    const std::int32_t high = add_halves(here, middle + 1, end, with_missing && !left);
    tree_.nodes[node].left = low;
    tree_.nodes[node].right = high;
    return static_cast<std::int32_t>(node);
  }

  // Values that come here are at most the first cut's edge, if there is a cut: asked once more,
  // they all go left and missing ones right. Without a cut both sides of 0 get the same cell.
  std::int32_t add_missing_node(const Slice& here, std::size_t cell, std::size_t end) {
    const GamAxis& axis = effect_.axes[here.axis];
    const bool has_cut = end < here.cuts.size();
    const std::size_t outer = has_cut ? 0 : add_node(axis, 0.0F, true);
    const std::size_t node = add_node(axis, has_cut ? axis.edges[cell] : 0.0F, false);
    const std::int32_t values = add_cell(here, cell);
    const std::int32_t missing = add_cell(here, axis.missing_cell());
    tree_.nodes[node].left = values;
    tree_.nodes[node].right = missing;
    if (has_cut) return static_cast<std::int32_t>(node);
    const std::int32_t above = add_cell(here, cell);
    tree_.nodes[outer].left = static_cast<std::int32_t>(node);
    tree_.nodes[outer].right = above;
    return static_cast<std::int32_t>(outer);
  }

  std::int32_t add_cell(const Slice& here, std::size_t cell) {
    const std::size_t start = here.first + cell * here.slice;
    if (here.axis + 1 < effect_.axes.size()) return add_axis(here.axis + 1, start);
    tree_.leaf_values.push_back(effect_.values[start]);
    return ~static_cast<std::int32_t>(tree_.leaf_values.size() - 1);
  }

  std::size_t add_node(const GamAxis& axis, float threshold, bool missing_left) {
    tree_.nodes.push_back({.feature = axis.feature,
                           .threshold = threshold,
                           .left = 0,
                           .right = 0,
                           .missing_left = missing_left});
    return tree_.nodes.size() - 1;
  }

  // An effect that is the same everywhere still belongs to its features.
  void make_a_split() {
    const GamAxis& axis = effect_.axes[0];
    add_node(axis, axis.edges.empty() ? 0.0F : axis.edges[0], true);
    tree_.leaf_values.push_back(tree_.leaf_values[0]);
    tree_.nodes[0].left = ~0;
    tree_.nodes[0].right = ~1;
  }

  const GamEffect& effect_;
  Tree tree_;
};

}  // namespace

Forest to_forest(const Gam& gam) {
  ForestParts parts{.trees = {},
                    .num_features = gam.num_features(),
                    .feature_names = {gam.feature_names().begin(), gam.feature_names().end()},
                    .base_score = gam.intercept(),
                    .objective = gam.objective(),
                    .categories = gam.categories()};
  for (const GamEffect& effect : gam.effects()) parts.trees.push_back(TreeWriter(effect).take());
  return Forest(std::move(parts));
}

}  // namespace glassrank
