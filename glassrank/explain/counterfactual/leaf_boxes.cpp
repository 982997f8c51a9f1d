#include "glassrank/explain/counterfactual/leaf_boxes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace glassrank {
namespace {

struct Pending {
  std::int32_t at = 0;
  std::vector<PlaceRange> ranges;
};

// Puts what is left of a node's feature on the stack: runs of places that go the same way. Where
// zero counts as missing there may be four of them, else two.
void push_children(const TreeNode& node, const Pending& from, std::span<const FeaturePlaces> places,
                   std::vector<Pending>& stack) {
  const FeaturePlaces& of_feature = places[node.feature];
  auto found = std::ranges::find(from.ranges, node.feature, &PlaceRange::feature);
  const PlaceRange range =
      found != from.ranges.end()
          ? *found
          : PlaceRange{node.feature, 0, static_cast<std::uint32_t>(of_feature.size() - 1)};
  std::uint32_t begin = range.first;
  while (begin <= range.last) {
    const bool left = goes_left(node, of_feature.values[begin]);
    std::uint32_t end = begin;
    while (end <= range.last && goes_left(node, of_feature.values[end]) == left) ++end;
    Pending child{.at = left ? node.left : node.right, .ranges = from.ranges};
    const PlaceRange part{node.feature, begin, end - 1};
    if (found != from.ranges.end()) {
      child.ranges[static_cast<std::size_t>(found - from.ranges.begin())] = part;
    } else {
      child.ranges.push_back(part);
    }
    stack.push_back(std::move(child));
    begin = end;
  }
}

bool contains(const PlaceRange& range, std::uint32_t place) {
  return range.first <= place && place <= range.last;
}

std::size_t num_moved(std::span<const PlaceRange> ranges, std::span<const FeaturePlaces> places) {
  return static_cast<std::size_t>(std::ranges::count_if(ranges, [&](const PlaceRange& range) {
    return !contains(range, places[range.feature].own);
  }));
}

// The features that must move, ascending.
MovedFeatures moved_features(const LeafBox& box, std::span<const FeaturePlaces> places) {
  MovedFeatures moved;
  for (const PlaceRange& range : box.ranges) {
    if (!contains(range, places[range.feature].own)) moved.push_back(range.feature);
  }
  std::ranges::sort(moved);
  return moved;
}

double least_cost(const LeafBox& box, std::span<const FeaturePlaces> places) {
  double cost = 0;
  for (const PlaceRange& range : box.ranges) {
    const FeaturePlaces& of_feature = places[range.feature];
    if (range.first > of_feature.own) cost += of_feature.costs[range.first];
    if (range.last < of_feature.own) cost += of_feature.costs[range.last];
  }
  return cost;
}

// The largest value of the leaves below each node. Children may have any number, so nodes are gone
// through until nothing changes any more: twice where children come after their parents.
std::vector<double> most_below(const Tree& tree) {
  std::vector<double> most(tree.nodes.size(), -std::numeric_limits<double>::infinity());
  const auto of_child = [&](std::int32_t child) {
    return child < 0 ? tree.leaf_values[static_cast<std::size_t>(~child)]
                     : most[static_cast<std::size_t>(child)];
  };
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
      const double value = std::max(of_child(tree.nodes[n].left), of_child(tree.nodes[n].right));
      is_changed = is_changed || value != most[n];
      most[n] = value;
    }
  }
  return most;
}

struct TreeBoxes {
  std::vector<LeafBox> boxes;
  double most = -std::numeric_limits<double>::infinity();  // of leaves beyond too many moves
};

// Categories that a set takes lie anywhere among the places, so that there are many boxes: those
// beyond `max_moved` moves are not even made.
TreeBoxes boxes_of(const Tree& tree, std::uint32_t number, std::span<const FeaturePlaces> places,
                   std::size_t max_moved) {
  TreeBoxes found;
  std::vector<LeafBox>& boxes = found.boxes;
  const std::vector<double> most = most_below(tree);
  std::vector<Pending> stack;
  stack.push_back({.at = tree.nodes.empty() ? ~0 : 0, .ranges = {}});
  while (!stack.empty()) {
    Pending pending = std::move(stack.back());
    stack.pop_back();
    if (pending.at >= 0) {
      if (num_moved(pending.ranges, places) > max_moved) {
        found.most = std::max(found.most, most[static_cast<std::size_t>(pending.at)]);
        continue;
      }
      push_children(tree.nodes[static_cast<std::size_t>(pending.at)], pending, places, stack);
      continue;
    }
    LeafBox box{.tree = number,
                .gain = tree.leaf_values[static_cast<std::size_t>(~pending.at)],
                .ranges = std::move(pending.ranges)};
    box.cost = least_cost(box, places);
    boxes.push_back(std::move(box));
  }
  return found;
}

}  // namespace

PlaceRange LeafBox::range_of(std::uint32_t feature, std::span<const FeaturePlaces> places) const {
  const auto found = std::ranges::find(ranges, feature, &PlaceRange::feature);
  if (found != ranges.end()) return *found;
  return {feature, 0, static_cast<std::uint32_t>(places[feature].size() - 1)};
}

LeafBoxes leaf_boxes(const Forest& forest, std::span<const FeaturePlaces> places,
                     std::size_t max_moved) {
  LeafBoxes result;
  for (std::uint32_t t = 0; t < forest.trees().size(); ++t) {
    TreeBoxes found = boxes_of(forest.trees()[t], t, places, max_moved);
    std::vector<LeafBox>& boxes = found.boxes;
    std::vector<MovedFeatures> moved;
    for (const LeafBox& box : boxes) moved.push_back(moved_features(box, places));
    const auto own =
        static_cast<std::size_t>(std::ranges::find(moved, MovedFeatures{}) - moved.begin());
    const double own_value = boxes[own].gain;
    double most = std::max(0.0, found.most - own_value);
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      boxes[b].gain -= own_value;
      most = std::max(most, boxes[b].gain);
      if (b == own) {
        result.own.push_back(std::move(boxes[b]));
      } else if (moved[b].size() <= max_moved) {
        result.moved[moved[b]].push_back(std::move(boxes[b]));
      }
    }
    result.most_gain += most;
  }
  return result;
}

}  // namespace glassrank
