#include "glassrank/boosting/histogram/category_search.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/boosting/histogram/packed_search.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::with_threads;

SplitRules open_rules() {
  return {
      .min_leaf_hessian = 0,
      .min_leaf_rows = 1,
      .categories = {.smooth = 0, .l2 = 0, .max_one_hot = 0, .max_set = 256, .min_group_rows = 0}};
}

std::vector<std::uint32_t> first_bins(std::size_t count) {
  std::vector<std::uint32_t> bins(count);
  std::iota(bins.begin(), bins.end(), 0);
  return bins;
}

// Bins (g, h, n): (-4, 2, 2), (6, 2, 2), (-5, 1, 1), missing (1, 1, 1); total (-2, 6, 6).
// In order of g / h: 2 (-5), 0 (-2), 1 (3). {2} | rest: 25 + 9/5 - 4/6. {0, 2}: 81/3 + 49/3 - 4/6:
// the best. From the other end {1}: 36/2 + 64/4 - 4/6; {0, 1}: 4/4 + 16/2 - 4/6.
TEST(FindInCategories, FindsTheBestSetByHand) {
  const std::vector<FullBin> bins = {{-4, 2, 2}, {6, 2, 2}, {-5, 1, 1}, {1, 1, 1}};
  const auto categories = first_bins(3);
  const Split split =
      find_in_categories({.bins = bins, .category_bins = categories}, 5, open_rules(), {});
  EXPECT_NEAR(split.gain, 27 + 49.0 / 3 - 4.0 / 6, 1e-12);
  EXPECT_TRUE(split.is_set);
  EXPECT_EQ(split.feature, 5U);
  EXPECT_TRUE(split.bins.contains(0));
  EXPECT_FALSE(split.bins.contains(1));
  EXPECT_TRUE(split.bins.contains(2));
  EXPECT_FALSE(split.bins.contains(3));
  EXPECT_NEAR(split.left_value, 3, 1e-12);
  EXPECT_NEAR(split.right_value, -7.0 / 3, 1e-12);
}

std::vector<FullBin> random_bins(std::uint64_t seed, std::size_t num_categories) {
  const CounterRandom random(seed, "category_bins");
  std::vector<FullBin> bins;
  for (std::size_t b = 0; b <= num_categories; ++b) {
    const double count = 1 + static_cast<double>(random.below(3 * b, 40));
    bins.push_back({static_cast<double>(random.below(3 * b + 1, 81)) - 40, count, count});
  }
  return bins;
}

double gain_of(const std::vector<FullBin>& bins, std::uint64_t set, const SplitRules& rules,
               double l2) {
  LeafSums left;
  LeafSums all;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    all.gradient += bins[b].gradient;
    all.hessian += bins[b].hessian;
    if ((set >> b & 1) == 0) continue;
    left.gradient += bins[b].gradient;
    left.hessian += bins[b].hessian;
  }
  SplitRules sides = rules;
  sides.l2 += l2;
  return leaf_score(left, sides, {}) +
         leaf_score({all.gradient - left.gradient, all.hessian - left.hessian}, sides, {}) -
         leaf_score(all, rules, {});
}

// Missing values always go right, which Fisher's proof does not know: without any, the best prefix
// is the best of all sets.
TEST(FindInCategories, NoSetOfAnyKindIsBetter) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t n = 3 + seed % 7;
    std::vector<FullBin> bins = random_bins(seed, n);
    bins.back() = {};
    const auto categories = first_bins(n);
    const Split split =
        find_in_categories({.bins = bins, .category_bins = categories}, 0, open_rules(), {});
    double best = 0;
    for (std::uint64_t set = 1; set + 1 < (std::uint64_t{1} << n); ++set) {
      best = std::max(best, gain_of(bins, set, open_rules(), 0));
    }
    EXPECT_NEAR(split.gain, best, 1e-9 * (1 + best)) << seed;
  }
}

// The rule of the header word by word: every prefix from both ends, each on its own.
double best_by_every_prefix(const std::vector<FullBin>& bins, const SplitRules& rules) {
  const CategoryRules& own = rules.categories;
  double total = 0;
  for (const FullBin& bin : bins) total += bin.count;
  std::vector<std::size_t> order;
  for (std::size_t b = 0; b + 1 < bins.size(); ++b) {
    if (bins[b].count >= own.smooth) order.push_back(b);
  }
  std::ranges::stable_sort(
      order, {}, [&](std::size_t b) { return bins[b].gradient / (bins[b].hessian + own.smooth); });
  double best = 0;
  for (const bool from_end : {false, true}) {
    if (from_end) std::ranges::reverse(order);
    double since_tried = 0;
    for (std::size_t k = 1; k <= std::min(own.max_set, (order.size() + 1) / 2); ++k) {
      std::uint64_t set = 0;
      double count = 0;
      double hessian = 0;
      for (std::size_t i = 0; i < k; ++i) {
        set |= std::uint64_t{1} << order[i];
        count += bins[order[i]].count;
        hessian += bins[order[i]].hessian;
      }
      since_tried += bins[order[k - 1]].count;
      const auto least = static_cast<double>(rules.min_leaf_rows);
      if (count < least || hessian < rules.min_leaf_hessian) continue;
      if (total - count < std::max(least, static_cast<double>(own.min_group_rows))) break;
      if (since_tried < static_cast<double>(own.min_group_rows)) continue;
      since_tried = 0;
      const double gain = gain_of(bins, set, rules, own.l2);
      if (gain > rules.min_gain) best = std::max(best, gain);
    }
  }
  return best;
}

