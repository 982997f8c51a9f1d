#include "glassrank/models/io/xml_ensemble.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {
namespace {

// The number inside <name> below an element.
template <typename T>
T child_number(const pugi::xml_node& element, const char* name) {
  const pugi::xml_node child = element.child(name);
  if (!child) fail(ErrorKind::kInput, "a split has no <{}>", name);
  const std::string_view text = trim_blanks(child.text().get());
  T value{};
  if (!parse_number(text, value)) {
    fail(ErrorKind::kInput, "<{}> holds '{}', not a number it can be", name, text);
  }
  return value;
}

double tree_weight(const pugi::xml_node& tree) {
  const pugi::xml_attribute attribute = tree.attribute("weight");
  double weight = 0;
  if (!attribute || !parse_number(trim_blanks(attribute.value()), weight)) {
    fail(ErrorKind::kInput, "weight=\"{}\" is not a number", attribute.value());
  }
  return weight;
}

pugi::xml_node child_split(const pugi::xml_node& split, std::string_view position) {
  for (const pugi::xml_node& child : split.children("split")) {
    if (position == child.attribute("pos").value()) return child;
  }
  fail(ErrorKind::kInput, "a split has no <split pos=\"{}\">", position);
}

TreeNode make_node(const pugi::xml_node& split, NanRule rule) {
  const auto feature = child_number<std::uint32_t>(split, "feature");
  if (feature == 0) fail(ErrorKind::kInput, "feature 0: features are counted from 1");
  const auto threshold = child_number<float>(split, "threshold");
  if (std::isnan(threshold)) fail(ErrorKind::kInput, "a threshold is NaN");
  TreeNode node{.feature = feature - 1, .threshold = threshold};
  node.missing_left = rule == NanRule::kAsZero && 0.0F <= node.threshold;
  return node;
}

// Without recursion: a tree may be as deep as it has leaves.
Tree make_tree(const pugi::xml_node& element, NanRule rule) {
  struct Pending {
    pugi::xml_node split;
    std::size_t parent;
    bool is_left;
  };
  const double weight = tree_weight(element);
  const pugi::xml_node root = element.child("split");
  if (!root) fail(ErrorKind::kInput, "the tree has no <split>");
  Tree tree;
  std::vector<Pending> stack = {{root, 0, false}};
  while (!stack.empty()) {
    const Pending at = stack.back();
    stack.pop_back();
    const bool is_root = tree.nodes.empty() && tree.leaf_values.empty();
    const bool is_leaf = static_cast<bool>(at.split.child("output"));
    const auto child = is_leaf ? ~static_cast<std::int32_t>(tree.leaf_values.size())
                               : static_cast<std::int32_t>(tree.nodes.size());
    if (!is_root) {
      TreeNode& parent = tree.nodes[at.parent];
      (at.is_left ? parent.left : parent.right) = child;
    }
    if (is_leaf) {
      tree.leaf_values.push_back(weight * child_number<double>(at.split, "output"));
      continue;
    }
    const std::size_t index = tree.nodes.size();
    tree.nodes.push_back(make_node(at.split, rule));
    stack.push_back({child_split(at.split, "right"), index, false});
    stack.push_back({child_split(at.split, "left"), index, true});
  }
  return tree;
}

std::size_t highest_feature(const Tree& tree) {
  std::size_t highest = 0;
  for (const TreeNode& node : tree.nodes) {
    highest = std::max(highest, static_cast<std::size_t>(node.feature) + 1);
  }
  return highest;
}

// Tags deep inside are not indented further: a chain of nodes would make the file quadratic.
std::string indent(std::size_t depth) {
  return std::string(std::min<std::size_t>(depth, 32), '\t');
}

std::string number_text(double value) {
  // Java and C both read this word; "inf" is C's alone.
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return fmt::format("{}", value);
}
std::string number_text(float value) {
  return std::isinf(value) ? number_text(static_cast<double>(value)) : fmt::format("{}", value);
}

void write_tree(std::string& out, const Tree& tree, std::size_t id) {
  struct Pending {
    std::int32_t child = 0;
    std::size_t depth = 0;
    const char* position = "";
    bool closes = false;
  };
  fmt::format_to(std::back_inserter(out), "\t<tree id=\"{}\" weight=\"1.0\">\n", id);
  std::vector<Pending> stack = {{.child = tree.nodes.empty() ? ~0 : 0, .depth = 2}};
  while (!stack.empty()) {
    const Pending at = stack.back();
    stack.pop_back();
    const std::string tabs = indent(at.depth);
    if (at.closes) {
      out += tabs + "</split>\n";
      continue;
    }
    fmt::format_to(std::back_inserter(out), "{}<split{}>\n", tabs, at.position);
    stack.push_back({.depth = at.depth, .closes = true});
    if (at.child < 0) {
      const std::int32_t leaf = ~at.child;
      fmt::format_to(std::back_inserter(out), "{}\t<output> {} </output>\n", tabs,
                     number_text(tree.leaf_values[static_cast<std::size_t>(leaf)]));
      continue;
    }
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(at.child)];
    fmt::format_to(std::back_inserter(out),
                   "{0}\t<feature> {1} </feature>\n{0}\t<threshold> {2} </threshold>\n", tabs,
                   std::uint64_t{node.feature} + 1, number_text(node.threshold));
    stack.push_back({.child = node.right, .depth = at.depth + 1, .position = " pos=\"right\""});
    stack.push_back({.child = node.left, .depth = at.depth + 1, .position = " pos=\"left\""});
  }
  out += "\t</tree>\n";
}

}  // namespace

XmlEnsemble read_xml_ensemble(std::string_view xml, const char* root, NanRule rule) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(xml.data(), xml.size());
  if (!result) {
    fail(ErrorKind::kInput, "byte {} of the XML: {}", result.offset, result.description());
  }
  const pugi::xml_node holder = *root == '\0' ? document : document.child(root);
  const pugi::xml_node ensemble = holder.child("ensemble");
  if (!ensemble) fail(ErrorKind::kInput, "there is no <ensemble> of trees");
  XmlEnsemble read;
  for (const pugi::xml_node& item : holder.child("info").children()) {
    read.info.emplace_back(item.name(), trim_blanks(item.text().get()));
  }
  for (const pugi::xml_node& element : ensemble.children("tree")) {
    try {
      read.trees.push_back(make_tree(element, rule));
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", read.trees.size()));
      throw;
    }
    read.num_features = std::max(read.num_features, highest_feature(read.trees.back()));
  }
  // It would give every document the score 0, without a word.
  if (read.trees.empty()) fail(ErrorKind::kInput, "the <ensemble> has no <tree>");
  return read;
}

void write_xml_ensemble(std::string& out, const Forest& forest) {
  out += "<ensemble>\n";
  std::size_t id = 0;
  if (has_constant_tree(forest)) {
    write_tree(out, {.nodes = {}, .leaf_values = {forest.base_score()}, .statistics = {}}, ++id);
  }
  for (const Tree& tree : forest.trees()) write_tree(out, tree, ++id);
  out += "</ensemble>\n";
}

bool has_constant_tree(const Forest& forest) {
  return forest.base_score() != 0 || forest.trees().empty();
}

std::size_t most_leaves(const Forest& forest) {
  std::size_t most = 0;
  for (const Tree& tree : forest.trees()) most = std::max(most, tree.num_leaves());
  return most;
}

}  // namespace glassrank
