#include "glassrank/models/io/nested_tree.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {
namespace {

// One value of each node or leaf; nothing in the end if one of them is not known.
class StatisticColumn {
 public:
  void add(const std::optional<double>& value) {
    is_known_ = is_known_ && value.has_value();
    values_.push_back(value.value_or(0));
  }
  std::vector<double> take() { return is_known_ ? std::move(values_) : std::vector<double>(); }
  std::vector<std::uint64_t> take_counts() {
    std::vector<std::uint64_t> counts;
    constexpr double kMost = 1e15;
    for (const double value : take()) {
      counts.push_back(static_cast<std::uint64_t>(std::clamp(value, 0.0, kMost)));
    }
    return counts;
  }

 private:
  std::vector<double> values_;
  bool is_known_ = true;
};

struct TreeColumns {
  StatisticColumn node_gain;
  StatisticColumn node_mean;
  StatisticColumn node_weight;
  StatisticColumn node_count;
  StatisticColumn leaf_weight;
  StatisticColumn leaf_count;

  TreeStatistics take() {
    return {.node_gain = node_gain.take(),
            .node_value = node_mean.take(),
            .node_weight = node_weight.take(),
            .node_count = node_count.take_counts(),
            .leaf_weight = leaf_weight.take(),
            .leaf_count = leaf_count.take_counts()};
  }
};

// "f12" -> 12.
std::optional<std::uint32_t> numbered(std::string_view name) {
  std::uint32_t number = 0;
  if (!name.starts_with('f') || !parse_number(name.substr(1), number)) return std::nullopt;
  return number;
}

}  // namespace

Tree read_nested_tree(const Json& root, FunctionRef<NestedNode(const Json&)> look) {
  struct Pending {
    const Json* json;
    std::size_t parent;
    bool is_left;
  };
  Tree tree;
  TreeColumns columns;
  std::vector<Pending> stack = {{&root, 0, false}};
  while (!stack.empty()) {
    const Pending at = stack.back();
    stack.pop_back();
    const NestedNode found = look(*at.json);
    const bool is_root = tree.nodes.empty() && tree.leaf_values.empty();
    const bool is_leaf = found.left == nullptr;
    const auto child = is_leaf ? ~static_cast<std::int32_t>(tree.leaf_values.size())
                               : static_cast<std::int32_t>(tree.nodes.size());
    if (!is_root) {
      TreeNode& parent = tree.nodes[at.parent];
      (at.is_left ? parent.left : parent.right) = child;
    }
    if (is_leaf) {
      tree.leaf_values.push_back(found.value);
      columns.leaf_weight.add(found.weight);
      columns.leaf_count.add(found.count);
      continue;
    }
    const std::size_t index = tree.nodes.size();
    tree.nodes.push_back(found.node);
    columns.node_gain.add(found.gain);
    columns.node_mean.add(found.mean);
    columns.node_weight.add(found.weight);
    columns.node_count.add(found.count);
    stack.push_back({found.right, index, false});
    stack.push_back({found.left, index, true});
  }
  tree.statistics = columns.take();
  return tree;
}

void write_nested_tree(std::string& out, const Tree& tree,
                       FunctionRef<NestedText(NestedPlace)> inner,
                       FunctionRef<std::string(NestedPlace)> leaf) {
  struct Pending {
    std::int32_t child = 0;
    std::size_t depth = 0;
    bool is_text = false;
    std::string text = {};
  };
  std::vector<Pending> stack = {{.child = tree.nodes.empty() ? ~0 : 0}};
  while (!stack.empty()) {
    const Pending at = std::move(stack.back());
    stack.pop_back();
    if (at.is_text) {
      out += at.text;
    } else if (at.child < 0) {
      out += leaf({.index = static_cast<std::size_t>(~at.child), .depth = at.depth});
    } else {
      const auto index = static_cast<std::size_t>(at.child);
      const TreeNode& node = tree.nodes[index];
      NestedText text = inner({.index = index, .depth = at.depth});
      out += text.before;
      stack.push_back({.is_text = true, .text = std::move(text.behind)});
      stack.push_back({.child = node.right, .depth = at.depth + 1});
      stack.push_back({.is_text = true, .text = std::move(text.between)});
      stack.push_back({.child = node.left, .depth = at.depth + 1});
    }
  }
}

std::uint32_t NamedFeatures::index_of(const std::string& name) {
  const auto [found, is_new] = indices_.emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return found->second;
}

void NamedFeatures::settle(ForestParts& parts) {
  const bool are_numbers = std::ranges::all_of(
      names_, [](const std::string& name) { return numbered(name).has_value(); });
  if (!are_numbers) {
    parts.num_features = names_.size();
    parts.feature_names = std::move(names_);
    return;
  }
  for (const std::string& name : names_) {
    parts.num_features = std::max(parts.num_features, std::size_t{*numbered(name)} + 1);
  }
  for (Tree& tree : parts.trees) {
    for (TreeNode& node : tree.nodes) node.feature = *numbered(names_[node.feature]);
  }
}

std::optional<double> optional_number(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_number()) return found->get<double>();
  double value = 0;
  if (found->is_string() &&
      parse_number(trim_blanks(found->get_ref<const std::string&>()), value)) {
    return value;
  }
  fail(ErrorKind::kInput, "'{}' is {}, not a number", key, found->dump().substr(0, 40));
}

double number_member(const Json& object, std::string_view key) {
  member(object, key);  // throws where it is missing
  return *optional_number(object, key);
}

float float_member(const Json& object, std::string_view key) {
  const double value = number_member(object, key);
  if (std::isnan(value)) fail(ErrorKind::kInput, "'{}' is NaN", key);
  // Halfway between the greatest float32 and what would be the next.
  constexpr double kBeyond = 0x1.ffffffp127;
  if (std::abs(value) >= kBeyond) return value > 0 ? HUGE_VALF : -HUGE_VALF;
  return static_cast<float>(value);
}

std::string text_value(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  if (!value.is_string()) fail(ErrorKind::kInput, "'{}' is not a text", key);
  return value.get<std::string>();
}

}  // namespace glassrank
