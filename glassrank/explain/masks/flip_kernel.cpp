#include "glassrank/explain/masks/flip_kernel.h"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/explain/masks/flip_kernel.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "glassrank/explain/masks/masked_add-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One tree of the task.
struct FlipTree {
  const FlipNode* nodes = nullptr;
  const Fixed* leaves = nullptr;
  std::size_t first_node = 0;
};

HWY_INLINE bool any(const FlipDocuments& documents) { return (documents[0] | documents[1]) != 0; }

HWY_INLINE FlipDocuments unusual_of(const FlipTask& task, const FlipTree& tree, std::int32_t node,
                                    const FlipDocuments& among) {
  const auto index = static_cast<std::size_t>(node);
  const std::uint64_t* const left = task.documents.at(tree.first_node + index) + task.first_word;
  const std::uint64_t turn = tree.nodes[index].turn;
  return {(left[0] ^ turn) & among[0], (left[1] ^ turn) & among[1]};
}

HWY_INLINE FlipDocuments without(const FlipDocuments& all, const FlipDocuments& some) {
  return {all[0] & ~some[0], all[1] & ~some[1]};
}

// leaves[d] = value for the documents.
HWY_INLINE void set_leaf(const FlipDocuments& documents, Fixed value, Fixed* HWY_RESTRICT leaves) {
  const SumTag d;
  const auto wide = hn::Set(d, value);
  for (std::size_t w = 0; w < kFlipWords; ++w) {
    if (documents[w] == 0) continue;
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
      Fixed* const at = leaves + w * 64 + i;
      hn::Store(hn::IfThenElse(lanes_of(&documents[w], i), wide, hn::Load(d, at)), d, at);
    }
  }
}

// sums[d] += value - leaves[d] for the documents.
HWY_INLINE void add_change(const FlipDocuments& documents, Fixed value,
                           const Fixed* HWY_RESTRICT leaves, Fixed* HWY_RESTRICT sums) {
  const SumTag d;
  const auto wide = hn::Set(d, value);
  for (std::size_t w = 0; w < kFlipWords; ++w) {
    const std::uint64_t word = documents[w];
    // A few are added one by one.
    if (std::popcount(word) <= 3) {
      for (std::uint64_t rest = word; rest != 0; rest &= rest - 1) {
        const std::size_t at = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        sums[at] += value - leaves[at];
      }
      continue;
    }
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
      const std::size_t at = w * 64 + i;
      const auto change = hn::Sub(wide, hn::Load(d, leaves + at));
      const auto sum = hn::Load(d, sums + at);
      hn::Store(add_where(sum, lanes_of(&documents[w], i), change), d, sums + at);
    }
  }
}

// The descent with S: every document's leaf, and the events of all other features.
HWY_INLINE void descend_known(const FlipTask& task, const FlipTree& tree,
                              FlipWorkspace& workspace) {
  workspace.events.clear();
  workspace.waiting.clear();
  workspace.waiting.push_back({.node = 0, .documents = task.all});
  while (!workspace.waiting.empty()) {
    const FlipWorkspace::Waiting next = workspace.waiting.back();
    workspace.waiting.pop_back();
    if (next.restores) {
      workspace.left[next.feature] = next.documents;
      continue;
    }
    FlipDocuments documents = next.documents;
    std::int32_t at = next.node;
    while (at >= 0) {
      const FlipNode& node = tree.nodes[static_cast<std::size_t>(at)];
      const FlipDocuments unusual = unusual_of(task, tree, at, documents);
      if (task.known[node.feature] != 0) {
        const FlipDocuments rest = without(documents, unusual);
        if (any(unusual) && any(rest)) {
          workspace.waiting.push_back({.node = node.unusual, .documents = unusual});
          documents = rest;
          at = node.usual;
        } else {
          at = any(unusual) ? node.unusual : node.usual;
        }
        continue;
      }
      // A document that has left further up for this feature does not come here with it known.
      FlipDocuments& left = workspace.left[node.feature];
      const FlipDocuments event = without(unusual, left);
      if (any(event)) {
        workspace.events.push_back({at, event});
        // Taken back after this subtree: what is pushed from here on is done before it.
        workspace.waiting.push_back(
            {.node = 0, .restores = true, .feature = node.feature, .documents = left});
        left[0] |= event[0];
        left[1] |= event[1];
      }
      at = node.usual;
    }
    set_leaf(documents, tree.leaves[~at], workspace.leaves.data());
  }
}

// An event's documents walk on with its feature known as well.
HWY_INLINE void follow_event(const FlipTask& task, const FlipTree& tree,
                             const FlipWorkspace::Event& event, FlipWorkspace& workspace) {
  const FlipNode& start = tree.nodes[static_cast<std::size_t>(event.node)];
  const std::uint32_t feature = start.feature;
  const std::uint64_t met = task.known_bits | std::uint64_t{1} << (feature % 64);
  const Fixed* const leaves = workspace.leaves.data();
  Fixed* const sums = workspace.sums.data() + feature * kFlipDocuments;
  workspace.waiting.clear();
  workspace.waiting.push_back({.node = start.unusual, .documents = event.documents});
  while (!workspace.waiting.empty()) {
    FlipDocuments documents = workspace.waiting.back().documents;
    std::int32_t at = workspace.waiting.back().node;
    workspace.waiting.pop_back();
    while (at >= 0) {
      const FlipNode& node = tree.nodes[static_cast<std::size_t>(at)];
      if ((node.path_features & met) == 0) {
        at = ~node.usual_leaf;
        break;
      }
      if (node.feature != feature && task.known[node.feature] == 0) {
        at = node.usual;
        continue;
      }
      const FlipDocuments unusual = unusual_of(task, tree, at, documents);
      const FlipDocuments rest = without(documents, unusual);
      if (any(unusual) && any(rest)) {
        workspace.waiting.push_back({.node = node.unusual, .documents = unusual});
        documents = rest;
        at = node.usual;
      } else {
        at = any(unusual) ? node.unusual : node.usual;
      }
    }
    add_change(documents, tree.leaves[~at], leaves, sums);
  }
}

HWY_ATTR void flips_to_sums(const FlipTask& task, FlipWorkspace& workspace) {
  const SumTag d;
  for (std::size_t t = task.first_tree; t < task.last_tree; ++t) {
    const std::size_t first_node = task.table.first_node[t];
    const FlipTree tree{.nodes = task.nodes + first_node,
                        .leaves = task.table.leaves_of(t),
                        .first_node = first_node};
    if (task.table.trees()[t].nodes.empty()) {
      set_leaf(task.all, tree.leaves[0], workspace.leaves.data());
      workspace.events.clear();
    } else {
      descend_known(task, tree, workspace);
    }
    for (std::size_t i = 0; i < kFlipDocuments; i += hn::Lanes(d)) {
      Fixed* const base = workspace.base.data() + i;
      hn::Store(hn::Add(hn::Load(d, base), hn::Load(d, workspace.leaves.data() + i)), d, base);
    }
    for (const FlipWorkspace::Event& event : workspace.events) {
      follow_event(task, tree, event, workspace);
    }
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(flips_to_sums);

void add_flips(const FlipTask& task, FlipWorkspace& workspace) {
  HWY_DYNAMIC_DISPATCH(flips_to_sums)(task, workspace);
}

}  // namespace glassrank
#endif
