// A forest as the body of a native model file.
//
//   objective TEXT
//   base_score NUMBER
//   features N [named]           "named": N lines with the names follow
//   [categories ...]             as native_text.h says
//   trees N
//   tree LEAVES [STATISTIC...]   for each tree; which statistics the lines below carry
//   FEATURE THRESHOLD LEFT RIGHT MISSING [STATISTIC...]     LEAVES - 1 lines, one per node
//   VALUE [STATISTIC...]                                    LEAVES lines, one per leaf
//
// Where a node asks for categories its THRESHOLD is "in:0,3,17", the codes of the set; such models
// are of version 2 (native.h). A child below 0 is leaf ~child. MISSING is where a missing value
// goes, l or r, with z behind it where zero counts as missing. Statistics are named as in
// TreeStatistics, in that order.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/io/native_text.h"

namespace glassrank {
namespace {

// Calls use(name, column, is_of_nodes) for every statistic, in the order of the file.
template <typename Statistics, typename Use>
void for_each_statistic(Statistics& statistics, Use&& use) {
  use("node_gain", statistics.node_gain, true);
  use("node_value", statistics.node_value, true);
  use("node_weight", statistics.node_weight, true);
  use("node_count", statistics.node_count, true);
  use("leaf_weight", statistics.leaf_weight, false);
  use("leaf_count", statistics.leaf_count, false);
}

std::string_view missing_text(const TreeNode& node) {
  if (node.zero_is_missing) return node.missing_left ? "lz" : "rz";
  return node.missing_left ? "l" : "r";
}

void write_statistics(std::string& out, const Tree& tree, bool of_nodes, std::size_t i) {
  for_each_statistic(tree.statistics, [&](std::string_view, const auto& column, bool is_of_nodes) {
    if (is_of_nodes != of_nodes || column.empty()) return;
    fmt::format_to(std::back_inserter(out), " {}", column[i]);
  });
  out += '\n';
}

constexpr std::string_view kInWord = "in:";

// The set behind "in:".
CategorySet read_set(NativeReader& reader, std::string_view text) {
  std::vector<std::uint32_t> codes;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    std::uint32_t code = 0;
    if (!parse_number(word, code) || code >= kMostCategoryCodes) {
      reader.fail_here(fmt::format("'{}' is not the code of a category", word));
    }
    codes.push_back(code);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return CategorySet(codes);
}

void read_question(NativeReader& reader, NativeWords& words, TreeNode& node) {
  const std::string_view word = words.next();
  if (word.starts_with(kInWord)) {
    node.categories = read_set(reader, word.substr(kInWord.size()));
  } else if (!parse_number(word, node.threshold)) {
    reader.fail_here(fmt::format("'{}' is not a number", word));
  }
}

void write_tree(std::string& out, const Tree& tree) {
  fmt::format_to(std::back_inserter(out), "tree {}", tree.num_leaves());
  for_each_statistic(tree.statistics, [&](std::string_view name, const auto& column, bool) {
    if (!column.empty()) fmt::format_to(std::back_inserter(out), " {}", name);
  });
  out += '\n';
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const TreeNode& node = tree.nodes[n];
    const auto to = std::back_inserter(out);
    if (node.asks_category()) {
      fmt::format_to(to, "{} {}{} {} {} {}", node.feature, kInWord,
                     fmt::join(node.categories.codes(), ","), node.left, node.right,
                     missing_text(node));
    } else {
      fmt::format_to(to, "{} {} {} {} {}", node.feature, node.threshold, node.left, node.right,
                     missing_text(node));
    }
    write_statistics(out, tree, true, n);
  }
  for (std::size_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    fmt::format_to(std::back_inserter(out), "{}", tree.leaf_values[leaf]);
    write_statistics(out, tree, false, leaf);
  }
}

void read_missing(NativeReader& reader, std::string_view text, TreeNode& node) {
  node.missing_left = text.starts_with('l');
  node.zero_is_missing = text.ends_with('z');
  if (text != missing_text(node)) {
    reader.fail_here(fmt::format("'{}' must be l, r, lz or rz", text));
  }
}

void read_statistics(NativeWords& words, Tree& tree, bool of_nodes, std::size_t i) {
  for_each_statistic(tree.statistics, [&](std::string_view, auto& column, bool is_of_nodes) {
    if (is_of_nodes == of_nodes && !column.empty()) words.read(column[i]);
  });
  words.finish();
}

// The line "tree LEAVES [STATISTIC...]": a tree of the right size, yet to be filled.
Tree read_tree_header(NativeReader& reader) {
  NativeWords words(reader);
  std::uint64_t num_leaves = 0;
  if (words.next() != "tree") reader.fail_here("'tree ...' is expected here");
  words.read(num_leaves);
  if (num_leaves == 0) reader.fail_here("a tree has at least one leaf");
  reader.check_count(num_leaves);
  Tree tree;
  tree.nodes.resize(num_leaves - 1);
  tree.leaf_values.resize(num_leaves);
  while (!words.at_end()) {
    const std::string_view word = words.next();
    bool known = false;
    for_each_statistic(tree.statistics, [&](std::string_view name, auto& column, bool of_nodes) {
      if (name != word) return;
      known = true;
      column.resize(of_nodes ? tree.nodes.size() : tree.leaf_values.size());
    });
    if (!known) reader.fail_here(fmt::format("unknown statistic '{}'", word));
  }
  return tree;
}

Tree read_tree(NativeReader& reader) {
  Tree tree = read_tree_header(reader);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    NativeWords words(reader);
    TreeNode& node = tree.nodes[n];
    words.read(node.feature);
    read_question(reader, words, node);
    words.read(node.left);
    words.read(node.right);
    read_missing(reader, words.next(), node);
    read_statistics(words, tree, true, n);
  }
  for (std::size_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    NativeWords words(reader);
    words.read(tree.leaf_values[leaf]);
    read_statistics(words, tree, false, leaf);
  }
  return tree;
}

}  // namespace

void write_native_body(std::string& out, const Forest& forest) {
  out += "objective ";
  append_escaped(out, forest.objective());
  out += fmt::format("\nbase_score {}\n", forest.base_score());
  write_native_features(out, forest.num_features(), forest.feature_names());
  write_native_categories(out, forest.categories());
  out += fmt::format("trees {}\n", forest.trees().size());
  for (const Tree& tree : forest.trees()) write_tree(out, tree);
}

// Throws Error{kInput} "line N: ..." or, from Forest, "tree T: ...".
void read_native_body(NativeReader& reader, Forest& forest) {
  ForestParts parts;
  parts.objective = reader.unescape(reader.value("objective"));
  parts.base_score = reader.number("base_score");
  read_native_features(reader, parts.num_features, parts.feature_names);
  parts.categories = read_native_categories(reader, parts.num_features);
  const std::size_t num_trees = reader.count("trees");
  for (std::size_t t = 0; t < num_trees; ++t) parts.trees.push_back(read_tree(reader));
  forest = Forest(std::move(parts));
}

}  // namespace glassrank
