#include "glassrank/models/forest/scoring_plan.h"

#include <bit>
#include <compare>
#include <map>
#include <span>
#include <utility>

#include "glassrank/models/forest/sliced_tree.h"

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A decision as the forest states it; the same one may stand at many nodes.
struct Decision {
  std::uint32_t feature;
  bool zero_is_missing;
  float threshold;
  bool missing_left;

  auto operator<=>(const Decision&) const = default;
};

// The same where categories are asked for.
struct CategoryDecision {
  std::uint32_t feature;
  bool missing_left;
  CategorySet categories;

  bool operator==(const CategoryDecision&) const = default;
  bool operator<(const CategoryDecision& other) const {
    if (feature != other.feature) return feature < other.feature;
    if (missing_left != other.missing_left) return missing_left < other.missing_left;
    return categories < other.categories;
  }
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
  std::vector<CategoryDecision> category_decisions;  // the same of sets
  std::vector<Condition> category_conditions;

  const Condition& of(const TreeNode& node) const;
};

Decision decision_of(const TreeNode& node) {
  // Adding 0 makes -0 and +0, the same threshold, the same key.
  return {node.feature, node.zero_is_missing, node.threshold + 0.0F, node.missing_left};
}

const Condition& Conditions::of(const TreeNode& node) const {
  if (node.asks_category()) {
    const CategoryDecision wanted{node.feature, node.missing_left, node.categories};
    const auto at = std::lower_bound(category_decisions.begin(), category_decisions.end(), wanted);
    return category_conditions[static_cast<std::size_t>(at - category_decisions.begin())];
  }
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
                       .zero_bound = decision.zero_is_missing ? kZeroThreshold : -1.0F};
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

// Behind all others.
void append_categories(const Forest& forest, ScoringPlan& plan, Conditions& out) {
  std::vector<CategoryDecision>& decisions = out.category_decisions;
  for (const Tree& tree : forest.trees()) {
    for (const TreeNode& node : tree.nodes) {
      if (!node.asks_category()) continue;
      decisions.push_back({node.feature, node.missing_left, node.categories});
    }
  }
  std::sort(decisions.begin(), decisions.end());
  decisions.erase(std::unique(decisions.begin(), decisions.end()), decisions.end());
  for (const CategoryDecision& decision : decisions) {
    const std::size_t place = plan.categories.size();
    // A column of 0 and 1: right is what exceeds 0.5.
    out.category_conditions.push_back(
        {.number = static_cast<std::uint32_t>(plan.num_conditions + place),
         .column = static_cast<std::uint32_t>(plan.columns.size() + place),
         .cut = 0.5F});
    plan.categories.push_back({.feature = decision.feature,
                               .missing_left = decision.missing_left,
                               .categories = decision.categories,
                               .codes = decision.categories.codes()});
  }
  plan.num_conditions += plan.categories.size();
}

