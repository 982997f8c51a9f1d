#include "glassrank/metrics/bootstrap.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/math/distributions.h"

namespace glassrank {
namespace {

const std::vector<double> kA = {.34, .71, .05, .92, .48, .66, .27, .83, .59, .12};
const std::vector<double> kB = {.30, .52, .09, .80, .51, .41, .22, .85, .36, .11};
const std::vector<std::vector<double>> kBoth = {kA, kB};

Context make_context(std::uint64_t seed, int threads = 1) {
  Context context;
  context.seed = seed;
  context.threads = std::make_shared<Threads>(threads);
  return context;
}

TEST(Bootstrap, DrawsTheQueriesTheHeaderNames) {
  const BootstrapMeans bootstrap(kBoth, 100, make_context(7));
  for (std::uint64_t r = 0; r < 100; ++r) {
    const CounterRandom random(7, "bootstrap", r);
    double sum_a = 0;
    double sum_b = 0;
    for (std::size_t j = 0; j < 10; ++j) {
      const std::size_t query = static_cast<std::uint64_t>(random.block(j / 4)[j % 4]) * 10 >> 32;
      sum_a += kA[query];
      sum_b += kB[query];
    }
    ASSERT_NEAR(bootstrap.means(0)[r], sum_a / 10, 1e-15);
    ASSERT_NEAR(bootstrap.means(1)[r], sum_b / 10, 1e-15);
  }
}

// Means 1..5: the 2/8 and 6/8 quantiles are at places 1 and 3 of 0..4.
TEST(BootstrapInterval, OfThePercentileMethodByHand) {
  const std::vector<double> values = {1, 5};
  const Interval interval = bootstrap_interval(
      values, {5, 3, 1, 2, 4}, {.method = IntervalMethod::kPercentile, .level = 0.5});
  EXPECT_DOUBLE_EQ(interval.low, 2.0);
  EXPECT_DOUBLE_EQ(interval.high, 4.0);
}

// values 0, 0, 3: mean 1, u = -1, -1, 2: sum u^2 = 6, sum u^3 = 6, a = 6 / (6 * 6^1.5) = 1/14.697.
// Of the means 0 0 1 2 two lie below 1 and one equals it: z0 = Phi^-1(2.5 / 4).
TEST(BootstrapInterval, OfTheBcaMethodByHand) {
  const std::vector<double> values = {0, 0, 3};
  const Interval interval = bootstrap_interval(values, {0, 0, 1, 2}, {.level = 0.8});
  const double a = 1 / std::pow(6.0, 1.5);
  const double z0 = normal_quantile(0.625);
  const double z = z0 + normal_quantile(0.1);
  const double share = normal_upper(-(z0 + z / (1 - a * z)));
  // 0 up to place 1, then linear to 1 at place 2.
  EXPECT_NEAR(interval.low, std::max(0.0, 3 * share - 1), 1e-12);
  EXPECT_NEAR(interval.high, 2.0, 0.2);
  EXPECT_GT(interval.high, interval.low);
}

// scipy 1.17: scipy.stats.bootstrap((A - B,), np.mean, n_resamples=400000, method=..., rng=1)
//   BCa (0.0220, 0.1520), percentile (0.0180, 0.1470); differences lie on a grid of 0.001.
TEST(Bootstrap, MatchesScipyWithinMonteCarloError) {
  const BootstrapMeans bootstrap(kBoth, 100'000, make_context(1, 2));
  const Interval bca = bootstrap.difference_interval(0, 1);
  EXPECT_NEAR(bca.low, 0.022, 0.0015);
  EXPECT_NEAR(bca.high, 0.152, 0.0015);
  const Interval plain =
      bootstrap.difference_interval(0, 1, {.method = IntervalMethod::kPercentile});
  EXPECT_NEAR(plain.low, 0.018, 0.0015);
  EXPECT_NEAR(plain.high, 0.147, 0.0015);
}

TEST(Bootstrap, GivesTheSameBitsForAnyNumberOfThreads) {
  const BootstrapMeans one(kBoth, 1000, make_context(3, 1));
  for (const int threads : {2, 4}) {
    const BootstrapMeans many(kBoth, 1000, make_context(3, threads));
    EXPECT_TRUE(std::ranges::equal(one.means(0), many.means(0)));
    EXPECT_TRUE(std::ranges::equal(one.means(1), many.means(1)));
  }
}

TEST(Bootstrap, ChangesSidesWithTheSystems) {
  const BootstrapMeans bootstrap(kBoth, 2000, make_context(3));
  const IntervalParams params{.method = IntervalMethod::kPercentile};
  const Interval ab = bootstrap.difference_interval(0, 1, params);
  const Interval ba = bootstrap.difference_interval(1, 0, params);
  EXPECT_NEAR(ab.low, -ba.high, 1e-15);
  EXPECT_NEAR(ab.high, -ba.low, 1e-15);
}

TEST(Bootstrap, OfOneQueryOrEqualValuesIsAPoint) {
  const BootstrapMeans one(std::vector<std::vector<double>>{{0.25}}, 50, make_context(0));
  EXPECT_EQ(one.mean_interval(0).low, 0.25);
  EXPECT_EQ(one.mean_interval(0).high, 0.25);
  const BootstrapMeans same(std::vector<std::vector<double>>{{0.5, 0.5, 0.5}}, 50, make_context(0));
  EXPECT_EQ(same.mean_interval(0).low, 0.5);
  EXPECT_EQ(same.mean_interval(0).high, 0.5);
}

// 95 % intervals of 400 seeded samples of 30 uniforms must hold the true mean about 95 % of the
// time; four standard errors are 0.044.
TEST(Bootstrap, CoversTheTrueMeanAsOftenAsItSays) {
  int covered = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    std::vector<std::vector<double>> sample(1, std::vector<double>(30));
    const CounterRandom random(i, "sample");
    for (std::size_t q = 0; q < 30; ++q) sample[0][q] = random.uniform(q);
    const Interval interval = BootstrapMeans(sample, 500, make_context(i)).mean_interval(0);
    covered += interval.low <= 0.5 && 0.5 <= interval.high ? 1 : 0;
  }
  EXPECT_NEAR(covered / 400.0, 0.94, 0.044);
}

TEST(Bootstrap, SaysWhatIsMissing) {
  const auto message = [](const std::vector<std::vector<double>>& systems,
                          std::uint64_t resamples) {
    try {
      BootstrapMeans(systems, resamples, Context());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({}, 10), "there are no systems to resample");
  EXPECT_EQ(message({{1}}, 0), "the bootstrap needs at least one resample");
}

}  // namespace
}  // namespace glassrank
