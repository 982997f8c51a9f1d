#include "glassrank/models/scoring_plan.h"

#include <bit>
#include <compare>
#include <map>
#include <span>
#include <utility>

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kZeroBound = 1e-35F;  // see tree.h: zero_is_missing

// A decision as the forest states it; the same one may stand at many nodes.
struct Decision {
  std::uint32_t feature;
  bool zero_is_missing;
  float threshold;
  bool missing_left;

  auto operator<=>(const Decision&) const = default;
};

struct Condition {
  std::uint32_t number = 0;
  std::uint32_t column = 0;
  float cut = 0;
};

// Every decision of the forest once, ascending, and the condition it became.
struct Conditions {
  std::vector<Decision> decisions;
  std::vector<Condition> conditions;

  const Condition& of(const TreeNode& node) const;
};

Decision decision_of(const TreeNode& node) {
  // Adding 0 makes -0 and +0, the same threshold, the same key.
  return {node.feature, node.zero_is_missing, node.threshold + 0.0F, node.missing_left};
}

const Condition& Conditions::of(const TreeNode& node) const {
  const auto at = std::lower_bound(decisions.begin(), decisions.end(), decision_of(node));
  return conditions[static_cast<std::size_t>(at - decisions.begin())];
}

// How the decisions of one feature and zero rule treat missing values.
struct MissingRule {
  float first_left = kInfinity;  // the smallest threshold where they go left
  // They go right below first_left and left from it on: first_left can stand for them everywhere.
  bool shared = true;
};

MissingRule missing_rule(std::span<const Decision> decisions) {
  MissingRule rule;
  for (const Decision& d : decisions) {
    if (d.missing_left) rule.first_left = std::min(rule.first_left, d.threshold);
  }
  rule.shared = std::all_of(decisions.begin(), decisions.end(), [&](const Decision& d) {
    return d.missing_left || d.threshold < rule.first_left;
  });
  return rule;
}

// One column serves all decisions under a shared rule; otherwise those that send missing values
// left and those that send them right have a column each.
ScoringColumn column_of(const Decision& decision, const MissingRule& rule) {
  ScoringColumn column{.feature = decision.feature,
                       .zero_bound = decision.zero_is_missing ? kZeroBound : -1.0F};
  column.missing_value = rule.shared || decision.missing_left ? rule.first_left : kInfinity;
  // No number lies above +inf: there the missing values alone go right.
  if (!decision.missing_left && decision.threshold == kInfinity) column.ceiling = -kInfinity;
  return column;
}

void append_run(ScoringPlan& plan, std::uint32_t column, std::span<const float> cuts) {
  CutRun run{.column = column,
             .first_condition = static_cast<std::uint32_t>(plan.num_conditions),
             .num_cuts = static_cast<std::uint32_t>(cuts.size()),
             .num_levels = static_cast<std::uint32_t>(std::bit_width(cuts.size())),
             .search_tree = plan.search_trees.size()};
  const std::size_t num_places = std::size_t{1} << run.num_levels;
  plan.search_trees.resize(plan.search_trees.size() + std::max<std::size_t>(16, num_places),
                           kInfinity);
  for (std::size_t level = 0; level < run.num_levels; ++level) {
    // The subtrees of this level cover `width` ranks each; their root is the middle one.
    const std::size_t width = num_places >> level;
    for (std::size_t i = 0; i < std::size_t{1} << level; ++i) {
      const std::size_t rank = i * width + width / 2 - 1;
      if (rank < cuts.size()) {
        plan.search_trees[run.search_tree + (std::size_t{1} << level) + i] = cuts[rank];
      }
    }
  }
  plan.num_conditions += cuts.size();
  plan.runs.push_back(run);
}

// The cuts of one column, ascending, to runs; numbers their conditions.
void append_column(ScoringPlan& plan, const ScoringColumn& column,
                   const std::map<float, std::vector<Condition*>>& cuts) {
  const auto number = static_cast<std::uint32_t>(plan.columns.size());
  plan.columns.push_back(column);
  std::vector<float> values;
  for (const auto& [cut, users] : cuts) {
    for (Condition* user : users) {
      *user = {.number = static_cast<std::uint32_t>(plan.num_conditions + values.size()),
               .column = number,
               .cut = cut};
    }
    values.push_back(cut);
    if (values.size() == CutRun::kMaxCuts) append_run(plan, number, std::exchange(values, {}));
  }
  if (!values.empty()) append_run(plan, number, values);
}

// The decisions [begin, end) are those of one feature and zero rule.
void condense(ScoringPlan& plan, Conditions& out, std::size_t begin, std::size_t end) {
  const MissingRule rule = missing_rule({out.decisions.data() + begin, end - begin});
  // Three columns at most: found one by one.
  std::vector<std::pair<ScoringColumn, std::map<float, std::vector<Condition*>>>> columns;
  for (std::size_t i = begin; i < end; ++i) {
    const ScoringColumn column = column_of(out.decisions[i], rule);
    auto at = std::find_if(columns.begin(), columns.end(),
                           [&](const auto& known) { return known.first == column; });
    if (at == columns.end()) at = columns.insert(at, {column, {}});
    const float cut = column.ceiling < 0 ? 0.0F : out.decisions[i].threshold;
    at->second[cut].push_back(&out.conditions[i]);
  }
  for (const auto& [column, cuts] : columns) append_column(plan, column, cuts);
}

