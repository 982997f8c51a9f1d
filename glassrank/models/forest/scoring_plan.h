#pragma once
// A forest laid out for fast scoring; what both fast paths (sliced_scorer.h, tree_walk.h) read.
//
// Missing values are settled once per row, not once per node: every (feature, missing rule) becomes
// a column, and a missing value is replaced by a number that takes the wanted side at every cut of
// that column. After that each decision of the forest is one comparison,
//   go right  <=>  column value > cut,
// and equal comparisons anywhere in the forest are one condition, numbered by column and cut.
// Every (feature, set of categories, side of missing values) is a condition of its own behind
// those, and to walks a column: 1 where a row goes right, 0 where it goes left.
//
// Sliced trees: a tree becomes steps in breadth-first order on places. Step i moves the rows of one
// place, its source, that satisfy its condition to the new place i + 1; place 0 starts with all
// rows. Nodes with two leaves, about a third of all, are left out as twigs: their rows stay
// together and only the number of a row's leaf, its slot, says which way it went. So are forks, a
// leaf and a twig under one node. In the end every place is a fork, a twig or a leaf, and slots
// come in eights: first bundles of two forks and a twig, then twigs in fours, then leaves. Trees
// are laid out in pairs of equal length (short ones end in steps that move nothing) because two
// trees are evaluated at once.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "glassrank/models/forest/forest.h"

namespace glassrank {

struct ScoringColumn {
  std::uint32_t feature = 0;
  // |x| <= zero_bound, and NaN, count as missing: -1 where zero is a value like any other.
  float zero_bound = -1;
  float missing_value = 0;
  // -inf in the column of conditions that only missing values satisfy, else +inf.
  float ceiling = std::numeric_limits<float>::infinity();

  float value(float x) const {
    return std::abs(x) > zero_bound ? std::min(x, ceiling) : missing_value;
  }
  bool operator==(const ScoringColumn&) const = default;
};

// The categories of a feature that go left; a missing value does iff missing_left.
struct CategoryCondition {
  std::uint32_t feature = 0;
  bool missing_left = false;
  CategorySet categories;
  std::vector<std::uint32_t> codes = {};  // of the set, ascending

  bool goes_right(float x) const { return std::isnan(x) ? !missing_left : !categories.contains(x); }
};

// Up to 255 ascending cuts of one column, so that a row's place among them is one byte. They are
// the conditions first_condition, first_condition + 1, ...
struct CutRun {
  static constexpr std::size_t kMaxCuts = 255;
  std::uint32_t column = 0;
  std::uint32_t first_condition = 0;
  std::uint32_t num_cuts = 0;
  std::uint32_t num_levels = 0;  // of the search tree: the least with num_cuts < 2^num_levels
  std::size_t search_tree = 0;   // where it starts in ScoringPlan::search_trees
};

struct TreePair {
  static constexpr std::size_t kTwigGroup = 4;  // twigs come in fours: 8 slots
  // A bundle is a fork whose twig is on the right, one whose twig is on the left, and a twig. Its
  // rows' slot within 8, in bits: bit 1 says that a row went to the twig of a fork, bit 2 that its
  // fork is the second, bit 0 that it went right in a fork's twig. That leaves 1 and 5 to the twig.
  //   first fork: 0 its leaf, 2 and 3    second fork: 4 its leaf, 6 and 7    twig: 1 and 5
  static constexpr std::size_t kBundlePlaces = 3;      // first fork, second fork, twig
  static constexpr std::size_t kBundleConditions = 5;  // first fork, its twig, second, its, twig

  std::size_t num_steps = 0;        // of each tree
  std::size_t num_bundles = 0;      // of each
  std::size_t num_twigs = 0;        // of each besides, a multiple of kTwigGroup
  std::size_t num_slots = 0;        // of each: 8, 16, 32 or a multiple of 64
  std::size_t first_source = 0;     // of the first tree; the second one's follow
  std::size_t first_condition = 0;  // of the first tree; the second one's follow
  std::size_t leaf_values = 0;      // first of 2 x num_slots
  std::size_t leaf_bytes = 0;       // first of 2 x 8 x num_slots, if num_slots <= kMaxByteSlots

  // Slots of leaves that are in no bundle and on no twig.
  std::size_t num_leaf_slots() const { return num_slots - 8 * num_bundles - 2 * num_twigs; }
  // Per tree: of the steps, the bundles, the twigs, and the other leaves.
  std::size_t num_sources() const {
    return num_steps + kBundlePlaces * num_bundles + num_twigs + num_leaf_slots();
  }
  // Per tree: of the steps, the bundles and the twigs.
  std::size_t num_conditions() const {
    return num_steps + kBundleConditions * num_bundles + num_twigs;
  }
  // One more than steps lead to: no row is ever there. Slots without a leaf read it.
  std::size_t empty_place() const { return num_steps + 1; }
  std::size_t num_places() const { return num_steps + 2; }
};

// A leaf is a node no value leaves: its cut is +inf, child[0] itself, child[1] its leaf number.
struct WalkNode {
  float cut = 0;
  std::uint32_t column = 0;
  std::uint32_t child[2] = {0, 0};  // not above the cut, above it
};

struct ScoringPlan {
  // Slots whose leaf values are also kept as bytes, see leaf_bytes.
  static constexpr std::size_t kMaxByteSlots = 256;
  // Places are 16 bits; long before that walking is faster than slicing.
  static constexpr std::size_t kMaxSlicedLeaves = 4096;
  static constexpr std::size_t kStride = 2;

  double base_score = 0;
  std::size_t num_trees = 0;
  std::size_t num_features = 0;

  std::vector<ScoringColumn> columns;  // by feature
  std::vector<CutRun> runs;            // by column and cut
  // By feature: the last conditions, in this order; their columns follow `columns`.
  std::vector<CategoryCondition> categories;
  std::size_t num_conditions = 0;  // of both kinds
  std::size_t first_category() const { return num_conditions - categories.size(); }
  // Per run the cuts as a search tree in breadth-first order: the root at 1, the children of i at
  // 2 i and 2 i + 1, places without a cut +inf. 2^num_levels numbers, at least 16 (a vector).
  std::vector<float> search_trees;

  bool sliced = true;           // false: a tree is too large, and pairs is empty
  std::vector<TreePair> pairs;  // the second tree of the last pair may be none at all
  // Places and conditions, num_conditions being the one no row satisfies, all times kStride: where
  // their masks start in blocks of 128 rows, counted in words.
  std::vector<std::uint16_t> sources;
  std::vector<std::uint32_t> conditions;
  // Instead of them where they fit: every block goes through all of this.
  std::vector<std::uint16_t> narrow_conditions;
  std::vector<double> leaf_values;  // by slot
  // By tree, then byte of the value, then slot: fetched with byte permutes.
  std::vector<std::uint8_t> leaf_bytes;
  std::size_t max_slots = 0;
  std::size_t max_places = 0;

  std::vector<WalkNode> walk_nodes;       // of all trees
  std::vector<double> walk_leaves;        // of all trees
  std::vector<std::uint32_t> walk_roots;  // by tree
};

ScoringPlan make_scoring_plan(const Forest& forest);

}  // namespace glassrank
