#include "glassrank/boosting/tree_backend.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <gtest/gtest.h>

#include "glassrank/boosting/booster_params.h"
#include "glassrank/boosting/tree/tree_grower.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::with_threads;

// The definition of a backend: lists of rows, every cut of every feature tried on every row.
class NaiveBackend final : public TreeBackend {
 public:
  NaiveBackend(const BinnedDataset& data, const SplitRules& rules,
               std::vector<std::int8_t> monotone)
      : data_(data), rules_(rules), monotone_(std::move(monotone)) {}

  std::uint64_t start_tree(const TreeGradients& gradients, SampledRows rows) override {
    gradients_ = gradients;
    std::vector<std::uint32_t> root(data_.num_rows());
    std::iota(root.begin(), root.end(), 0);
    if (rows) root.assign(rows->begin(), rows->end());
    leaves_.assign(1, root);
    return root.size();
  }
  void prepare_root() override {}
  void prepare_children(std::size_t, bool, bool) override {}

  Split best_split(std::size_t leaf, std::span<const std::uint8_t> allowed,
                   const ValueBounds& bounds) override {
    Split best;
    for (std::uint32_t f = 0; f < data_.num_features(); ++f) {
      if (allowed[f] == 0) continue;
      for (std::uint32_t bin = 0; bin < data_.num_value_bins(f); ++bin) {
        for (const bool missing_left : {false, true}) {
          Split split{.feature = f, .bin = bin, .missing_left = missing_left};
          if (is_split(leaf, bounds, split) && is_better(split, best)) best = split;
        }
      }
    }
    return best;
  }

  std::optional<ChildCounts> divide(std::size_t leaf, const Split& split) override {
    auto [left, right] = halves(leaf, split);
    const ChildCounts counts{.left = left.size(), .right = right.size()};
    leaves_[leaf] = std::move(left);
    leaves_.push_back(std::move(right));
    return counts;
  }

  std::vector<LeafSums> leaf_sums() override {
    std::vector<LeafSums> sums;
    for (const auto& rows : leaves_) sums.push_back(sum(rows));
    return sums;
  }

  void add_tree(const BinnedTree& tree, std::span<double> scores) override {
    for (std::size_t row = 0; row < scores.size(); ++row) {
      scores[row] += binned_score(tree, data_, row);
    }
  }

  bool draws_rows() const override { return false; }

 private:
  using Rows = std::vector<std::uint32_t>;

  std::pair<Rows, Rows> halves(std::size_t leaf, const Split& split) const {
    std::pair<Rows, Rows> both;
    for (const std::uint32_t row : leaves_[leaf]) {
      const std::size_t code = data_.column(split.feature)[row];
      const bool is_missing = code == data_.missing_bin(split.feature);
      const bool is_left = is_missing ? split.missing_left : code <= split.bin;
      (is_left ? both.first : both.second).push_back(row);
    }
    return both;
  }

  LeafSums sum(const Rows& rows) const {
    LeafSums sums;
    for (const std::uint32_t row : rows) {
      sums.gradient += gradients_.gradient[row];
      sums.hessian += gradients_.hessian[row];
    }
    return sums;
  }

  // Whether every rule is kept; fills in gain and values.
  bool is_split(std::size_t leaf, const ValueBounds& bounds, Split& split) const {
    const auto [left_rows, right_rows] = halves(leaf, split);
    const std::size_t fewest = std::min(left_rows.size(), right_rows.size());
    if (fewest < std::max<std::size_t>(rules_.min_leaf_rows, 1)) return false;
    const LeafSums left = sum(left_rows);
    const LeafSums right = sum(right_rows);
    if (std::min(left.hessian, right.hessian) < rules_.min_leaf_hessian) return false;
    split.left_value = leaf_value(left, rules_, bounds);
    split.right_value = leaf_value(right, rules_, bounds);
    const int direction = monotone_.empty() ? 0 : monotone_[split.feature];
    if (direction * (split.right_value - split.left_value) < 0) return false;
    split.gain = leaf_score(left, rules_, bounds) + leaf_score(right, rules_, bounds) -
                 leaf_score(sum(leaves_[leaf]), rules_, bounds);
    return split.gain > rules_.min_gain;
  }

