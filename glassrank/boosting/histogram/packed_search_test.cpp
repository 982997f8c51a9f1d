#include "glassrank/boosting/histogram/packed_search.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/boosting/booster_params.h"
#include "glassrank/boosting/tree/tree_grower.h"
#include "testing/boosting_fixture.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::with_threads;

std::vector<std::uint32_t> all_rows(const BinnedDataset& data) {
  std::vector<std::uint32_t> rows(data.num_rows());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// A packed search, and a full one on the values the packed one rounded to.
struct Pair {
  Pair(const BinnedDataset& data, const SplitRules& rules, int threads, double share)
      : packed(data, {.rules = rules, .num_histograms = 3, .active = {.share = share}},
               with_threads(threads)),
        full(data, rules, 3, with_threads(1)),
        rows(all_rows(data)) {
    const testing::Gradients g = testing::whole_gradients(data.num_rows(), 5);
    num_active = packed.start_tree({g.gradient, g.hessian, 0}, {rows, rows.size()});
    for (const std::int32_t value : packed.packed()) {
      rounded.gradient.push_back(static_cast<float>(packed_gradient(value)) *
                                 static_cast<float>(packed.scales().gradient));
      rounded.hessian.push_back(static_cast<float>(packed_hessian(value)) *
                                static_cast<float>(packed.scales().hessian));
    }
    auto unused = rows;
    full.start_tree({rounded.gradient, rounded.hessian, 0}, {unused, unused.size()});
  }
  std::span<const std::uint32_t> active() const { return std::span(rows).first(num_active); }

  PackedSearch packed;
  FullSearch full;
  std::vector<std::uint32_t> rows;
  std::size_t num_active = 0;
  testing::Gradients rounded;
};

void expect_equal_bins(const Pair& pair, const BinnedDataset& data, std::size_t histogram) {
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    if (data.is_constant(f)) continue;
    const std::vector<FullBin> bins = pair.packed.bins(histogram, f, 100);
    const std::vector<FullBin> expected = pair.full.bins(histogram, f);
    ASSERT_EQ(bins.size(), expected.size());
    for (std::size_t b = 0; b < bins.size(); ++b) {
      // The oracle adds numbers rounded to float.
      const double rounding = 1e-3 + 1e-7 * expected[b].hessian;
      ASSERT_NEAR(bins[b].gradient, expected[b].gradient, rounding) << f << " " << b;
      ASSERT_NEAR(bins[b].hessian, expected[b].hessian, rounding) << f << " " << b;
    }
  }
}

// Enough rows for several flushes; few, many and over 256 bins: shared, single and wide fields.
TEST(PackedSearch, HistogramsEqualFullOnesOnRoundedValues) {
  for (const int max_bins : {5, 40, 255, 1000}) {
    for (const int threads : {1, 2, 4}) {
      const BinnedDataset data =
          make_binned({.num_queries = 1200, .num_features = 21, .max_bins = max_bins});
      Pair pair(data, {}, threads, 1);
      pair.packed.build(pair.active(), 0);
      pair.full.build(pair.active(), 0);
      expect_equal_bins(pair, data, 0);
      const auto some = pair.active().subspan(777, 900);
      pair.packed.build(some, 1);
      pair.full.build(some, 1);
      expect_equal_bins(pair, data, 1);
      pair.packed.subtract(0, 1);
      pair.full.subtract(0, 1);
      expect_equal_bins(pair, data, 0);
    }
  }
}

void expect_equal_leaves(const BinnedDataset& data) {
  for (const int threads : {1, 2, 3}) {
    Pair pair(data, {}, threads, 1);
    for (const std::size_t size : {20, 2'000, 15'000, 300}) {
      const auto rows = pair.active().subspan(11, size);
      pair.packed.build(rows, 0);
      pair.full.build(rows, 0);
      expect_equal_bins(pair, data, 0);
    }
  }
}

// A quarter of the features each with 5, 25, many and mostly the same value. Groups that are not
// full, fields of every kind behind each other; leaves that one thread, blocks of features and
// pieces of rows are used for.
TEST(PackedSearch, FieldsOfEveryKindAddUpInLeavesOfEverySize) {
  const CounterRandom random(3, "mixed_data");
  expect_equal_leaves(testing::binned_values(20'000, 170, [&](std::size_t row, std::size_t f) {
    constexpr std::uint64_t kNumValues[] = {5, 25, 1'000'000, 1'000'000};
    if (f % 4 == 3 && random.uniform(row * 1000 + f) < 0.8) return std::uint64_t{500'000};
    return random.below(row * 1000 + 500 + f, kNumValues[f % 4]);
  }));
}

