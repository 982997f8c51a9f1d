#include "glassrank/data/bin_edges.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/error.h"
#include "testing/bin_test_data.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr float kMax = std::numeric_limits<float>::max();
using Cuts = std::vector<float>;

BinParams params(int max_bins, int min_bin_rows = 1) {
  return {.max_bins = max_bins, .sample_rows = 0, .min_bin_rows = min_bin_rows};
}

BinEdges edges_of(Cuts cuts) {
  const std::uint64_t size = cuts.size();
  return {{0, size}, std::move(cuts)};
}

TEST(BinEdges, GiveEveryValueItsBinWhenTheyFit) {
  EXPECT_EQ(find_cuts(Cuts{3, 1, 2, 2, kNan}, params(255)), (Cuts{1.5F, 2.5F}));
  EXPECT_EQ(find_cuts(Cuts{3, 1, 2}, params(3)), (Cuts{1.5F, 2.5F}));
}

TEST(BinEdges, AreNoneForConstantEmptyOrMissingColumns) {
  EXPECT_EQ(find_cuts(Cuts{4, 4, 4}, params(255)), Cuts{});
  EXPECT_EQ(find_cuts(Cuts{}, params(255)), Cuts{});
  EXPECT_EQ(find_cuts(Cuts{kNan, kNan}, params(255)), Cuts{});
  EXPECT_EQ(find_cuts(Cuts{-0.0F, 0.0F}, params(255)), Cuts{});
}

TEST(BinEdges, PackEqualMassWhenValuesAreMany) {
  // Eight values, four bins: two values each.
  EXPECT_EQ(find_cuts(Cuts{1, 2, 3, 4, 5, 6, 7, 8}, params(4)), (Cuts{2.5F, 4.5F, 6.5F}));
}

TEST(BinEdges, LeaveHeavyValuesAlone) {
  // 0 occurs 100 times, 1..9 once. Four bins: 0 alone, and three bins of three values.
  Cuts values(100, 0.0F);
  for (int i = 1; i <= 9; ++i) values.push_back(static_cast<float>(i));
  EXPECT_EQ(find_cuts(values, params(4)), (Cuts{0.5F, 3.5F, 6.5F}));
}

TEST(BinEdges, JoinValuesUntilABinHasEnoughRows) {
  // At least 3 rows a bin: {1,2,3}, {4,4,4}; 5 alone is too few and joins the bin before.
  EXPECT_EQ(find_cuts(Cuts{1, 2, 3, 4, 4, 4, 5}, params(255, 3)), (Cuts{3.5F}));
  EXPECT_EQ(find_cuts(Cuts{1, 2}, params(255, 3)), Cuts{});
}

TEST(BinEdges, CountMissingValuesAsNoRows) {
  EXPECT_EQ(find_cuts(Cuts{1, 1, 1, kNan, kNan, kNan, 2, 2}, params(255, 3)), Cuts{});
}

TEST(CutBetween, IsTheMiddleOrTheLowerNeighbour) {
  EXPECT_EQ(cut_between(1, 2), 1.5F);
  const float next = std::nextafter(1.0F, 2.0F);
  EXPECT_EQ(cut_between(1, next), 1.0F);
  const float after = std::nextafter(next, 2.0F);
  EXPECT_EQ(cut_between(next, after), next);  // the middle rounds to even, which is `after`
  EXPECT_EQ(cut_between(0, kDenormal), 0.0F);
  EXPECT_EQ(cut_between(-kDenormal, 0), -kDenormal);
  EXPECT_EQ(cut_between(-kMax, kMax), 0.0F);
  EXPECT_LT(cut_between(std::nextafter(kMax, 0.0F), kMax), kMax);
}

RC_GTEST_PROP(CutBetween, LiesFromAToBelowB, (std::uint32_t x, std::uint32_t y)) {
  float a = std::bit_cast<float>(x);
  float b = std::bit_cast<float>(*rc::gen::element(y, x + 1));
  RC_PRE(std::isfinite(a) && std::isfinite(b) && a != b);
  if (b < a) std::swap(a, b);
  const float cut = cut_between(a, b);
  RC_ASSERT(a <= cut && cut < b);
}

