#include "glassrank/models/forest/tree_dot.h"

#include <fmt/format.h>

#include "glassrank/models/forest/tree_text.h"

namespace glassrank {
namespace {

// "t0n5" for a node, "t0leaf3" for a leaf.
std::string id_of(std::size_t tree, std::int32_t child) {
  return child < 0 ? fmt::format("t{}leaf{}", tree, ~child) : fmt::format("t{}n{}", tree, child);
}

std::string edge(std::size_t tree, std::int32_t from, std::int32_t to, std::string_view label) {
  return fmt::format("    {} -> {} [label={}];\n", id_of(tree, from), id_of(tree, to),
                     dot_string(label));
}

std::string node_statements(const Forest& forest, std::size_t number, std::size_t n,
                            std::span<const std::string> names) {
  const Tree& tree = tree_of(forest, number);
  const TreeNode& node = tree.nodes[n];
  const TreeStatistics& known = tree.statistics;
  std::string label = condition_text(node, names, forest.categories());
  if (!known.node_gain.empty()) label += fmt::format("\ngain {:.5g}", known.node_gain[n]);
  if (!known.node_count.empty()) label += fmt::format("\n{} documents", known.node_count[n]);
  const auto id = static_cast<std::int32_t>(n);
  const std::string missing = fmt::format(", {}", missing_text(node));
  return fmt::format("    {} [label={}];\n", id_of(number, id), dot_string(label)) +
         edge(number, id, node.left, fmt::format("yes{}", node.missing_left ? missing : "")) +
         edge(number, id, node.right, fmt::format("no{}", node.missing_left ? "" : missing));
}

std::string leaf_statement(const Tree& tree, std::size_t number, std::size_t leaf) {
  std::string label = fmt::format("{:.6g}", tree.leaf_values[leaf]);
  const auto& counts = tree.statistics.leaf_count;
  if (!counts.empty()) label += fmt::format("\n{} documents", counts[leaf]);
  return fmt::format("    {} [label={}, style=\"rounded,filled\", fillcolor=\"#eef3f8\"];\n",
                     id_of(number, ~static_cast<std::int32_t>(leaf)), dot_string(label));
}

}  // namespace

std::string dot_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '&') {
      quoted += "&amp;";  // labels know HTML's entities
    } else if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
  }
  return quoted + '"';
}

std::string trees_dot(const Forest& forest, std::span<const std::size_t> trees,
                      std::span<const std::string> names) {
  std::string text =
      "digraph model {\n"
      "  node [shape=box, fontname=\"Helvetica\", fontsize=11];\n"
      "  edge [fontname=\"Helvetica\", fontsize=10];\n";
  for (const std::size_t number : trees) {
    const Tree& tree = tree_of(forest, number);
    text += fmt::format("  subgraph cluster_{0} {{\n    label=\"tree {0}\";\n", number);
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      text += node_statements(forest, number, n, names);
    }
    for (std::size_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
      text += leaf_statement(tree, number, leaf);
    }
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace glassrank