TEST(FindInCategories, IsTheBestOfEveryPrefixUnderAllRules) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const CounterRandom random(seed, "category_rules");
    const std::vector<FullBin> bins = random_bins(seed, 5 + random.below(0, 20));
    const auto categories = first_bins(bins.size() - 1);
    const SplitRules rules{.l1 = static_cast<double>(random.below(1, 3)),
                           .l2 = static_cast<double>(random.below(2, 3)),
                           .min_leaf_hessian = 2,
                           .min_leaf_rows = random.below(3, 30),
                           .categories = {.smooth = static_cast<double>(random.below(4, 12)),
                                          .l2 = static_cast<double>(random.below(5, 12)),
                                          .max_one_hot = 4,
                                          .max_set = 1 + random.below(6, 9),
                                          .min_group_rows = random.below(7, 60)}};
    const Split split =
        find_in_categories({.bins = bins, .category_bins = categories}, 0, rules, {});
    EXPECT_NEAR(split.gain, best_by_every_prefix(bins, rules), 1e-9) << seed;
    if (!split.exists()) continue;
    std::uint64_t set = 0;
    for (std::size_t b = 0; b < bins.size(); ++b) set |= std::uint64_t{split.bins.contains(b)} << b;
    EXPECT_NEAR(gain_of(bins, set, rules, rules.categories.l2), split.gain, 1e-9) << seed;
    EXPECT_LE(static_cast<std::size_t>(std::popcount(set)), rules.categories.max_set);
  }
}

TEST(FindInCategories, OneAloneGoesLeftWhereThereAreFew) {
  const std::vector<FullBin> bins = {{-4, 2, 2}, {6, 2, 2}, {-5, 1, 1}, {}};
  const auto categories = first_bins(3);
  SplitRules rules = open_rules();
  rules.categories.max_one_hot = 3;
  rules.categories.l2 = 1000;  // is for sets
  const Split split = find_in_categories({.bins = bins, .category_bins = categories}, 0, rules, {});
  EXPECT_TRUE(split.bins.contains(1));
  EXPECT_FALSE(split.bins.contains(0) || split.bins.contains(2));
  EXPECT_NEAR(split.gain, 36.0 / 2 + 81.0 / 3 - 9.0 / 5, 1e-12);
}

TEST(FindInCategories, BinsOfSeveralCategoriesNeverGoLeft) {
  const std::vector<FullBin> bins = {{-90, 2, 2}, {6, 2, 2}, {-5, 1, 1}, {3, 1, 1}, {}};
  const std::vector<std::uint32_t> categories = {1, 2, 3};
  const Split split =
      find_in_categories({.bins = bins, .category_bins = categories}, 0, open_rules(), {});
  ASSERT_TRUE(split.exists());
  EXPECT_FALSE(split.bins.contains(0));
}

// Rows of one categorical feature with 12 categories and a numeric one.
BinnedDataset category_data(std::size_t num_rows) {
  const CounterRandom random(3, "category_data");
  const Dataset data = testing::data_of_values(num_rows, 2, [&](std::size_t r, std::size_t f) {
    return f == 0 ? static_cast<double>(random.below(2 * r, 12)) : random.normal(2 * r + 1);
  });
  RowTable table = data.table();
  table.schema.set_category(0, {});
  return bin_dataset(data.with_table(std::make_shared<const RowTable>(std::move(table))), {},
                     with_threads(1));
}

// With equal hessians the packed search's estimates of rows are exact.
TEST(PackedSearch, FindsTheSetsOfTheFullSearch) {
  const BinnedDataset data = category_data(3000);
  const CounterRandom random(4, "category_gradients");
  std::vector<float> gradient;
  const std::vector<float> hessian(data.num_rows(), 1.0F);
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    const auto category = static_cast<double>(data.column(0)[r] * 7 % 5);
    gradient.push_back(static_cast<float>(std::round(2 * category - 4 + random.normal(r))));
  }
  const SplitRules rules{.min_leaf_rows = 20};
  PackedSearch packed(data, {.rules = rules}, with_threads(2));
  FullSearch full(data, rules, 1, with_threads(1));
  auto rows = first_bins(data.num_rows());
  auto same_rows = rows;
  const std::size_t active =
      packed.start_tree({gradient, hessian, 0}, {.own = rows, .everywhere = rows.size()});
  ASSERT_EQ(active, rows.size());
  full.start_tree({gradient, hessian, 0}, {.own = same_rows, .everywhere = rows.size()});
  packed.build(rows, 0);
  full.build(same_rows, 0);
  const std::vector<std::uint8_t> allowed = {1, 0};
  const SplitTask task{.num_rows = rows.size(), .allowed = allowed};
  const Split expected = full.find(task);
  const Split found = packed.find(task);
  ASSERT_TRUE(expected.exists() && expected.is_set);
  EXPECT_EQ(found.bins, expected.bins);
  EXPECT_NEAR(found.gain, expected.gain, 1e-2 * expected.gain);
}

}  // namespace
}  // namespace glassrank
