#include "glassrank/models/forest/sliced_tree.h"

#include <algorithm>
#include <utility>

namespace glassrank {
namespace {

enum class Shape { kNode, kTwig, kForkRight, kForkLeft };

Shape shape_of(const Tree& tree, const TreeNode& node) {
  const auto is_twig = [&](std::int32_t child) {
    if (child < 0) return false;
    const TreeNode& below = tree.nodes[static_cast<std::size_t>(child)];
    return below.left < 0 && below.right < 0;
  };
  if (node.left < 0 && node.right < 0) return Shape::kTwig;
  if (node.left < 0 && is_twig(node.right)) return Shape::kForkRight;
  if (node.right < 0 && is_twig(node.left)) return Shape::kForkLeft;
  return Shape::kNode;
}

class TreeSlicer {
 public:
  TreeSlicer(const Tree& tree, const KeptShapes& kept,
             FunctionRef<std::uint32_t(const TreeNode&)> condition)
      : tree_(tree), kept_(kept), condition_(condition) {}

  SlicedTree slice() {
    queue_.emplace_back(tree_.nodes.empty() ? ~0 : 0, std::uint16_t{0});
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const auto [at, place] = queue_[i];
      if (at < 0) {
        out_.leaves.sources.push_back(place);
        out_.leaves.values.push_back(value(at));
      } else {
        add_node(tree_.nodes[static_cast<std::size_t>(at)], place);
      }
    }
    return std::move(out_);
  }

 private:
  double value(std::int32_t leaf) const {
    return tree_.leaf_values[static_cast<std::size_t>(~leaf)];
  }
  const TreeNode& child(std::int32_t node) const {
    return tree_.nodes[static_cast<std::size_t>(node)];
  }

  void add_node(const TreeNode& node, std::uint16_t place) {
    const auto has_room = [](const SlicedTree::Part& part, std::size_t size) {
      return part.sources.size() < size;
    };
    const Shape shape = shape_of(tree_, node);
    if (shape == Shape::kForkRight && has_room(out_.first_forks, kept_.num_bundles)) {
      return add_fork(out_.first_forks, node, place, value(node.left), child(node.right));
    }
    if (shape == Shape::kForkLeft && has_room(out_.second_forks, kept_.num_bundles)) {
      return add_fork(out_.second_forks, node, place, value(node.right), child(node.left));
    }
    if (shape == Shape::kTwig) {
      if (has_room(out_.bundle_twigs, kept_.num_bundles)) {
        return add_twig(out_.bundle_twigs, node, place);
      }
      if (has_room(out_.twigs, kept_.num_twigs)) return add_twig(out_.twigs, node, place);
    }
    out_.steps.sources.push_back(place);
    out_.steps.conditions.push_back(condition_(node));
    queue_.emplace_back(node.left, place);
    queue_.emplace_back(node.right, static_cast<std::uint16_t>(out_.steps.sources.size()));
  }

  void add_twig(SlicedTree::Part& part, const TreeNode& node, std::uint16_t place) const {
    part.sources.push_back(place);
    part.conditions.push_back(condition_(node));
    part.values.insert(part.values.end(), {value(node.left), value(node.right)});
  }

  void add_fork(SlicedTree::Part& part, const TreeNode& node, std::uint16_t place, double leaf,
                const TreeNode& twig) const {
    part.sources.push_back(place);
    part.conditions.insert(part.conditions.end(), {condition_(node), condition_(twig)});
    part.values.insert(part.values.end(), {leaf, value(twig.left), value(twig.right)});
  }

  const Tree& tree_;
  const KeptShapes kept_;
  const FunctionRef<std::uint32_t(const TreeNode&)> condition_;
  std::vector<std::pair<std::int32_t, std::uint16_t>> queue_;  // node or ~leaf, its place
  SlicedTree out_;
};

}  // namespace

KeptShapes common_shapes(const Tree& first, const Tree& second) {
  const auto count = [&](Shape shape) {
    const auto of = [&](const Tree& tree) {
      return std::ranges::count_if(
          tree.nodes, [&](const TreeNode& node) { return shape_of(tree, node) == shape; });
    };
    return static_cast<std::size_t>(std::min(of(first), of(second)));
  };
  // Of the twigs a bundle takes three: those of its forks and one.
  const std::size_t num_twigs = count(Shape::kTwig);
  const std::size_t num_bundles =
      std::min({count(Shape::kForkRight), count(Shape::kForkLeft), num_twigs / 3});
  return {.num_bundles = num_bundles, .num_twigs = num_twigs - 3 * num_bundles};
}

SlicedTree slice_tree(const Tree& tree, const KeptShapes& kept,
                      FunctionRef<std::uint32_t(const TreeNode&)> condition) {
  return TreeSlicer(tree, kept, condition).slice();
}

}  // namespace glassrank
