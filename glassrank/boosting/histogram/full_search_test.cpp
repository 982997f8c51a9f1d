#include "glassrank/boosting/histogram/full_search.h"

#include <numeric>

#include <gtest/gtest.h>

#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::with_threads;

std::vector<std::uint32_t> all_rows(const BinnedDataset& data) {
  std::vector<std::uint32_t> rows(data.num_rows());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// Bins (g, h, count): (-4, 2, 2), (6, 2, 2), missing (-3, 1, 1); total (-1, 5, 5), score 1/5.
// {0} | {1, missing}: 16/2 + 9/3 = 11 - 0.2.  {0, 1} | {missing}: 4/4 + 9/1 = 10 - 0.2.
// {0, missing} | {1}: 49/3 + 36/2 = 34.3333 - 0.2 = 34.1333: the best.
TEST(FindInBins, FindsTheBestSplitByHand) {
  const std::vector<FullBin> bins = {{-4, 2, 2}, {6, 2, 2}, {-3, 1, 1}};
  const SplitRules rules{.min_leaf_hessian = 0, .min_leaf_rows = 1};
  const Split split = find_in_bins(bins, 7, true, rules, {});
  EXPECT_NEAR(split.gain, 49.0 / 3 + 18 - 0.2, 1e-12);
  EXPECT_EQ(split.feature, 7U);
  EXPECT_EQ(split.bin, 0U);
  EXPECT_TRUE(split.missing_left);
  EXPECT_NEAR(split.left_value, 7.0 / 3, 1e-12);
  EXPECT_NEAR(split.right_value, -3.0, 1e-12);
}

TEST(FindInBins, SplitsMissingFromEveryValue) {
  const std::vector<FullBin> bins = {{1, 2, 2}, {1, 2, 2}, {-9, 2, 2}};
  const SplitRules rules{.min_leaf_hessian = 0, .min_leaf_rows = 1};
  const Split split = find_in_bins(bins, 0, true, rules, {});
  EXPECT_EQ(split.bin, 1U);
  EXPECT_FALSE(split.missing_left);
}

// l1 = 1, l2 = 1: left t(-4) = -3: 9 / (2 + 1); right t(6) = 5: 25 / 3; parent t(2) = 1: 1 / 5.
TEST(FindInBins, AppliesPenalties) {
  const std::vector<FullBin> bins = {{-4, 2, 2}, {6, 2, 2}, {}};
  const SplitRules rules{.l1 = 1, .l2 = 1, .min_leaf_hessian = 0, .min_leaf_rows = 1};
  EXPECT_NEAR(find_in_bins(bins, 0, false, rules, {}).gain, 3.0 + 25.0 / 3 - 0.2, 1e-12);
}

TEST(FindInBins, KeepsMinimumRowsHessianAndGain) {
  const std::vector<FullBin> bins = {{-4, 2, 2}, {6, 2, 3}, {}};
  SplitRules rules{.min_leaf_hessian = 0, .min_leaf_rows = 2};
  EXPECT_TRUE(find_in_bins(bins, 0, false, rules, {}).exists());
  rules.min_leaf_rows = 3;
  EXPECT_FALSE(find_in_bins(bins, 0, false, rules, {}).exists());
  rules = {.min_leaf_hessian = 2.5, .min_leaf_rows = 1};
  EXPECT_FALSE(find_in_bins(bins, 0, false, rules, {}).exists());
  rules = {.min_gain = 26, .min_leaf_hessian = 0, .min_leaf_rows = 1};  // 8 + 18 - 1 = 25
  EXPECT_FALSE(find_in_bins(bins, 0, false, rules, {}).exists());
}

TEST(FindInBins, EqualGainsTakeTheSmallerBin) {
  const std::vector<FullBin> bins = {{-4, 2, 2}, {0, 0, 0}, {6, 2, 2}, {}};
  const SplitRules rules{.min_leaf_hessian = 0, .min_leaf_rows = 1};
  EXPECT_EQ(find_in_bins(bins, 0, false, rules, {}).bin, 0U);
}

// Every split of every feature from the rows themselves.
Split brute_force(const BinnedDataset& data, const testing::Gradients& g, const SplitRules& rules) {
  Split best;
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    for (std::uint32_t bin = 0; bin < data.num_value_bins(f); ++bin) {
      for (const bool missing_left : {false, true}) {
        LeafSums left;
        LeafSums right;
        std::size_t count = 0;
        for (std::size_t r = 0; r < data.num_rows(); ++r) {
          const std::size_t code = data.column(f)[r];
          const bool is_left = code == data.missing_bin(f) ? missing_left : code <= bin;
          LeafSums& side = is_left ? left : right;
          side.gradient += g.gradient[r];
          side.hessian += g.hessian[r];
          count += is_left ? 1 : 0;
        }
        if (std::min(count, data.num_rows() - count) < rules.min_leaf_rows) continue;
        const LeafSums total{left.gradient + right.gradient, left.hessian + right.hessian};
        Split split{.gain = leaf_score(left, rules, {}) + leaf_score(right, rules, {}) -
                            leaf_score(total, rules, {}),
                    .feature = f,
                    .bin = bin,
                    .missing_left = missing_left};
        if (is_better(split, best)) best = split;
      }
    }
  }
  return best;
}