Conditions make_conditions(const Forest& forest, ScoringPlan& plan) {
  Conditions out;
  std::vector<Decision>& decisions = out.decisions;
  for (const Tree& tree : forest.trees()) {
    for (const TreeNode& node : tree.nodes) {
      if (!node.asks_category()) decisions.push_back(decision_of(node));
    }
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
  append_categories(forest, plan, out);
  return out;
}

std::size_t slots_for(std::size_t num_leaves) {
  if (num_leaves > 32) return (num_leaves + 63) / 64 * 64;
  return std::max<std::size_t>(8, std::bit_ceil(num_leaves));
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& values) {
  to.insert(to.end(), values.begin(), values.end());
}

// Places, conditions and values of bundle i, as TreePair says.
void append_bundle(ScoringPlan& plan, const SlicedTree& sliced, std::size_t i,
                   std::vector<double>& values) {
  const SlicedTree::Part& first = sliced.first_forks;
  const SlicedTree::Part& second = sliced.second_forks;
  const SlicedTree::Part& twig = sliced.bundle_twigs;
  append(plan.sources, {first.sources[i], second.sources[i], twig.sources[i]});
  append(plan.conditions,
         {first.conditions[2 * i], first.conditions[2 * i + 1], second.conditions[2 * i],
          second.conditions[2 * i + 1], twig.conditions[i]});
  append(values, {first.values[3 * i], twig.values[2 * i], first.values[3 * i + 1],
                  first.values[3 * i + 2], second.values[3 * i], twig.values[2 * i + 1],
                  second.values[3 * i + 1], second.values[3 * i + 2]});
}

void append_sliced_tree(ScoringPlan& plan, const TreePair& pair, const Tree& tree,
                        const Conditions& conditions) {
  SlicedTree sliced = slice_tree(tree, {pair.num_bundles, pair.num_twigs},
                                 [&](const TreeNode& node) { return conditions.of(node).number; });
  sliced.steps.sources.resize(pair.num_steps, 0);
  sliced.steps.conditions.resize(pair.num_steps, static_cast<std::uint32_t>(plan.num_conditions));
  sliced.leaves.sources.resize(pair.num_leaf_slots(),
                               static_cast<std::uint16_t>(pair.empty_place()));
  sliced.leaves.values.resize(pair.num_leaf_slots(), 0);
  std::vector<double> values;
  append(plan.sources, sliced.steps.sources);
  append(plan.conditions, sliced.steps.conditions);
  for (std::size_t i = 0; i < pair.num_bundles; ++i) append_bundle(plan, sliced, i, values);
  append(plan.sources, sliced.twigs.sources);
  append(plan.conditions, sliced.twigs.conditions);
  append(values, sliced.twigs.values);
  append(plan.sources, sliced.leaves.sources);
  append(values, sliced.leaves.values);
  append(plan.leaf_values, values);
  if (pair.num_slots > ScoringPlan::kMaxByteSlots) return;
  for (std::size_t byte = 0; byte < sizeof(double); ++byte) {
    for (const double value : values) {
      plan.leaf_bytes.push_back(
          static_cast<std::uint8_t>(std::bit_cast<std::uint64_t>(value) >> (8 * byte)));
    }
  }
}

// What two trees have in common when they are evaluated at once.
TreePair pair_up(const Tree& first, const Tree& second) {
  const KeptShapes shapes = common_shapes(first, second);
  const std::size_t num_nodes = std::max(first.nodes.size(), second.nodes.size());
  TreePair pair;
  pair.num_bundles = shapes.num_bundles;
  pair.num_twigs = shapes.num_twigs / TreePair::kTwigGroup * TreePair::kTwigGroup;
  pair.num_steps = num_nodes - TreePair::kBundleConditions * pair.num_bundles - pair.num_twigs;
  pair.num_slots = slots_for(num_nodes + 1);
  return pair;
}

void append_pairs(ScoringPlan& plan, std::span<const Tree> trees, const Conditions& conditions) {
  const Tree nothing{.nodes = {}, .leaf_values = {0}, .statistics = {}};
  for (std::size_t t = 0; t < trees.size(); t += 2) {
    const Tree& first = trees[t];
    const Tree& second = t + 1 < trees.size() ? trees[t + 1] : nothing;
    TreePair pair = pair_up(first, second);
    pair.first_source = plan.sources.size();
    pair.first_condition = plan.conditions.size();
    pair.leaf_values = plan.leaf_values.size();
    pair.leaf_bytes = plan.leaf_bytes.size();
    append_sliced_tree(plan, pair, first, conditions);
    append_sliced_tree(plan, pair, second, conditions);
    plan.max_slots = std::max(plan.max_slots, pair.num_slots);
    plan.max_places = std::max(plan.max_places, pair.num_places());
    plan.pairs.push_back(pair);
  }
}

// See ScoringPlan::sources.
void stride_numbers(ScoringPlan& plan) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  static_assert((ScoringPlan::kMaxSlicedLeaves + 1) * ScoringPlan::kStride <= kMost);
  for (std::uint16_t& source : plan.sources) source *= ScoringPlan::kStride;
  for (std::uint32_t& condition : plan.conditions) condition *= ScoringPlan::kStride;
  if (plan.num_conditions * ScoringPlan::kStride <= kMost) {
    plan.narrow_conditions.assign(plan.conditions.begin(), plan.conditions.end());
    plan.conditions = {};
  }
}

// Inner nodes first, then the leaves.
void append_walk(ScoringPlan& plan, const Tree& tree, const Conditions& conditions) {
  const auto first_node = static_cast<std::uint32_t>(plan.walk_nodes.size());
  const auto first_leaf = static_cast<std::uint32_t>(first_node + tree.nodes.size());
  const auto place = [&](std::int32_t child) {
    return child < 0 ? first_leaf + static_cast<std::uint32_t>(~child)
                     : first_node + static_cast<std::uint32_t>(child);
  };
  plan.walk_roots.push_back(first_node);
  for (const TreeNode& node : tree.nodes) {
    const Condition& condition = conditions.of(node);
    plan.walk_nodes.push_back({.cut = condition.cut,
                               .column = condition.column,
                               .child = {place(node.left), place(node.right)}});
  }
  for (const double value : tree.leaf_values) {
    const auto self = static_cast<std::uint32_t>(plan.walk_nodes.size());
    const auto leaf = static_cast<std::uint32_t>(plan.walk_leaves.size());
    plan.walk_nodes.push_back({.cut = kInfinity, .column = 0, .child = {self, leaf}});
    plan.walk_leaves.push_back(value);
  }
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
  stride_numbers(plan);
  // Tables are read 256 bytes at a time, also those with fewer slots.
  plan.leaf_bytes.resize(plan.leaf_bytes.size() + ScoringPlan::kMaxByteSlots);
  for (const Tree& tree : forest.trees()) append_walk(plan, tree, conditions);
  return plan;
}

}  // namespace glassrank