  const BinnedDataset& data_;
  SplitRules rules_;
  std::vector<std::int8_t> monotone_;
  TreeGradients gradients_;
  std::vector<Rows> leaves_;
};

struct Case {
  BoosterParams params = {};
  std::vector<std::int8_t> monotone = {};
  const TreeConstraint* constraint = nullptr;
  bool is_sampled = false;
};

GrowerRules rules_of(const Case& some) {
  return {.num_leaves = static_cast<std::size_t>(some.params.num_leaves),
          .max_depth = static_cast<std::size_t>(some.params.max_depth),
          .growth = some.params.growth,
          .min_leaf_rows = static_cast<std::size_t>(some.params.min_leaf_rows),
          .feature_fraction = some.params.feature_fraction,
          .monotone = some.monotone,
          .constraint = some.constraint};
}

// A tree and all that the backend says of it.
struct Outcome {
  GrownTree tree;
  std::vector<LeafSums> sums;
  BinnedTree binned;
  std::vector<double> scores;
};

Outcome grow(TreeBackend& backend, const BinnedDataset& data, const Case& some,
             const testing::Gradients& g, SampledRows rows, const Context& context) {
  Outcome outcome;
  outcome.tree =
      TreeGrower(data, rules_of(some), backend, context).grow({g.gradient, g.hessian, 3}, rows);
  outcome.sums = backend.leaf_sums();
  outcome.binned =
      finish_tree(outcome.tree, outcome.sums, split_rules(some.params), 0.1, data.edges()).binned;
  outcome.scores.assign(data.num_rows(), 1.0);
  backend.add_tree(outcome.binned, outcome.scores);
  return outcome;
}

std::vector<std::uint32_t> two_thirds(const BinnedDataset& data) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < data.num_rows(); ++row) {
    if (row % 3 != 1) rows.push_back(row);
  }
  return rows;
}

void expect_equal(const Outcome& found, const Outcome& expected) {
  const auto node = [](const BinnedNode& n) {
    return std::tuple(n.feature, n.bin, n.missing_left, n.left, n.right);
  };
  EXPECT_TRUE(std::ranges::equal(found.tree.nodes, expected.tree.nodes, {}, node, node));
  EXPECT_EQ(found.tree.node_gain, expected.tree.node_gain);
  EXPECT_EQ(found.tree.num_rows, expected.tree.num_rows);
  ASSERT_EQ(found.tree.leaves.size(), expected.tree.leaves.size());
  for (std::size_t leaf = 0; leaf < found.tree.leaves.size(); ++leaf) {
    EXPECT_EQ(found.tree.leaves[leaf].num_rows, expected.tree.leaves[leaf].num_rows);
    EXPECT_EQ(found.sums[leaf].gradient, expected.sums[leaf].gradient);
    EXPECT_EQ(found.sums[leaf].hessian, expected.sums[leaf].hessian);
  }
  EXPECT_EQ(found.scores, expected.scores);
}