TEST(FullSearch, FindsWhatBruteForceFinds) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const BinnedDataset data = make_binned({.num_queries = 8, .seed = seed, .max_bins = 16});
    const testing::Gradients g = testing::whole_gradients(data.num_rows(), seed);
    const SplitRules rules{.min_leaf_hessian = 0, .min_leaf_rows = 30};
    FullSearch search(data, rules, 1, with_threads(2));
    auto rows = all_rows(data);
    ASSERT_EQ(search.start_tree({g.gradient, g.hessian, 0}, {rows, rows.size()}), rows.size());
    search.build(rows, 0);
    const std::vector<std::uint8_t> allowed(data.num_features(), 1);
    const Split found = search.find({.num_rows = rows.size(), .allowed = allowed});
    const Split expected = brute_force(data, g, rules);
    EXPECT_EQ(found.feature, expected.feature);
    EXPECT_EQ(found.bin, expected.bin);
    EXPECT_EQ(found.missing_left, expected.missing_left);
    EXPECT_DOUBLE_EQ(found.gain, expected.gain);
  }
}

TEST(FullSearch, SubtractingAChildGivesItsSibling) {
  const BinnedDataset data = make_binned({});
  const testing::Gradients g = testing::whole_gradients(data.num_rows(), 3);
  FullSearch search(data, {}, 3, with_threads(1));
  auto rows = all_rows(data);
  search.start_tree({g.gradient, g.hessian, 0}, {rows, rows.size()});
  search.build(rows, 0);
  search.build(std::span(rows).first(300), 1);
  search.build(std::span(rows).subspan(300), 2);
  search.subtract(0, 1);
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    if (data.is_constant(f)) continue;
    for (std::size_t b = 0; b < data.num_bins(f); ++b) {
      EXPECT_EQ(search.bins(0, f)[b].gradient, search.bins(2, f)[b].gradient);
      EXPECT_EQ(search.bins(0, f)[b].count, search.bins(2, f)[b].count);
    }
  }
}

TEST(FullSearch, UsesAllowedFeaturesOnly) {
  const BinnedDataset data = make_binned({});
  const testing::Gradients g = testing::whole_gradients(data.num_rows(), 3);
  FullSearch search(data, {}, 1, with_threads(1));
  auto rows = all_rows(data);
  search.start_tree({g.gradient, g.hessian, 0}, {rows, rows.size()});
  search.build(rows, 0);
  std::vector<std::uint8_t> allowed(data.num_features(), 0);
  EXPECT_FALSE(search.find({.num_rows = rows.size(), .allowed = allowed}).exists());
  allowed[4] = 1;
  EXPECT_EQ(search.find({.num_rows = rows.size(), .allowed = allowed}).feature, 4U);
}

}  // namespace
}  // namespace glassrank