TEST(BinEdges, PutMissingValuesIntoTheLastBin) {
  const BinEdges edges = edges_of({1, 2});
  EXPECT_EQ(edges.num_value_bins(0), 3U);
  EXPECT_EQ(edges.missing_bin(0), 3U);
  EXPECT_EQ(edges.num_bins(0), 4U);
  EXPECT_EQ(edges.bin(0, kNan), 3U);
  EXPECT_EQ(edges.bin(0, 1.0F), 0U);
  EXPECT_EQ(edges.bin(0, std::nextafter(1.0F, 2.0F)), 1U);
  EXPECT_EQ(edges.bin(0, 1e30F), 2U);
  EXPECT_EQ(edges_of({0}).bin(0, -0.0F), 0U);
}

// Values whose neighbours are near: small integers, adjacent floats, denormals, both zeros, NaN.
rc::Gen<float> any_value() {
  return rc::gen::oneOf(
      rc::gen::map(rc::gen::inRange(-20, 20), [](int i) { return static_cast<float>(i); }),
      rc::gen::map(rc::gen::inRange(0U, 30U),
                   [](std::uint32_t i) { return std::bit_cast<float>(0x3f800000U + i); }),
      rc::gen::map(rc::gen::inRange(-9, 9),
                   [](int i) { return static_cast<float>(i) * kDenormal; }),
      rc::gen::element(-0.0F, 0.0F, kNan, kMax, -kMax), rc::gen::arbitrary<float>());
}

RC_GTEST_PROP(BinEdges, KeepTheOrderOfValues, ()) {
  const auto values = *rc::gen::container<std::vector<float>>(any_value());
  const auto limit = *rc::gen::inRange(2, 40);
  const BinEdges edges = edges_of(find_cuts(values, params(limit, *rc::gen::inRange(1, 4))));
  RC_ASSERT(edges.num_value_bins(0) <= static_cast<std::size_t>(limit));
  const auto cuts = edges.cuts(0);
  for (const float x : values) {
    const std::size_t bin = edges.bin(0, x);
    if (std::isnan(x)) {
      RC_ASSERT(bin == edges.missing_bin(0));
      continue;
    }
    for (std::size_t b = 0; b < cuts.size(); ++b) RC_ASSERT((x <= cuts[b]) == (bin <= b));
  }
}

RC_GTEST_PROP(BinEdges, HoldNoMoreThanTwiceTheMeanInBinsOfSeveralValues, ()) {
  const auto values = *rc::gen::container<std::vector<float>>(
      300, rc::gen::map(rc::gen::inRange(0, 150), [](int i) {
        return std::floor(std::sqrt(static_cast<float>(i * i * i)));
      }));
  const auto limit = *rc::gen::inRange(2, 60);
  const BinEdges edges = edges_of(find_cuts(values, params(limit)));
  std::map<std::size_t, std::map<float, std::size_t>> bins;
  for (const float x : values) ++bins[edges.bin(0, x)][x];
  RC_ASSERT(bins.size() == edges.num_value_bins(0));  // none is empty
  for (const auto& [bin, counts] : bins) {
    std::size_t rows = 0;
    for (const auto& [value, count] : counts) rows += count;
    RC_ASSERT(counts.size() == 1 || rows <= 2 * 300 / static_cast<std::size_t>(limit) + 1);
  }
}

RC_GTEST_PROP(BinEdges, HoldEnoughRowsInEveryBin, ()) {
  const auto values = *rc::gen::container<std::vector<float>>(
      100, rc::gen::map(rc::gen::inRange(0, 60), [](int i) { return static_cast<float>(i); }));
  const auto least = *rc::gen::inRange(1, 20);
  const BinEdges edges = edges_of(find_cuts(values, params(255, least)));
  std::map<std::size_t, int> rows;
  for (const float x : values) ++rows[edges.bin(0, x)];
  RC_ASSERT(rows.size() == edges.num_value_bins(0));
  for (const auto& [bin, count] : rows) RC_ASSERT(count >= least);
}