// Gradients are whole numbers: sums are exact in any order, so trees must be the same to the bit.
TEST(TreeBackend, GrowsTheTreesOfTheNaiveOne) {
  const BinnedDataset data = make_binned({.num_queries = 12, .max_bins = 12});
  const InteractionSets branches({{0, 1, 5}, {2, 3, 4}}, data.num_features());
  const TreeFeatureSets trees({{0, 1}, {1, 5}, {3, 4}}, data.num_features());
  const std::vector<std::int8_t> monotone = {1, -1, 0, 0, 1, -1, 0, 0};
  const auto full = [](BoosterParams params) {
    params.precision = Precision::kFull;
    params.num_leaves = 9;
    return params;
  };
  const Case cases[] = {
      {.params = full({.min_leaf_rows = 1})},
      {.params = full({.growth = Growth::kDepthWise, .min_leaf_rows = 15})},
      {.params = full({.max_depth = 2, .min_leaf_rows = 5, .l1 = 3, .l2 = 10})},
      {.params = full({.min_leaf_rows = 5, .min_leaf_hessian = 300, .min_gain = 20})},
      {.params = full({.min_leaf_rows = 5, .feature_fraction = 0.5}), .is_sampled = true},
      {.params = full({.min_leaf_rows = 10}), .monotone = monotone},
      {.params = full({.min_leaf_rows = 3}), .constraint = &branches},
      {.params = full({.min_leaf_rows = 3}), .constraint = &trees, .is_sampled = true},
      {.params = full({.growth = Growth::kDepthWise, .min_leaf_rows = 8, .l1 = 2}),
       .monotone = monotone,
       .constraint = &branches,
       .is_sampled = true}};
  const std::vector<std::uint32_t> sample = two_thirds(data);
  for (std::size_t c = 0; c < std::size(cases); ++c) {
    for (std::uint64_t seed = 1; seed < 5; ++seed) {
      SCOPED_TRACE(fmt::format("case {} seed {}", c, seed));
      const Case& some = cases[c];
      const testing::Gradients g = testing::whole_gradients(data.num_rows(), seed);
      const SampledRows rows = some.is_sampled ? SampledRows(sample) : std::nullopt;
      const Context context = with_threads(2);
      BoostingTimes times;
      const auto backend = make_tree_backend(
          {.data = data, .monotone = some.monotone, .times = times}, some.params, context);
      NaiveBackend naive(data, split_rules(some.params), some.monotone);
      const Outcome expected = grow(naive, data, some, g, rows, context);
      EXPECT_GT(expected.tree.nodes.size(), 2U);
      expect_equal(grow(*backend, data, some, g, rows, context), expected);
    }
  }
}

// Whatever splits a backend finds: counts, sums and scores are those of the rows in the leaves.
TEST(TreeBackend, CountsSumsAndScoresAreExactInEveryPrecision) {
  const BinnedDataset data = make_binned({.num_queries = 80});
  const std::vector<std::uint32_t> sample = two_thirds(data);
  const testing::Gradients g = testing::whole_gradients(data.num_rows(), 7);
  std::vector<std::uint32_t> every(data.num_rows());
  std::iota(every.begin(), every.end(), 0);
  for (const Precision precision : {Precision::kFull, Precision::kFast}) {
    for (const double share : {0.1, 1.0}) {
      for (const bool is_sampled : {false, true}) {
        const Case some{.params = {.num_leaves = 40,
                                   .min_leaf_rows = 25,
                                   .precision = precision,
                                   .active = ActiveRows::kSome,
                                   .active_share = share}};
        const SampledRows rows = is_sampled ? SampledRows(sample) : std::nullopt;
        BoostingTimes times;
        const auto backend =
            make_tree_backend({.data = data, .times = times}, some.params, with_threads(2));
        EXPECT_EQ(backend->draws_rows(), precision == Precision::kFast && share < 1);
        const Outcome outcome = grow(*backend, data, some, g, rows, with_threads(2));
        EXPECT_GT(outcome.tree.nodes.size(), 5U);

        BinnedTree leaf_numbers = outcome.binned;
        std::iota(leaf_numbers.leaf_values.begin(), leaf_numbers.leaf_values.end(), 0.0);
        std::vector<LeafSums> sums(outcome.sums.size());
        std::vector<std::uint64_t> counts(outcome.sums.size());
        for (const std::uint32_t row : rows ? sample : every) {
          const auto leaf = static_cast<std::size_t>(binned_score(leaf_numbers, data, row));
          sums[leaf].gradient += g.gradient[row];
          sums[leaf].hessian += g.hessian[row];
          ++counts[leaf];
        }
        for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
          EXPECT_EQ(outcome.sums[leaf].gradient, sums[leaf].gradient);
          EXPECT_EQ(outcome.sums[leaf].hessian, sums[leaf].hessian);
          EXPECT_EQ(outcome.tree.leaves[leaf].num_rows, counts[leaf]);
          EXPECT_GE(counts[leaf], 25U);
        }
        for (std::size_t row = 0; row < data.num_rows(); ++row) {
          ASSERT_EQ(outcome.scores[row], 1.0 + binned_score(outcome.binned, data, row));
        }
      }
    }
  }
}

}  // namespace
}  // namespace glassrank
