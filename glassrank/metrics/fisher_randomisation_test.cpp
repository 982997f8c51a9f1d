#include "glassrank/metrics/fisher_randomisation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

const std::vector<double> kA = {.34, .71, .05, .92, .48, .66, .27, .83, .59, .12};
const std::vector<double> kB = {.30, .52, .09, .80, .51, .41, .22, .85, .36, .11};

Context make_context(std::uint64_t seed, int threads = 1) {
  Context context;
  context.seed = seed;
  context.threads = std::make_shared<Threads>(threads);
  return context;
}

std::vector<double> noise(std::size_t size, std::uint64_t seed, std::string_view name) {
  const CounterRandom random(seed, name);
  std::vector<double> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = random.uniform(i);
  return values;
}

// One permutation and one query at a time, straight from the definition in the header.
ReachedCounts slow_counts(const std::vector<double>& a, const std::vector<double>& b,
                          std::uint64_t permutations, std::uint64_t seed) {
  std::vector<long double> d;
  for (std::size_t q = 0; q < a.size(); ++q) {
    if (a[q] != b[q]) d.push_back(static_cast<long double>(a[q]) - b[q]);
  }
  long double observed = 0;
  for (const long double x : d) observed += x;
  const long double tolerance = 1e-13L * static_cast<long double>(d.size());
  ReachedCounts counts;
  for (std::uint64_t p = 0; p < permutations; ++p) {
    long double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      const PhiloxBlock block = CounterRandom(seed, "fisher", i / 128).block(p);
      const bool swapped = (block[i % 128 / 32] >> (i % 32) & 1U) != 0;
      sum += swapped ? -d[i] : d[i];
    }
    counts.two_sided += std::abs(sum) >= std::abs(observed) - tolerance ? 1 : 0;
    counts.greater += sum >= observed - tolerance ? 1 : 0;
    counts.less += sum <= observed + tolerance ? 1 : 0;
  }
  return counts;
}

// Differences 1, 2, 4: the eight sums are +-7, +-5, +-3, +-1; only +-7 is as extreme as 7.
TEST(Fisher, EnumeratesThreeQueriesByHand) {
  const auto result = fisher_randomisation(std::vector{1.0, 2.0, 4.0}, std::vector{0.0, 0.0, 0.0},
                                           1000, make_context(0));
  EXPECT_TRUE(result.exact);
  EXPECT_EQ(result.permutations, 8);
  EXPECT_EQ(result.p.two_sided, 2.0 / 8);
  EXPECT_EQ(result.p.greater, 1.0 / 8);
  EXPECT_EQ(result.p.less, 8.0 / 8);
  EXPECT_DOUBLE_EQ(result.mean_difference, 7.0 / 3);
}

// 2^20 swaps, more than are listed at once: sums of 20 differences 1, 2, 4, ... are all different,
// so exactly the observed one and its negative are as extreme.
TEST(Fisher, EnumeratesMoreSwapsThanItLists) {
  std::vector<double> a;
  for (int q = 0; q < 20; ++q) a.push_back(std::ldexp(1.0, q));
  const std::vector<double> b(20, 0.0);
  const auto result = fisher_randomisation(a, b, 1U << 20, make_context(0));
  EXPECT_TRUE(result.exact);
  EXPECT_EQ(result.reached.two_sided, 2U);
  EXPECT_EQ(result.reached.greater, 1U);
  EXPECT_EQ(result.reached.less, 1U << 20);
  a[19] = 0;  // one query less that differs, one bit less
  a[3] = 16;  // now equal to a[4]: swapping either gives the same sum
  const auto tied = fisher_randomisation(a, b, 1U << 20, make_context(0));
  EXPECT_EQ(tied.permutations, 1U << 19);
  EXPECT_EQ(tied.reached.greater, 1U);
}

