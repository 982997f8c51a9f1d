#include "glassrank/explain/masks/flip_events.h"

#include <algorithm>

#include "glassrank/base/parallel.h"
#include "glassrank/explain/masks/flip_kernel.h"
#include "glassrank/models/forest/tree.h"

namespace glassrank {
namespace {

// A part of the trees has sums of its own: large enough that adding them up does not count.
constexpr std::size_t kTreesAtATime = 256;

// Parents before children, whatever order the file had.
std::vector<std::int32_t> preorder(const Tree& tree) {
  std::vector<std::int32_t> order;
  order.reserve(tree.nodes.size());
  if (!tree.nodes.empty()) order.push_back(0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(order[i])];
    if (node.left >= 0) order.push_back(node.left);
    if (node.right >= 0) order.push_back(node.right);
  }
  return order;
}

void add_flip_nodes(const Tree& tree, std::span<const float> typical, FlipNode* nodes) {
  const std::vector<std::int32_t> order = preorder(tree);
  for (std::size_t i = order.size(); i-- > 0;) {
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(order[i])];
    const bool left = goes_left(node, typical[node.feature]);
    FlipNode& to = nodes[order[i]];
    to = {.feature = node.feature,
          .usual = left ? node.left : node.right,
          .unusual = left ? node.right : node.left,
          .path_features = std::uint64_t{1} << (node.feature % 64),
          .turn = left ? ~std::uint64_t{0} : 0};
    if (to.usual < 0) {
      to.usual_leaf = ~to.usual;
    } else {
      to.usual_leaf = nodes[to.usual].usual_leaf;
      to.path_features |= nodes[to.usual].path_features;
    }
  }
}

}  // namespace

FlipWorkspace::FlipWorkspace(const ForestTable& table)
    : left(table.forest.num_features(), FlipDocuments{}),
      leaves(kFlipDocuments),
      base(kFlipDocuments),
      sums(std::max<std::size_t>(table.forest.num_features(), 1) * kFlipDocuments) {
  std::ranges::fill(leaves.span(), 0);
}

FlipEvents::FlipEvents(const ForestTable& table, MatrixView<const float> documents,
                       std::span<const float> typical, const Context& context)
    : table_(table),
      num_documents_(documents.num_rows()),
      documents_(table, documents, kFlipWords, context),
      nodes_(table.num_nodes()) {
  const std::size_t num_trees = table.trees().size();
  parallel_for(context, num_trees, kTreesAtATime, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      add_flip_nodes(table.trees()[t], typical, nodes_.data() + table.first_node[t]);
    }
  });
  const std::size_t num_parts = (num_trees + kTreesAtATime - 1) / kTreesAtATime;
  for (std::size_t part = 0; part < num_parts; ++part) workspaces_.emplace_back(table);
}

void FlipEvents::extend(std::span<const std::uint32_t> known, std::span<Fixed> sums,
                        const Context& context) {
  const std::size_t num_features = table_.forest.num_features();
  std::vector<std::uint8_t> is_known(num_features);
  std::uint64_t known_bits = 0;
  for (const std::uint32_t f : known) {
    is_known[f] = 1;
    known_bits |= std::uint64_t{1} << (f % 64);
  }
  for (std::size_t first = 0; first < num_documents_; first += kFlipDocuments) {
    const std::size_t count = std::min(kFlipDocuments, num_documents_ - first);
    FlipDocuments all = {};
    for (std::size_t d = 0; d < count; ++d) all[d / 64] |= std::uint64_t{1} << (d % 64);
    parallel_for(context, table_.trees().size(), kTreesAtATime,
                 [&](std::size_t begin, std::size_t end) {
                   FlipWorkspace& workspace = workspaces_[begin / kTreesAtATime];
                   std::ranges::fill(workspace.base.span(), 0);
                   std::ranges::fill(workspace.sums.span(), 0);
                   add_flips({.table = table_,
                              .nodes = nodes_.data(),
                              .documents = documents_,
                              .first_word = first / 64,
                              .all = all,
                              .known = is_known.data(),
                              .known_bits = known_bits,
                              .first_tree = begin,
                              .last_tree = end},
                             workspace);
                 });
    for (std::size_t f = 0; f < num_features; ++f) {
      for (std::size_t d = 0; d < count; ++d) {
        Fixed sum = table_.base_score;
        for (const FlipWorkspace& part : workspaces_) {
          sum += part.base[d] + part.sums[f * kFlipDocuments + d];
        }
        sums[f * num_documents_ + first + d] = sum;
      }
    }
  }
}

}  // namespace glassrank
