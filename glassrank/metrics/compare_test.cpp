#include "glassrank/metrics/compare.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

const std::vector<std::string> kNames = {"a", "b", "c"};
const SystemValues kValues = {"ndcg@10",
                              {{.34, .71, .05, .92, .48, .66, .27, .83, .59, .12},
                               {.30, .52, .09, .80, .51, .41, .22, .85, .36, .11},
                               {.31, .60, .02, .85, .40, .55, .30, .79, .45, .10}}};

Comparison compare(const CompareParams& params, int threads = 1) {
  Context context;
  context.threads = std::make_shared<Threads>(threads);
  return compare_systems(kNames, std::vector{kValues}, params, context);
}

TEST(Compare, MakesEveryPairOnce) {
  const MetricComparison metric = compare({}).metrics.front();
  ASSERT_EQ(metric.pairs.size(), 3);
  EXPECT_EQ(metric.num_queries, 10);
  EXPECT_NEAR(metric.systems[0].mean, 0.497, 1e-15);
  EXPECT_NEAR(metric.pairs[0].mean_difference, 0.08, 1e-15);
  EXPECT_EQ(metric.pairs[0].counts.wins, 7);
  EXPECT_EQ(metric.pairs[0].counts.losses, 3);
  EXPECT_EQ(metric.pairs[0].p.two_sided, 64.0 / 1024);
  EXPECT_TRUE(metric.pairs[0].exact);
  EXPECT_EQ(metric.find(2, 1), &metric.pairs[2]);
}

TEST(Compare, CorrectsOverThePairsOfAMetric) {
  CompareParams params{.test = SignificanceTest::kStudent};
  const auto holm = compare(params).metrics.front().pairs;
  params.correction = Correction::kBonferroni;
  const auto bonferroni = compare(params).metrics.front().pairs;
  params.correction = Correction::kNone;
  const auto none = compare(params).metrics.front().pairs;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(none[i].corrected_p, none[i].p.two_sided);
    EXPECT_DOUBLE_EQ(bonferroni[i].corrected_p, std::min(1.0, 3 * none[i].p.two_sided));
    EXPECT_LE(holm[i].corrected_p, bonferroni[i].corrected_p);
    EXPECT_EQ(none[i].significant, none[i].p.two_sided <= 0.05);
  }
  EXPECT_TRUE(none[0].significant);
  EXPECT_FALSE(bonferroni[0].significant);
}

TEST(Compare, WithABaselineComparesWithItAlone) {
  const MetricComparison metric =
      compare({.test = SignificanceTest::kTukey, .baseline = "b"}).metrics.front();
  ASSERT_EQ(metric.pairs.size(), 2);
  EXPECT_EQ(metric.pairs[1].a, 2);
  EXPECT_EQ(metric.pairs[1].b, 1);
  EXPECT_EQ(metric.find(0, 2), nullptr);
  // Tukey's pair (b, c) turned round: its interval must follow.
  EXPECT_NEAR((metric.pairs[1].interval.low + metric.pairs[1].interval.high) / 2,
              metric.pairs[1].mean_difference, 1e-12);
  EXPECT_GT(metric.pairs[1].mean_difference, 0);
}

// Tukey gave p 0.0202, 0.0901, 0.7382 (tukey_test.cpp): only a beats b.
TEST(Compare, KnowsWhoBeatsWhom) {
  const MetricComparison metric = compare({.test = SignificanceTest::kTukey}).metrics.front();
  EXPECT_TRUE(metric.beats(0, 1));
  EXPECT_FALSE(metric.beats(1, 0));
  EXPECT_FALSE(metric.beats(0, 2));
  EXPECT_TRUE(std::isnan(metric.pairs[0].p.greater));
  EXPECT_EQ(metric.pairs[1].corrected_p, metric.pairs[1].p.two_sided);
}

TEST(Compare, SkipsQueriesThatASystemHasNoValueFor) {
  SystemValues values = kValues;
  values.values[1][3] = std::numeric_limits<double>::quiet_NaN();
  const auto metric = compare_systems(kNames, std::vector{values}, {}, Context()).metrics.front();
  EXPECT_EQ(metric.num_queries, 9);
  EXPECT_EQ(metric.num_skipped, 1);
  EXPECT_NEAR(metric.systems[0].mean, (4.97 - .92) / 9, 1e-15);
}

TEST(Compare, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const auto test : {SignificanceTest::kFisher, SignificanceTest::kTukey}) {
    const CompareParams params{.test = test, .permutations = 500, .resamples = 500};
    const auto one = compare(params, 1).metrics.front();
    for (const int threads : {2, 4}) {
      const auto many = compare(params, threads).metrics.front();
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(one.systems[i].interval.low, many.systems[i].interval.low);
        EXPECT_EQ(one.pairs[i].p.two_sided, many.pairs[i].p.two_sided);
        EXPECT_EQ(one.pairs[i].interval.high, many.pairs[i].interval.high);
      }
    }
  }
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const auto message = [](const std::vector<std::string>& names, const SystemValues& values,
                          const CompareParams& params) {
    try {
      compare_systems(names, std::vector{values}, params, Context());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({"a"}, kValues, {}), "a comparison needs two or more systems, here is 1");
  EXPECT_EQ(message({"a", "b", "a"}, kValues, {}), "two systems are called 'a'; names must differ");
  EXPECT_EQ(message({"mart", "ebm", "tree"}, kValues, {.baseline = "mrat"}),
            "unknown baseline 'mrat'; did you mean 'mart'?");
  SystemValues uneven = kValues;
  uneven.values[2].pop_back();
  EXPECT_EQ(message(kNames, uneven, {}),
            "ndcg@10: paired values must cover the same queries: 10 against 9");
}

}  // namespace
}  // namespace glassrank