// scipy 1.17: scipy.stats.permutation_test((A - B,), np.sum, permutation_type='samples',
//   n_resamples=np.inf).pvalue * 1024 = 64, alternative='greater': 32. The difference 0.04 occurs
// twice, with other last bits.
TEST(Fisher, CountsTiesThatDifferByRoundingOnly) {
  const auto result = fisher_randomisation(kA, kB, 100'000, make_context(0));
  EXPECT_TRUE(result.exact);
  EXPECT_EQ(result.reached.two_sided, 64);
  EXPECT_EQ(result.reached.greater, 32);
}

// 0.1 + 0.2 against 0.3: in real arithmetic swapping the first two queries and the third gives
// minus the same sum; every third pattern ties.
TEST(Fisher, TreatsSumsThatAreEqualInRealArithmeticAsEqual) {
  const std::vector<double> a = {0.1, 0.2, -0.3, 0.7, 0.0};
  const std::vector<double> b = {0.0, 0.0, 0.0, 0.0, 0.7};
  // Differences 1, 2, -3, 7, -7 tenths: the sum is 0, so every swap reaches it.
  const auto result = fisher_randomisation(a, b, 100, make_context(0));
  EXPECT_EQ(result.p.two_sided, 1.0);
  // Patterns of the sum of +-1 +-2 +-3 +-7 +-7 that are >= 0: more than half, as 0 counts.
  int at_least = 0;
  for (int m = 0; m < 32; ++m) {
    int sum = 0;
    const int d[] = {1, 2, 3, 7, 7};
    for (int i = 0; i < 5; ++i) sum += (m >> i & 1) != 0 ? d[i] : -d[i];
    at_least += sum >= 0 ? 1 : 0;
  }
  EXPECT_EQ(result.reached.greater, at_least);
}

TEST(Fisher, GivesTheCountOfTheSlowOracle) {
  for (const std::size_t size : {18U, 127U, 128U, 129U, 300U}) {
    const auto a = noise(size, 1, "a");
    auto b = noise(size, 1, "b");
    for (std::size_t i = 0; i < size; i += 7) b[i] = a[i];
    const auto result = fisher_randomisation(a, b, 5000, make_context(42));
    const auto slow = slow_counts(a, b, 5000, 42);
    if (result.exact) continue;
    EXPECT_EQ(result.reached.two_sided, slow.two_sided) << size;
    EXPECT_EQ(result.reached.greater, slow.greater) << size;
    EXPECT_EQ(result.reached.less, slow.less) << size;
    EXPECT_EQ(result.p.two_sided, static_cast<double>(slow.two_sided + 1) / 5001);
  }
}

// Metric-like values: multiples of 0.1 whose sums tie all the time.
TEST(Fisher, GivesTheCountOfTheSlowOracleWithManyTies) {
  const std::size_t size = 60;
  std::vector<double> a(size);
  std::vector<double> b(size);
  for (std::size_t i = 0; i < size; ++i) {
    a[i] = 0.1 * static_cast<double>(i * 7 % 12);
    b[i] = 0.1 * static_cast<double>(i * 5 % 12);
  }
  const auto result = fisher_randomisation(a, b, 20'000, make_context(3));
  const auto slow = slow_counts(a, b, 20'000, 3);
  EXPECT_EQ(result.reached.two_sided, slow.two_sided);
  EXPECT_EQ(result.reached.greater, slow.greater);
  // Both sides count the tied permutations, and there are hundreds of them.
  EXPECT_GT(result.reached.greater + result.reached.less, 20'200);
}

TEST(Fisher, RandomSwapsAgreeWithFullEnumeration) {
  const auto a = noise(14, 5, "a");
  const auto b = noise(14, 5, "b");
  const auto exact = fisher_randomisation(a, b, 1U << 14, make_context(0));
  const auto random = fisher_randomisation(a, b, (1U << 14) - 1, make_context(0));
  ASSERT_TRUE(exact.exact);
  ASSERT_FALSE(random.exact);
  const double p = exact.p.two_sided;
  EXPECT_NEAR(random.p.two_sided, p, 4 * std::sqrt(p * (1 - p) / (1U << 14)));
}

TEST(Fisher, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto a = noise(700, 2, "a");
  const auto b = noise(700, 2, "b");
  const auto one = fisher_randomisation(a, b, 30'000, make_context(9, 1));
  for (const int threads : {2, 4}) {
    const auto many = fisher_randomisation(a, b, 30'000, make_context(9, threads));
    EXPECT_EQ(many.p.two_sided, one.p.two_sided);
    EXPECT_EQ(many.p.greater, one.p.greater);
    EXPECT_EQ(many.p.less, one.p.less);
  }
  EXPECT_NE(fisher_randomisation(a, b, 30'000, make_context(10)).reached.greater,
            one.reached.greater);
}

TEST(Fisher, ChangesSidesWithTheSystems) {
  const auto a = noise(200, 6, "a");
  const auto b = noise(200, 6, "b");
  const auto ab = fisher_randomisation(a, b, 10'000, make_context(1));
  const auto ba = fisher_randomisation(b, a, 10'000, make_context(1));
  EXPECT_EQ(ab.mean_difference, -ba.mean_difference);
  EXPECT_EQ(ab.p.two_sided, ba.p.two_sided);
  EXPECT_EQ(ab.p.greater, ba.p.less);
}

TEST(Fisher, IgnoresWhatBothSystemsShare) {
  const auto a = noise(200, 7, "a");
  const auto b = noise(200, 7, "b");
  auto shifted_a = a;
  auto shifted_b = b;
  for (double& x : shifted_a) x += 5;
  for (double& x : shifted_b) x += 5;
  // Queries on which both are equal add nothing either.
  shifted_a.insert(shifted_a.begin() + 50, 100, 0.25);
  shifted_b.insert(shifted_b.begin() + 50, 100, 0.25);
  const auto plain = fisher_randomisation(a, b, 10'000, make_context(1));
  const auto shifted = fisher_randomisation(shifted_a, shifted_b, 10'000, make_context(1));
  EXPECT_EQ(plain.p.two_sided, shifted.p.two_sided);
  EXPECT_EQ(plain.p.greater, shifted.p.greater);
  EXPECT_EQ(shifted.num_different, 200);
}

TEST(Fisher, NeverGivesZero) {
  const std::vector<double> a(100, 1.0);
  const std::vector<double> b(100, 0.0);
  const auto result = fisher_randomisation(a, b, 999, make_context(0));
  EXPECT_EQ(result.reached.two_sided, 0);
  EXPECT_EQ(result.p.two_sided, 1.0 / 1000);
  EXPECT_EQ(result.p.less, 1.0);
}

TEST(Fisher, FindsNothingInEqualSystems) {
  const auto result = fisher_randomisation(kA, kA, 1000, make_context(0));
  EXPECT_EQ(result.p.two_sided, 1.0);
  EXPECT_EQ(result.p.greater, 1.0);
  EXPECT_EQ(result.num_different, 0);
}

// Under the null p is uniform: of 400 seeded experiments the share with p <= x must be x within
// four standard errors.
TEST(Fisher, IsUniformUnderTheNull) {
  std::vector<double> p;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const auto result = fisher_randomisation(noise(40, 100 + i, "a"), noise(40, 100 + i, "b"), 999,
                                             make_context(i));
    EXPECT_GT(result.p.two_sided, 0.0);
    EXPECT_LE(result.p.two_sided, 1.0);
    p.push_back(result.p.two_sided);
  }
  for (const double x : {0.05, 0.1, 0.25, 0.5, 0.75, 0.9}) {
    const auto share =
        static_cast<double>(std::ranges::count_if(p, [x](double value) { return value <= x; })) /
        400;
    EXPECT_NEAR(share, x, 4 * std::sqrt(x * (1 - x) / 400)) << x;
  }
}

// Sums of 62 bits: values so many and so large that the grid has to be coarser.
TEST(Fisher, TakesValuesOfAnySize) {
  auto a = noise(3000, 8, "a");
  auto b = noise(3000, 8, "b");
  const auto plain = fisher_randomisation(a, b, 4000, make_context(0));
  for (const double scale : {0x1p100, 0x1p-200}) {
    auto large_a = a;
    auto large_b = b;
    for (double& x : large_a) x *= scale;
    for (double& x : large_b) x *= scale;
    const auto large = fisher_randomisation(large_a, large_b, 4000, make_context(0));
    EXPECT_EQ(large.reached.two_sided, plain.reached.two_sided);
  }
}

}  // namespace
}  // namespace glassrank
