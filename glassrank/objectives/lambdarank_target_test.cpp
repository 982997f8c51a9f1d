// lambdarank with other targets than ndcg.

#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/metrics/registry.h"
#include "glassrank/objectives/lambda_pairs.h"
#include "glassrank/objectives/lambdarank.h"
#include "testing/objective_fixture.h"

namespace glassrank {
namespace {

using testing::gradients_of;

// The better document is second, 1 below: p = 0.73105858. RR goes from 1/2 to 1, AP too, ERR of
// grade 1 (1/16) from 1/32 to 1/16, NDCG@1 from 0 to 1.
TEST(LambdarankTarget, MatchesTwoDocumentsByHand) {
  const std::array<std::pair<std::string, double>, 4> expected = {
      {{"mrr", 0.5}, {"map", 0.5}, {"err", 1.0 / 32}, {"ndcg@1", 1.0}}};
  for (const auto& [target, delta] : expected) {
    Lambdarank objective({.norm = false, .target = target});
    const auto r = gradients_of(objective, {0, 1}, {1, 0});
    EXPECT_NEAR(r.gradient[0], delta * 0.73105858, 1e-7) << target;
    EXPECT_NEAR(r.gradient[1], -delta * 0.73105858, 1e-7) << target;
    EXPECT_NEAR(r.hessian[0], delta * 0.19661193, 1e-7) << target;
  }
}

// The definition once more, with the metric evaluated for both orders of every pair.
testing::QueryGradients by_definition(const LambdarankParams& params,
                                      const testing::RandomQuery& q) {
  const auto metric = make_metric(parse_metric(params.target), Convention{});
  const std::vector<std::uint32_t> order = rank_order(q.scores);
  std::vector<float> grades;
  for (const std::uint32_t i : order) grades.push_back(q.grades[i]);
  const auto value = [&] { return metric->evaluate({.grades = grades, .listed = grades}); };
  const double now = value();
  const std::size_t n = order.size();
  std::vector<double> gradient(n);
  std::vector<double> hessian(n);
  double total = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(n, params.pair_truncation); ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (grades[i] == grades[j]) continue;
      std::swap(grades[i], grades[j]);
      double delta = std::abs(value() - now);
      std::swap(grades[i], grades[j]);
      const bool right = grades[i] > grades[j];
      const double gap = (q.scores[order[i]] - q.scores[order[j]]) * (right ? 1 : -1);
      if (params.norm) delta /= 0.01 + std::abs(gap);
      const double p = 1 / (1 + std::exp(params.sigma * gap));
      const double lambda = params.sigma * delta * p * (right ? 1 : -1);
      gradient[order[i]] -= lambda;
      gradient[order[j]] += lambda;
      for (const std::size_t rank : {i, j}) {
        hessian[order[rank]] += params.sigma * params.sigma * delta * p * (1 - p);
      }
      total += 2 * std::abs(lambda);
    }
  }
  const double norm = params.norm && total > 0 ? std::log2(1 + total) / total : 1;
  testing::QueryGradients result;
  for (std::size_t i = 0; i < n; ++i) {
    result.gradient.push_back(static_cast<float>(gradient[i] * norm));
    result.hessian.push_back(static_cast<float>(hessian[i] * norm));
  }
  return result;
}

TEST(LambdarankTarget, IsTheDefinitionForEveryTarget) {
  std::uint64_t seed = 0;
  for (const std::string target : {"map", "map@5", "map(rel=2)", "mrr", "mrr@10", "err", "err@3",
                                   "ndcg@5", "dcg", "p@5", "rbp", "pfound"}) {
    for (const bool norm : {true, false}) {
      const auto q = testing::random_query(++seed, 25);
      const LambdarankParams params{
          .norm = norm, .pair_truncation = 10, .sigma = 1.5, .target = target};
      Lambdarank objective(params);
      const auto r = gradients_of(objective, q.grades, q.scores);
      const auto expected = by_definition(params, q);
      for (std::size_t i = 0; i < q.grades.size(); ++i) {
        EXPECT_NEAR(r.gradient[i], expected.gradient[i], 1e-6) << target;
        EXPECT_NEAR(r.hessian[i], expected.hessian[i], 1e-6) << target;
      }
    }
  }
}

TEST(LambdarankTarget, NdcgCutBelowTheListIsNdcgOfTheWholeList) {
  const auto q = testing::random_query(3, 20);
  Lambdarank whole({.pair_truncation = 0, .target = "ndcg"});
  Lambdarank cut({.pair_truncation = 0, .target = "NDCG@20"});
  const auto expected = gradients_of(whole, q.grades, q.scores);
  const auto r = gradients_of(cut, q.grades, q.scores);
  for (std::size_t i = 0; i < q.grades.size(); ++i) {
    EXPECT_NEAR(r.gradient[i], expected.gradient[i], 1e-5);
  }
}

TEST(LambdarankTarget, GivesNothingWhereTheTargetCannotChange) {
  for (const std::string target : {"map(rel=3)", "mrr(rel=3)", "err", "ndcg@5"}) {
    Lambdarank objective({.target = target});
    const std::vector<float> grades = target == "err" || target == "ndcg@5"
                                          ? std::vector<float>{0, 0, 0}
                                          : std::vector<float>{0, 1, 2};
    EXPECT_EQ(gradients_of(objective, grades, {3, 2, 1}).gradient, std::vector<float>(3, 0.0F));
  }
}

std::string message(const std::string& target, const std::vector<float>& grades, ErrorKind kind) {
  try {
    Lambdarank objective({.target = target});
    gradients_of(objective, grades, std::vector<double>(grades.size(), 0.0));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

TEST(LambdarankTarget, RefusesWhatItCannotUse) {
  EXPECT_EQ(
      message("kendall", {0, 1}, ErrorKind::kUsage),
      "target kendall depends on scores, not only on the order; choose ndcg, map, mrr or err");
  EXPECT_EQ(message("nddg", {0, 1}, ErrorKind::kUsage),
            "unknown metric 'nddg'; did you mean 'ndcg'?");
  EXPECT_EQ(
      message("err", {0, 5}, ErrorKind::kInput),
      "query q: grade 5 is above the largest grade 4 of err and pfound; set max_grade, or max "
      "as in err(max=5)");
  EXPECT_EQ(message("err(max=5)", {0, 5}, ErrorKind::kInput), "no error");
  EXPECT_NE(message("ndcg", {0, 2000}, ErrorKind::kInput), "no error");
}

}  // namespace
}  // namespace glassrank
