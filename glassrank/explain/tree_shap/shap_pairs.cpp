#include "glassrank/explain/tree_shap/shap_pairs.h"

#include <algorithm>
#include <span>

namespace glassrank {
namespace {

// Calls visit(node's index in the plan, edge) for each other feature above each node.
template <typename Visit>
void visit_partners(const ShapPlan& plan, const ShapTree& tree, const Visit& visit) {
  const std::span nodes = std::span(plan.nodes).subspan(tree.nodes, tree.num_nodes);
  const std::span paths = std::span(plan.paths).subspan(tree.nodes, tree.num_nodes);
  std::vector<std::uint32_t> met;
  for (std::size_t slot = 0; slot < nodes.size(); ++slot) {
    met = {nodes[slot].feature};
    for (std::uint32_t edge = paths[slot].parent_edge; edge != kNoShapEdge;
         edge = paths[edge / 2].parent_edge) {
      const std::uint32_t feature = nodes[edge / 2].feature;
      if (std::ranges::find(met, feature) != met.end()) continue;
      met.push_back(feature);
      visit(tree.nodes + slot, edge);
    }
  }
}

FeaturePair pair_of(const ShapPlan& plan, std::uint32_t a, std::uint32_t b) {
  return {.first = plan.features[std::min(a, b)], .second = plan.features[std::max(a, b)]};
}

void add_terms(const ShapPlan& plan, const ShapTree& tree, const ShapPass& pass,
               std::vector<double>& terms) {
  const std::span points = std::span(plan.points).subspan(pass.points, pass.num_points);
  for (const double p : points) terms.push_back(-1 / (1 - p));
  for (std::size_t slot = 0; slot < tree.num_nodes; ++slot) {
    for (const double ratio : plan.paths[tree.nodes + slot].ratio) {
      for (const double p : points) terms.push_back((1 - ratio) / (p + (1 - p) * ratio));
    }
  }
}

}  // namespace

ShapPairs make_shap_pairs(const ShapPlan& plan) {
  ShapPairs result;
  for (const ShapTree& tree : plan.trees) {
    visit_partners(plan, tree, [&](std::size_t node, std::uint32_t edge) {
      const std::uint32_t other = plan.nodes[tree.nodes + edge / 2].feature;
      result.pairs.push_back(pair_of(plan, plan.nodes[node].feature, other));
    });
    std::ranges::sort(result.pairs);  // tree by tree: memory for the different ones only
    const auto repeated = std::ranges::unique(result.pairs);
    result.pairs.erase(repeated.begin(), repeated.end());
  }
  result.partner_ends.resize(plan.nodes.size() + 1);
  for (const ShapTree& tree : plan.trees) {
    visit_partners(plan, tree, [&](std::size_t node, std::uint32_t edge) {
      const std::uint32_t other = plan.nodes[tree.nodes + edge / 2].feature;
      const FeaturePair pair = pair_of(plan, plan.nodes[node].feature, other);
      const auto found = std::ranges::lower_bound(result.pairs, pair);
      result.partners.push_back(
          {.pair = static_cast<std::uint32_t>(found - result.pairs.begin()), .edge = edge});
      ++result.partner_ends[node + 1];
    });
    for (std::size_t pass = tree.passes; pass < tree.passes + tree.num_passes; ++pass) {
      result.pass_terms.push_back(result.terms.size());
      add_terms(plan, tree, plan.passes[pass], result.terms);
    }
  }
  std::size_t end = 0;
  for (std::size_t& partners : result.partner_ends) partners = end += partners;
  return result;
}

}  // namespace glassrank
