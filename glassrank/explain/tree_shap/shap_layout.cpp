#include "glassrank/explain/tree_shap/shap_layout.h"

#include <array>
#include <tuple>

namespace glassrank {

TreeLayout::TreeLayout(const Tree& tree, std::span<const NodeShares> shares) : tree_(tree) {
  for (const std::size_t n : parents_first(tree)) add(n, shares[n]);
  order_by_kind();
}

void TreeLayout::add(std::size_t n, NodeShares shares) {
  const TreeNode& node = tree_.nodes[n];
  NodeLayout layout{.node = n,
                    .children = {node.left, node.right},
                    .shares = {shares.left, shares.right},
                    .first_if_yes = !node.missing_left};  // yes means right where missing goes left
  if (node.left < 0 && node.right >= 0) {
    std::swap(layout.children[0], layout.children[1]);
    std::swap(layout.shares[0], layout.shares[1]);
    layout.first_if_yes = !layout.first_if_yes;
  }
  const auto self = static_cast<std::int64_t>(layouts_.size());
  if (self > 0) connect(layout, static_cast<std::int32_t>(n));
  layout.repeats = layout.above >= 0;
  layout.num_features += layout.repeats ? 0 : 1;
  place_of_[static_cast<std::int32_t>(n)] = self;
  for (int child = 0; child < 2; ++child) {
    if (layout.children[child] >= 0) parent_of_[layout.children[child]] = {self, child};
  }
  layouts_.push_back(layout);
}

void TreeLayout::connect(NodeLayout& layout, std::int32_t n) {
  std::tie(layout.parent, layout.place) = parent_of_.at(n);
  layout.num_features = layouts_[static_cast<std::size_t>(layout.parent)].num_features;
  std::int64_t at = layout.parent;
  for (int place = layout.place; at >= 0;) {
    const NodeLayout& above = layouts_[static_cast<std::size_t>(at)];
    if (tree_.nodes[above.node].feature == tree_.nodes[layout.node].feature) {
      layout.above = at;
      layout.above_place = place;
      layout.ratio = above.ratio * above.shares[place];
      return;
    }
    place = above.place;
    at = above.parent;
  }
}

void TreeLayout::order_by_kind() {
  slots_.resize(layouts_.size());
  std::array<std::vector<std::size_t>, 6> ready;
  const auto kind_of = [&](std::size_t i) {
    return 2 * static_cast<std::size_t>(layouts_[i].kind()) + (layouts_[i].repeats ? 1 : 0);
  };
  ready[kind_of(0)].push_back(0);
  std::uint32_t next = 0;
  for (;;) {
    const auto inner = std::span(ready).first(4);
    auto most = std::ranges::max_element(inner, {}, [](const auto& r) { return r.size(); });
    std::size_t kind = static_cast<std::size_t>(most - inner.begin());
    if (most->empty()) kind = ready[4].empty() ? 5 : 4;
    if (ready[kind].empty()) return;
    const std::uint32_t begin = next;
    while (!ready[kind].empty()) {
      const std::size_t i = ready[kind].back();
      ready[kind].pop_back();
      slots_[i] = next++;
      for (const std::int32_t child : layouts_[i].children) {
        if (child < 0) continue;
        const auto at = static_cast<std::size_t>(place_of_.at(child));
        ready[kind_of(at)].push_back(at);
      }
    }
    runs_.push_back({.begin = begin,
                     .end = next,
                     .children = static_cast<ShapChildren>(kind / 2),
                     .repeats = kind % 2 == 1});
  }
}

}  // namespace glassrank