// The packing found by bisection is the first one that trying all in order would find.
RC_GTEST_PROP(BinEdges, UseTheSmallestCapacity, ()) {
  const auto counts = *rc::gen::container<std::vector<int>>(30, rc::gen::inRange(1, 20));
  const auto limit = *rc::gen::inRange(2, 30);
  Cuts values;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    values.insert(values.end(), static_cast<std::size_t>(counts[i]), static_cast<float>(i));
  }
  Cuts expected;
  for (int trial = 0;; ++trial) {  // capacity trial / limit, one more in the first trial % limit
    expected.clear();
    int held = counts[0];
    for (std::size_t i = 1; i < counts.size(); ++i) {
      const bool is_larger = static_cast<int>(expected.size()) < trial % limit;
      held += counts[i];
      if (held <= trial / limit + (is_larger ? 1 : 0)) continue;
      expected.push_back(static_cast<float>(i) - 0.5F);
      held = counts[i];
    }
    if (static_cast<int>(expected.size()) < limit) break;
  }
  RC_ASSERT(find_cuts(values, params(limit)) == expected);
}

TEST(BinEdges, UseEveryBinWhenValuesAreJustTooMany) {
  // 5 values, 4 bins: {1,2}, {3}, {4}, {5}.
  EXPECT_EQ(find_cuts(Cuts{1, 2, 3, 4, 5}, params(4)), (Cuts{2.5F, 3.5F, 4.5F}));
}

TEST(BinEdges, ReachTheLargestNumberOfBins) {
  Cuts values;
  for (int i = 0; i < 70'000; ++i) values.push_back(static_cast<float>(i));
  EXPECT_EQ(find_cuts(values, params(65'535)).size(), 65'534U);
  values.resize(65'535);
  EXPECT_EQ(find_cuts(values, params(65'535)).size(), 65'534U);
}

TEST(BinEdges, DoNotDependOnThreads) {
  const Dataset data = test_data({.num_rows = 5000, .num_features = 30});
  std::vector<BinEdges> found;
  for (const int threads : {1, 2, 4}) {
    Context context;
    context.threads = std::make_shared<Threads>(threads);
    const RowSample sample(data.num_rows(), 3000, context.seed);
    found.push_back(find_bin_edges({.features = data.features(), .schema = data.schema()}, sample,
                                   {.max_bins = 63}, context));
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(BinEdges, OfASampleAreThoseOfItsRows) {
  const Dataset data = test_data({.num_rows = 500, .num_features = 6});
  const RowSample sample(500, 100, 0);
  const BinEdges edges = find_bin_edges({.features = data.features(), .schema = data.schema()},
                                        sample, {.max_bins = 20}, Context{});
  for (std::size_t f = 0; f < 6; ++f) {
    Cuts column;
    for (std::size_t i = 0; i < 100; ++i) column.push_back(data.row(sample.row(i))[f]);
    EXPECT_TRUE(std::ranges::equal(edges.cuts(f), find_cuts(column, {.max_bins = 20})));
  }
}

TEST(BinEdges, RefuseCutsThatDoNotAscend) {
  EXPECT_EQ(message_of([] { edges_of({2, 1}); }), "cut 2 of feature 1 is 1; cuts must ascend");
  EXPECT_EQ(message_of([] { edges_of({1, 1}); }), "cut 2 of feature 1 is 1; cuts must ascend");
  EXPECT_EQ(message_of([] { edges_of({kNan}); }), "cut 1 of feature 1 is nan; cuts must ascend");
  EXPECT_EQ(message_of([] { BinEdges({0, 2}, {1}); }),
            "the offsets of the bin edges do not fit the 1 cuts");
  EXPECT_EQ(message_of([] { BinEdges({}, {}); }),
            "the offsets of the bin edges do not fit the 0 cuts");
  EXPECT_EQ(message_of([] { edges_of(Cuts(65'535)); }),
            "feature 1 has 65535 cuts; at most 65534 are possible");
}

TEST(BinParams, AreCheckedWhenSetInCode) {
  EXPECT_EQ(message_of([] { find_cuts(Cuts{1}, params(1)); }),
            "max_bins = 1 is out of range; it must be 2 <= x <= 65535");
  EXPECT_EQ(message_of([] { find_cuts(Cuts{1}, params(65'536)); }),
            "max_bins = 65536 is out of range; it must be 2 <= x <= 65535");
  EXPECT_EQ(message_of([] { find_cuts(Cuts{1}, params(9, 0)); }),
            "min_bin_rows = 0 is out of range; it must be 1 <= x <= 1000000000");
  BinParams by_name;
  EXPECT_THROW(set_param(by_name, "max_bins", {"1"}), Error);
  EXPECT_THROW(set_param(by_name, "sample_rows", {"-1"}), Error);
}

}  // namespace
}  // namespace glassrank
