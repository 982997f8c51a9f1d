#include "glassrank/metrics/wilcoxon.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

const std::vector<double> kA = {.34, .71, .05, .92, .48, .66, .27, .83, .59, .12};
const std::vector<double> kB = {.30, .52, .09, .80, .51, .41, .22, .85, .36, .11};
// Three queries are equal, many differences tie.
const std::vector<double> kX = {5, 3, 8, 6, 7, 2, 9, 4, 1, 6, 5, 8, 7, 3, 9, 2};
const std::vector<double> kY = {4, 3, 6, 7, 5, 2, 5, 5, 1, 4, 7, 5, 6, 2, 6, 3};

void expect_p(const PValues& p, double two_sided, double greater, double less) {
  EXPECT_NEAR(p.two_sided, two_sided, 1e-13);
  EXPECT_NEAR(p.greater, greater, 1e-13);
  EXPECT_NEAR(p.less, less, 1e-13);
}

// Differences 1, -2, 4: ranks 1, 2, 3, W+ = 1 + 3 = 4. Of the eight sums 0 1 2 3 3 4 5 6 three are
// at least 4 and six at most 4.
TEST(Wilcoxon, OfThreeQueriesByHand) {
  const auto result = wilcoxon_signed_rank(std::vector{2.0, 1.0, 7.0}, std::vector{1.0, 3.0, 3.0});
  EXPECT_EQ(result.rank_sum, 4.0);
  EXPECT_TRUE(result.exact);
  expect_p(result.p, 6.0 / 8, 3.0 / 8, 6.0 / 8);
}

// scipy 1.17: scipy.stats.wilcoxon(A, B, alternative=...)
TEST(Wilcoxon, ExactMatchesScipy) {
  const auto result = wilcoxon_signed_rank(kA, kB);
  EXPECT_EQ(result.rank_sum, 46.0);
  EXPECT_TRUE(result.exact);
  EXPECT_FALSE(result.has_ties);
  expect_p(result.p, 0.064453125, 0.0322265625, 0.9755859375);
}

// scipy 1.17: scipy.stats.wilcoxon(A, B, method='asymptotic', correction=False | True)
TEST(Wilcoxon, NormalApproximationMatchesScipy) {
  const WilcoxonParams plain{.method = WilcoxonMethod::kNormal};
  expect_p(wilcoxon_signed_rank(kA, kB, plain).p, 0.05933611988090862, 0.02966805994045431,
           0.9703319400595457);
  const WilcoxonParams corrected{.method = WilcoxonMethod::kNormal, .continuity = true};
  expect_p(wilcoxon_signed_rank(kA, kB, corrected).p, 0.06654572134371614, 0.03327286067185807,
           0.9736064996838877);
}

// scipy 1.17: scipy.stats.wilcoxon(X, Y): 16 queries with ties and zeros are approximated
TEST(Wilcoxon, WithTiesAndZerosMatchesScipy) {
  const auto result = wilcoxon_signed_rank(kX, kY);
  EXPECT_FALSE(result.exact);
  EXPECT_TRUE(result.has_ties);
  EXPECT_EQ(result.num_used, 13);
  EXPECT_EQ(result.rank_sum, 72.0);
  expect_p(result.p, 0.06030798729167385, 0.030153993645836926, 0.9698460063541631);
  const WilcoxonParams corrected{.continuity = true};
  expect_p(wilcoxon_signed_rank(kX, kY, corrected).p, 0.06531570574365246, 0.03265785287182623,
           0.9721885966641223);
}

// scipy 1.17: scipy.stats.wilcoxon(X[:12], Y[:12]): up to 13 queries all signs are enumerated
TEST(Wilcoxon, OfFewTiedQueriesIsExactAsInScipy) {
  const auto result = wilcoxon_signed_rank(std::span(kX).first(12), std::span(kY).first(12));
  EXPECT_TRUE(result.exact);
  EXPECT_EQ(result.rank_sum, 35.5);
  expect_p(result.p, 0.1484375, 0.07421875, 0.94921875);
}

// scipy 1.17: P = ((i*37)%61)/64, Q = ((i*23+5)%59)/64 for i < 60; scipy.stats.wilcoxon(P, Q)
TEST(Wilcoxon, OfSixtyQueriesIsApproximatedAsInScipy) {
  std::vector<double> p;
  std::vector<double> q;
  for (int i = 0; i < 60; ++i) {
    p.push_back(i * 37 % 61 / 64.0);
    q.push_back((i * 23 + 5) % 59 / 64.0);
  }
  const auto result = wilcoxon_signed_rank(p, q);
  EXPECT_FALSE(result.exact);
  EXPECT_EQ(result.rank_sum, 900.5);
  expect_p(result.p, 0.7275090848932724, 0.3637545424466362, 0.6362454575533638);
}

TEST(Wilcoxon, ChangesSidesWithTheSystems) {
  const auto ab = wilcoxon_signed_rank(kX, kY);
  const auto ba = wilcoxon_signed_rank(kY, kX);
  EXPECT_EQ(ab.p.two_sided, ba.p.two_sided);
  EXPECT_EQ(ab.p.greater, ba.p.less);
  EXPECT_EQ(ab.rank_sum + ba.rank_sum, 13.0 * 14 / 2);
}

TEST(Wilcoxon, FindsNothingInEqualSystems) {
  const auto result = wilcoxon_signed_rank(kA, kA);
  EXPECT_EQ(result.num_used, 0);
  expect_p(result.p, 1, 1, 1);
}

TEST(Wilcoxon, RefusesToBeExactForTooManyQueries) {
  std::vector<double> a(1001);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i + 1);
  const std::vector<double> b(a.size(), 0.0);
  try {
    wilcoxon_signed_rank(a, b, {.method = WilcoxonMethod::kExact});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "the exact signed-rank test takes at most 1000 differing queries, here are 1001; use "
              "the normal approximation");
  }
}

}  // namespace
}  // namespace glassrank