Conditions make_conditions(const Forest& forest, ScoringPlan& plan) {
  Conditions out;
  std::vector<Decision>& decisions = out.decisions;
  for (const Tree& tree : forest.trees()) {
    for (const TreeNode& node : tree.nodes) decisions.push_back(decision_of(node));
  }
  std::sort(decisions.begin(), decisions.end());
  decisions.erase(std::unique(decisions.begin(), decisions.end()), decisions.end());
  out.conditions.resize(decisions.size());
  for (std::size_t begin = 0, end = 0; begin < decisions.size(); begin = end) {
    while (end < decisions.size() && decisions[end].feature == decisions[begin].feature &&
           decisions[end].zero_is_missing == decisions[begin].zero_is_missing) {
      ++end;
    }
    condense(plan, out, begin, end);
  }
  return out;
}

std::size_t slots_for(std::size_t num_leaves) {
  if (num_leaves > 32) return (num_leaves + 63) / 64 * 64;
  return std::max<std::size_t>(8, std::bit_ceil(num_leaves));
}

// Steps of one tree, and which leaf each slot ends as.
std::vector<std::size_t> append_steps(ScoringPlan& plan, const Tree& tree,
                                      const Conditions& conditions) {
  std::vector<std::size_t> leaf_of_slot(tree.num_leaves());
  std::vector<std::pair<std::int32_t, std::uint16_t>> queue;  // node, its slot
  if (!tree.nodes.empty()) queue.emplace_back(0, std::uint16_t{0});
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto [at, slot] = queue[i];
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(at)];
    plan.sources.push_back(slot);
    plan.conditions.push_back(conditions.of(node).number);
    for (const auto& [child, child_slot] :
         {std::pair{node.left, slot}, std::pair{node.right, static_cast<std::uint16_t>(i + 1)}}) {
      if (child >= 0) {
        queue.emplace_back(child, child_slot);
      } else {
        leaf_of_slot[child_slot] = static_cast<std::size_t>(~child);
      }
    }
  }
  return leaf_of_slot;
}

void append_sliced_tree(ScoringPlan& plan, const TreePair& pair, const Tree& tree,
                        const Conditions& conditions) {
  const std::vector<std::size_t> leaf_of_slot = append_steps(plan, tree, conditions);
  plan.sources.resize(plan.sources.size() + pair.num_steps - tree.nodes.size(), 0);
  plan.conditions.resize(plan.sources.size(), static_cast<std::uint32_t>(plan.num_conditions));
  std::vector<double> values(pair.num_slots);
  for (std::size_t slot = 0; slot < leaf_of_slot.size(); ++slot) {
    values[slot] = tree.leaf_values[leaf_of_slot[slot]];
  }
  plan.leaf_values.insert(plan.leaf_values.end(), values.begin(), values.end());
  if (pair.num_slots > ScoringPlan::kMaxByteSlots) return;
  for (std::size_t byte = 0; byte < sizeof(double); ++byte) {
    for (const double value : values) {
      plan.leaf_bytes.push_back(
          static_cast<std::uint8_t>(std::bit_cast<std::uint64_t>(value) >> (8 * byte)));
    }
  }
}

void append_pairs(ScoringPlan& plan, std::span<const Tree> trees, const Conditions& conditions) {
  const Tree nothing{.nodes = {}, .leaf_values = {0}, .statistics = {}};
  for (std::size_t t = 0; t < trees.size(); t += 2) {
    const Tree& first = trees[t];
    const Tree& second = t + 1 < trees.size() ? trees[t + 1] : nothing;
    TreePair pair{.first_step = plan.sources.size(),
                  .num_steps = std::max(first.nodes.size(), second.nodes.size()),
                  .leaf_values = plan.leaf_values.size(),
                  .leaf_bytes = plan.leaf_bytes.size()};
    pair.num_slots = slots_for(pair.num_steps + 1);
    append_sliced_tree(plan, pair, first, conditions);
    append_sliced_tree(plan, pair, second, conditions);
    plan.max_slots = std::max(plan.max_slots, pair.num_slots);
    plan.pairs.push_back(pair);
  }
}

void append_walk(ScoringPlan& plan, const Tree& tree, const Conditions& conditions) {
  const auto first_node = static_cast<std::int32_t>(plan.walk_nodes.size());
  const auto first_leaf = static_cast<std::int32_t>(plan.walk_leaves.size());
  const auto in_forest = [&](std::int32_t child) {
    return child < 0 ? child - first_leaf : child + first_node;  // ~(l + first) = ~l - first
  };
  plan.walk_roots.push_back(in_forest(tree.nodes.empty() ? ~0 : 0));
  for (const TreeNode& node : tree.nodes) {
    const Condition& condition = conditions.of(node);
    plan.walk_nodes.push_back({.cut = condition.cut,
                               .column = condition.column,
                               .child = {in_forest(node.left), in_forest(node.right)}});
  }
  plan.walk_leaves.insert(plan.walk_leaves.end(), tree.leaf_values.begin(), tree.leaf_values.end());
}

}  // namespace

ScoringPlan make_scoring_plan(const Forest& forest) {
  ScoringPlan plan;
  plan.base_score = forest.base_score();
  plan.num_trees = forest.trees().size();
  plan.num_features = forest.num_features();
  const Conditions conditions = make_conditions(forest, plan);
  plan.sliced = std::all_of(forest.trees().begin(), forest.trees().end(), [](const Tree& tree) {
    return tree.num_leaves() <= ScoringPlan::kMaxSlicedLeaves;
  });
  if (plan.sliced) append_pairs(plan, forest.trees(), conditions);
  // Tables are read 256 bytes at a time, also those with fewer slots.
  plan.leaf_bytes.resize(plan.leaf_bytes.size() + ScoringPlan::kMaxByteSlots);
  for (const Tree& tree : forest.trees()) append_walk(plan, tree, conditions);
  return plan;
}

}  // namespace glassrank
