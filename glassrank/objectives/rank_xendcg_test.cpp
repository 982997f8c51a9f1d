#include "glassrank/objectives/rank_xendcg.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/objective_fixture.h"

namespace glassrank {
namespace {

using testing::gradients_of;

std::vector<double> wanted(std::uint64_t seed, const QueryView& query) {
  std::vector<double> p;
  for (std::size_t i = 0; i < query.grades.size(); ++i) {
    p.push_back(std::exp2(query.grades[i]) - xendcg_gamma(seed, query, i));
  }
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x /= total;
  return p;
}

// Two documents with equal scores: rho = 1/2 each, D = 1/4, R off the diagonal 1/4. With
// g = 1/2 - p_0: first terms (g, -g); R D^-1 exchanges them: (-g, g); and again: (g, -g).
TEST(RankXendcg, MatchesTwoDocumentsByHand) {
  RankXendcg objective(7);
  const std::vector<float> grades = {0, 2};
  const std::vector<double> scores = {0.5, 0.5};
  const QueryView query{.query = 3, .round = 5, .grades = grades, .scores = scores};
  const double gamma0 = xendcg_gamma(7, query, 0);
  const double gamma1 = xendcg_gamma(7, query, 1);
  const double g = 0.5 - (1 - gamma0) / (5 - gamma0 - gamma1);
  const auto r = gradients_of(objective, query);
  EXPECT_NEAR(r.gradient[0], g, 1e-7);
  EXPECT_NEAR(r.gradient[1], -g, 1e-7);
  EXPECT_FLOAT_EQ(r.hessian[0], 0.25F);
  EXPECT_FLOAT_EQ(r.hessian[1], 0.25F);
}

// The formula of the header in matrices, from the loss alone: slopes and curvatures are finite
// differences.
TEST(RankXendcg, IsThreeTermsOfTheNewtonSeriesOfItsLoss) {
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    const auto q = testing::random_query(seed, 7);
    const QueryView query{.query = seed, .round = 1, .grades = q.grades, .scores = q.scores};
    const std::vector<double> p = wanted(seed, query);
    const testing::Loss loss = [&](const std::vector<double>& scores) {
      double total = 0;
      for (const double s : scores) total += std::exp(s);
      double sum = 0;
      for (std::size_t i = 0; i < p.size(); ++i) sum -= p[i] * (scores[i] - std::log(total));
      return sum;
    };
    const std::size_t n = p.size();
    std::vector<double> term(n);
    for (std::size_t i = 0; i < n; ++i) term[i] = testing::slope(loss, q.scores, i);
    std::vector<double> expected = term;
    for (int order = 2; order <= 3; ++order) {
      std::vector<double> next(n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (i == j) continue;
          next[i] -= testing::curvature(loss, q.scores, i, j) /
                     testing::curvature(loss, q.scores, j, j) * term[j];
        }
      }
      term = next;
      for (std::size_t i = 0; i < n; ++i) expected[i] += term[i];
    }
    const auto r = gradients_of(RankXendcg(seed), query);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(r.gradient[i], expected[i], 1e-4);
      EXPECT_NEAR(r.hessian[i], testing::curvature(loss, q.scores, i, i), 1e-5);
    }
  }
}

TEST(RankXendcg, DrawsAnewForEverySeedRoundAndQueryAndNothingElse) {
  const auto q = testing::random_query(1, 9);
  const QueryView query{.query = 4, .round = 2, .grades = q.grades, .scores = q.scores};
  const auto first = gradients_of(RankXendcg(1), query);
  EXPECT_EQ(gradients_of(RankXendcg(1), query), first);
  EXPECT_NE(gradients_of(RankXendcg(2), query), first);
  QueryView other = query;
  other.round = 3;
  EXPECT_NE(gradients_of(RankXendcg(1), other), first);
  other = query;
  other.query = 5;
  EXPECT_NE(gradients_of(RankXendcg(1), other), first);
}

TEST(RankXendcg, IsZeroForOneDocumentAndFiniteForAnyScores) {
  RankXendcg objective(1);
  EXPECT_EQ(gradients_of(objective, {3}, {1}).gradient, std::vector<float>{0});
  EXPECT_TRUE(gradients_of(objective, std::vector<float>{}, {}).gradient.empty());
  for (const double spread : {30.0, 100.0, 1e3, 1e6}) {
    for (const double sign : {1.0, -1.0}) {
      const auto r =
          gradients_of(objective, {0, 4, 1, 0}, {sign * spread, -sign * spread, 0, spread / 2});
      for (const float g : r.gradient) EXPECT_LT(std::abs(g), 100.0F) << spread;
      for (const float h : r.hessian) EXPECT_TRUE(h >= 0 && h <= 0.25F) << spread;
    }
  }
}

TEST(RankXendcg, RefusesGradesItCannotRaise2To) {
  RankXendcg objective(1);
  try {
    gradients_of(objective, {0, 1001}, {0, 0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_STREQ(error.what(), "query q: grade 1001 is too large for rank_xendcg's 2^grade");
  }
}

}  // namespace
}  // namespace glassrank
