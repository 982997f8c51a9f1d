#include "glassrank/explain/tree_shap/shap_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/explain/tree_shap/shap_layout.h"
#include "glassrank/math/gauss_legendre.h"

namespace glassrank {
namespace {

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

class PlanMaker {
 public:
  PlanMaker(const Forest& forest, Cover cover) : forest_(forest), cover_(cover) {
    plan_.num_features = forest.num_features();
    plan_.features = features_of(forest.trees());
    plan_.base_value = forest.base_score();
  }

  ShapPlan make() {
    for (std::size_t t = 0; t < forest_.trees().size(); ++t) {
      try {
        add_tree(forest_.trees()[t]);
      } catch (Error& error) {
        error.add_context(fmt::format("tree {}", t));
        throw;
      }
    }
    return std::move(plan_);
  }

 private:
  void add_tree(const Tree& tree) {
    const std::vector<NodeShares> shares = node_shares(tree, cover_);
    plan_.base_value += tree_mean(tree, shares);
    if (tree.nodes.empty()) return;
    const TreeLayout layout(tree, shares);
    ShapTree added{.nodes = plan_.nodes.size(),
                   .num_nodes = tree.nodes.size(),
                   .runs = plan_.runs.size(),
                   .num_runs = layout.runs().size(),
                   .passes = plan_.passes.size()};
    plan_.max_nodes = std::max(plan_.max_nodes, added.num_nodes);
    plan_.runs.insert(plan_.runs.end(), layout.runs().begin(), layout.runs().end());
    plan_.nodes.resize(added.nodes + added.num_nodes);
    plan_.paths.resize(added.nodes + added.num_nodes);
    std::vector<double> repeat_ratios;
    for (const NodeLayout& of_node : layout.nodes()) {
      const std::int64_t index = &of_node - layout.nodes().data();
      const std::size_t at = added.nodes + layout.slot(index);
      plan_.nodes[at] = node(tree, layout, of_node);
      plan_.paths[at] = path(layout, of_node);
      if (!of_node.repeats) continue;
      plan_.nodes[at].repeat = static_cast<std::uint32_t>(repeat_ratios.size());
      repeat_ratios.push_back(of_node.ratio);
    }
    add_passes((layout.max_features() + 1) / 2, repeat_ratios);
    added.num_passes = plan_.passes.size() - added.passes;
    plan_.trees.push_back(added);
  }

  ShapNode node(const Tree& tree, const TreeLayout& layout, const NodeLayout& of_node) {
    const TreeNode& split = tree.nodes[of_node.node];
    const double to_first = of_node.shares[1];
    const double to_second = -of_node.shares[0];
    ShapNode result{.step_if_yes = of_node.first_if_yes ? to_first : to_second,
                    .step_if_no = of_node.first_if_yes ? to_second : to_first,
                    .share = of_node.shares[0],
                    .column = column(split),
                    .feature = feature(split.feature)};
    ask(split, result);
    for (int child = 0; child < 2; ++child) {
      const std::int32_t below = of_node.children[child];
      if (below < 0) {
        result.values[child] = tree.leaf_values[static_cast<std::size_t>(~below)];
      } else {
        result.nodes[child] = layout.slot_of_node(below);
      }
    }
    if (of_node.repeats) result.edge_above = layout.edge(of_node.above, of_node.above_place);
    return result;
  }

  // Whether the column is 0 (in the set); or, where missing values go left, whether it is 1.
  static void ask_category(const TreeNode& split, ShapNode& node) {
    node.threshold = split.missing_left ? -0.5 : 0.5;
    if (split.missing_left) node.flip = kSignBit;
  }

  // x <= t; or, where missing values go left, x > t as -x <= -(the next number above t).
  static void ask(const TreeNode& split, ShapNode& node) {
    if (split.asks_category()) return ask_category(split, node);
    const double threshold = split.threshold;
    if (!split.missing_left) {
      node.threshold = threshold;
      return;
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    node.flip = kSignBit;
    node.threshold = threshold == kInfinity ? std::numeric_limits<double>::quiet_NaN()
                                            : -std::nextafter(threshold, kInfinity);
  }

  static ShapPath path(const TreeLayout& layout, const NodeLayout& of_node) {
    ShapPath result;
    if (of_node.parent >= 0) result.parent_edge = layout.edge(of_node.parent, of_node.place);
    for (int child = 0; child < 2; ++child) {
      result.ratio[of_node.answer(child)] = of_node.ratio * of_node.shares[child];
    }
    return result;
  }

  std::uint32_t feature(std::uint32_t of_forest) const {
    const auto found = std::ranges::lower_bound(plan_.features, of_forest);
    return static_cast<std::uint32_t>(found - plan_.features.begin());
  }

  std::uint32_t column(const TreeNode& split) {
    if (split.asks_category()) return category_column(split);
    const auto [found, is_new] = columns_.try_emplace(
        {split.feature, split.zero_is_missing}, static_cast<std::uint32_t>(plan_.columns.size()));
    if (is_new) {
      plan_.columns.push_back({.feature = split.feature, .zero_is_missing = split.zero_is_missing});
    }
    return found->second;
  }

  std::uint32_t category_column(const TreeNode& split) {
    const auto [found, is_new] = category_columns_[split.feature].try_emplace(
        split.categories, static_cast<std::uint32_t>(plan_.columns.size()));
    if (is_new) {
      plan_.columns.push_back({.feature = split.feature, .categories = split.categories});
    }
    return found->second;
  }

  void add_passes(std::size_t num_points, std::span<const double> repeat_ratios) {
    const Quadrature& rule = quadrature(num_points);
    const std::size_t num_passes = (num_points + ShapPlan::kMaxPoints - 1) / ShapPlan::kMaxPoints;
    for (std::size_t pass = 0; pass < num_passes; ++pass) {
      const std::size_t begin = num_points * pass / num_passes;
      const std::size_t size = num_points * (pass + 1) / num_passes - begin;
      const auto nodes = std::span(rule.nodes).subspan(begin, size);
      const auto weights = std::span(rule.weights).subspan(begin, size);
      plan_.passes.push_back(
          {.num_points = size, .points = plan_.points.size(), .repeats = plan_.repeats.size()});
      plan_.points.insert(plan_.points.end(), nodes.begin(), nodes.end());
      plan_.points.insert(plan_.points.end(), weights.begin(), weights.end());
      for (const double ratio : repeat_ratios) {
        for (const double p : nodes) plan_.repeats.push_back(p / (p + (1 - p) * ratio));
        for (const double p : nodes) {
          const double u = p + (1 - p) * ratio;
          plan_.repeats.push_back(ratio / (u * u));
        }
      }
    }
  }

  const Quadrature& quadrature(std::size_t num_points) {
    const auto [found, is_new] = quadratures_.try_emplace(num_points);
    if (is_new) found->second = gauss_legendre(num_points);
    return found->second;
  }

  const Forest& forest_;
  const Cover cover_;
  ShapPlan plan_;
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> columns_;
  std::map<std::uint32_t, std::map<CategorySet, std::uint32_t>> category_columns_;
  std::map<std::size_t, Quadrature> quadratures_;
};

}  // namespace

ShapPlan make_shap_plan(const Forest& forest, Cover cover) {
  return PlanMaker(forest, resolve_cover(forest, cover)).make();
}

}  // namespace glassrank