// Whole histograms and packed ones minus either. Of all rows more than 4,000 do not fit packed
// words; of nine tenths 15,000 do, yet 8,500 are whole where threads share the rows.
void expect_equal_rests(const BinnedDataset& data) {
  for (const int threads : {1, 2}) {
    for (const double share : {1.0, 0.9}) {
      Pair pair(data, {}, threads, share);
      const auto build = [&](std::size_t begin, std::size_t size, std::size_t histogram) {
        const auto rows = pair.active().subspan(begin, size);
        pair.packed.build(rows, histogram);
        pair.full.build(rows, histogram);
      };
      const auto subtract = [&](std::size_t parent, std::size_t child) {
        pair.packed.subtract(parent, child);
        pair.full.subtract(parent, child);
        expect_equal_bins(pair, data, parent);
      };
      build(0, 17'000, 0);
      build(8'500, 8'500, 2);
      subtract(0, 2);
      build(0, 15'000, 0);
      build(0, 3'000, 1);
      subtract(0, 1);
      build(3'000, 1'000, 1);
      subtract(0, 1);
      build(4'000, 8'500, 2);
      subtract(0, 2);
      build(12'500, 300, 1);
      subtract(0, 1);
      build(4'000, 8'400, 1);
      subtract(2, 1);
    }
  }
}

TEST(PackedSearch, WhatIsLeftOfLeavesAddsUp) {
  expect_equal_rests(make_binned({.num_queries = 800, .num_features = 21, .max_bins = 255}));
}

TEST(PackedSearch, WhatIsLeftAddsUpInFeaturesOfManyBins) {
  const CounterRandom random(5, "wide_data");
  const Dataset data = testing::data_of_values(
      20'000, 3, [&](std::size_t row, std::size_t f) { return random.uniform(row * 3 + f); });
  expect_equal_rests(bin_dataset(data, {.max_bins = 1000}, with_threads(1)));
}

// One or two groups, not for every worker one; a commonest value that is missing.
TEST(PackedSearch, DataOfListsOnlyAddsUp) {
  const CounterRandom random(4, "listed_data");
  for (const std::size_t num_features : {12, 30}) {
    expect_equal_leaves(
        testing::binned_values(20'000, num_features, [&](std::size_t row, std::size_t f) {
          if (random.uniform(row * 100 + f) < 0.85) return f % 2 == 0 ? std::nan("") : 7.5;
          return static_cast<double>(random.below(row * 100 + 50 + f, 1'000'000));
        }));
  }
}

TEST(PackedSearch, FindsWhatTheFullSearchFindsOnRoundedValues) {
  for (const int max_bins : {5, 60, 255, 1000}) {
    const BinnedDataset data =
        make_binned({.num_queries = 200, .num_features = 21, .max_bins = max_bins});
    for (const SplitRules& rules :
         {SplitRules{.min_leaf_rows = 0}, SplitRules{.l1 = 2, .l2 = 5, .min_leaf_rows = 0}}) {
      Pair pair(data, rules, 2, 1);
      std::vector<std::uint8_t> allowed(data.num_features(), 1);
      allowed[2] = 0;
      for (const std::size_t begin : {0, 500, 1700}) {
        const auto rows = pair.active().subspan(begin);
        pair.packed.build(rows, 0);
        pair.full.build(rows, 0);
        const SplitTask task{.num_rows = rows.size(), .allowed = allowed};
        const Split found = pair.packed.find(task);
        const Split expected = pair.full.find(task);
        ASSERT_TRUE(found.exists());
        EXPECT_EQ(found.feature, expected.feature);
        EXPECT_EQ(found.bin, expected.bin);
        EXPECT_EQ(found.missing_left, expected.missing_left);
        EXPECT_NEAR(found.gain, expected.gain, 1e-4 * expected.gain);
        EXPECT_NEAR(found.left_value, expected.left_value, 1e-4);
      }
    }
  }
}

// The full search over all rows, on the rounded values: idle rows are 0 there, but they count.
TEST_ON_EVERY_TARGET(PackedSearch, CountsExactlyWhenAsked) {
  const BinnedDataset data = make_binned({});
  const std::vector<std::uint8_t> allowed(data.num_features(), 1);
  for (const std::size_t minimum : {1, 20, 150, 300, 400, 460, 500, 501}) {
    for (const double share : {1.0, 0.3, 0.1}) {
      Pair pair(data, {.min_leaf_hessian = 1e-9, .min_leaf_rows = minimum}, 1, share);
      pair.packed.build(pair.active(), 0);
      pair.full.build(pair.rows, 0);
      const SplitTask task{.num_rows = data.num_rows(),
                           .allowed = allowed,
                           .count_exactly = true,
                           .active_rows = pair.active(),
                           .idle_rows = std::span(pair.rows).subspan(pair.num_active)};
      const Split found = pair.packed.find(task);
      const Split expected = pair.full.find(task);
      ASSERT_EQ(found.exists(), expected.exists()) << minimum << " " << share;
      EXPECT_NEAR(found.gain, expected.gain, 1e-4 * expected.gain) << minimum << " " << share;
      EXPECT_EQ(found.exists(), minimum <= 500);
      // Asked for estimates, it counts where they leave nothing, and finds something then.
      SplitTask estimated = task;
      estimated.count_exactly = false;
      estimated.strictness = 1e6;
      EXPECT_EQ(pair.packed.find(estimated).gain, found.gain);
    }
  }
}

TEST_ON_EVERY_TARGET(ScanGroup, EqualsThePlainLoop) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CounterRandom random(seed, "scan_test");
    Buffer<std::int32_t> g(256 * kLanes);
    Buffer<std::int32_t> h(256 * kLanes);
    ScanInput input{.planes = {g.data(), h.data()}};
    for (std::size_t i = 0; i < g.size(); ++i) {
      g[i] = static_cast<std::int32_t>(random.below(2 * i, 2001)) - 1000;
      h[i] = static_cast<std::int32_t>(random.below(2 * i + 1, 500));
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      input.num_splits[lane] = static_cast<std::int32_t>(random.below(10'000 + lane, 257));
      input.start_hessian[lane] = static_cast<std::int32_t>(random.below(20'000 + lane, 99));
    }
    input.is_ranged = seed % 4 == 1;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      input.first_split[lane] = static_cast<std::int32_t>(random.below(30'000 + lane, 300));
    }
    input.total_gradient = 7000;
    input.total_hessian = 70'000;
    input.min_hessian = 300;
    input.l1 = seed % 2 == 0 ? 0.0F : 10.0F;
    input.l2 = seed % 3 == 0 ? 0.0F : 100.0F;
    ScanOutput fast;
    ScanOutput plain;
    scan_group(input, fast);
    scan_group_plain(input, plain);
    EXPECT_EQ(fast.score, plain.score);
    EXPECT_EQ(fast.code, plain.code);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = pack(g[i], h[i]);
    input.planes.hessian = nullptr;
    for (const auto scan : {scan_group, scan_group_plain}) {
      ScanOutput packed;
      scan(input, packed);
      EXPECT_EQ(packed.score, plain.score);
      EXPECT_EQ(packed.code, plain.code);
    }
  }
}

// Everything of a tree that depends on vector instructions.
std::vector<double> grow_tree(const BinnedDataset& data, double active_share) {
  const testing::Gradients g = testing::whole_gradients(data.num_rows(), 8);
  const Context context = with_threads(1);
  BoostingTimes times;
  const auto backend = make_tree_backend(
      {.data = data, .times = times},
      {.num_leaves = 31, .active = ActiveRows::kSome, .active_share = active_share}, context);
  const GrownTree tree =
      TreeGrower(data, {.num_leaves = 31}, *backend, context).grow({g.gradient, g.hessian, 0});
  std::vector<double> result = tree.node_gain;
  for (const BinnedNode& node : tree.nodes)
    result.insert(result.end(), {1.0 * node.feature, 1.0 * node.bin});
  for (const GrownLeaf& leaf : tree.leaves) result.push_back(static_cast<double>(leaf.num_rows));
  return result;
}

TEST(PackedSearch, GrowsTheSameTreeWithEveryInstructionSet) {
  const BinnedDataset data = make_binned({.num_queries = 400, .num_features = 40, .max_bins = 40});
  for (const double share : {1.0, 0.3}) {
    const std::vector<double> expected = grow_tree(data, share);
    EXPECT_EQ(expected.size(), 30U * 3 + 31);
    on_every_target([&] { EXPECT_EQ(grow_tree(data, share), expected); });
  }
}

}  // namespace
}  // namespace glassrank
