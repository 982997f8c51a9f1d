#include "glassrank/objectives/lambdarank.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/objectives/lambdarank_kernel.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

struct Result {
  std::vector<float> gradient;
  std::vector<float> hessian;
};

Result compute(const LambdarankParams& params, const std::vector<float>& grades,
               const std::vector<double>& scores, bool plain) {
  Lambdarank objective(params);
  const QueryGroups queries({"q"}, std::array{grades.size()});
  objective.prepare({.grades = grades, .weights = {}, .queries = queries});
  Result result{.gradient = std::vector<float>(grades.size(), NAN),
                .hessian = std::vector<float>(grades.size(), NAN)};
  const QueryView view{.grades = grades, .scores = scores};
  const GradientView out{.gradient = result.gradient, .hessian = result.hessian};
  ObjectiveScratch scratch;
  if (plain) {
    objective.plain_gradients(view, out);
  } else {
    objective.gradients(view, scratch, out);
  }
  return result;
}

// Two documents, the better one ranked second. ideal = 1 * 1; delta = 1 * (1 - 1/log2(3)) =
// 0.36907025; s_high - s_low = -1: p = 1 / (1 + e^-1) = 0.73105858; lambda = 0.26981197;
// hessian = 0.36907025 * 0.73105858 * 0.26894142 = 0.07256361.
TEST_ON_EVERY_TARGET(Lambdarank, MatchesTwoDocumentsByHand) {
  for (const bool plain : {true, false}) {
    const Result r = compute({.norm = false}, {0, 1}, {1, 0}, plain);
    EXPECT_NEAR(r.gradient[1], -0.26981197, 1e-7);
    EXPECT_NEAR(r.gradient[0], 0.26981197, 1e-7);
    EXPECT_NEAR(r.hessian[0], 0.07256361, 1e-7);
    EXPECT_NEAR(r.hessian[1], 0.07256361, 1e-7);
  }
}

// The same with norm: lambda / 1.01 = 0.26714056 per pair, S = 0.53428113,
// log2(1 + S) / S = 0.61756285 / 0.53428113 = 1.15587623.
TEST_ON_EVERY_TARGET(Lambdarank, NormDividesByDistanceAndRescalesTheQuery) {
  for (const bool plain : {true, false}) {
    const Result r = compute({}, {0, 1}, {1, 0}, plain);
    EXPECT_NEAR(r.gradient[0], 0.26714056 * 1.15587623, 2e-7);
    EXPECT_NEAR(r.hessian[0], 0.07256361 / 1.01 * 1.15587623, 1e-7);
  }
}

TEST_ON_EVERY_TARGET(Lambdarank, IsZeroWithoutGainOrWithOneDocument) {
  for (const auto& grades : {std::vector<float>{0, 0, 0}, std::vector<float>{3}}) {
    const Result r = compute({}, grades, std::vector<double>(grades.size(), 0.5), false);
    for (const float g : r.gradient) EXPECT_EQ(g, 0.0F);
    for (const float h : r.hessian) EXPECT_EQ(h, 0.0F);
  }
}

struct RandomQuery {
  std::vector<float> grades;
  std::vector<double> scores;
};

RandomQuery random_query(std::uint64_t seed, std::size_t n, double spread, bool with_ties) {
  const CounterRandom random(seed, "lambdarank_test");
  RandomQuery query;
  for (std::size_t i = 0; i < n; ++i) {
    query.grades.push_back(static_cast<float>(random.below(2 * i, 5)));
    const double s = spread * random.normal(2 * i + 1);
    query.scores.push_back(with_ties ? std::round(s * 2) / 2 : s);
  }
  return query;
}

TEST_ON_EVERY_TARGET(Lambdarank, FastEqualsPlainForAnySizeTiesAndParameters) {
  std::uint64_t seed = 0;
  for (const std::size_t n : {2, 3, 15, 16, 17, 31, 33, 64, 120, 300, 700}) {
    for (const bool ties : {false, true}) {
      for (const LambdarankParams& params :
           {LambdarankParams{}, LambdarankParams{.norm = false},
            LambdarankParams{.pair_truncation = 0}, LambdarankParams{.ideal_truncation = 10},
            LambdarankParams{.pair_truncation = 5, .sigma = 2.5}}) {
        const RandomQuery q = random_query(++seed, n, ties ? 1.0 : 3.0, ties);
        const Result fast = compute(params, q.grades, q.scores, false);
        const Result plain = compute(params, q.grades, q.scores, true);
        float largest = 0;
        for (const float g : plain.gradient) largest = std::max(largest, std::abs(g));
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_NEAR(fast.gradient[i], plain.gradient[i], 3e-5 * largest + 1e-9) << n << " " << i;
          ASSERT_NEAR(fast.hessian[i], plain.hessian[i], 3e-5 * largest + 1e-9) << n << " " << i;
        }
      }
    }
  }
}

TEST_ON_EVERY_TARGET(Lambdarank, GradientsOfAQuerySumToZeroAndHessiansAreNotNegative) {
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    const RandomQuery q = random_query(seed, 90, 2.0, false);
    const Result r = compute({}, q.grades, q.scores, false);
    const double sum = std::accumulate(r.gradient.begin(), r.gradient.end(), 0.0);
    double size = 0;
    for (const float g : r.gradient) size += std::abs(g);
    EXPECT_LT(std::abs(sum), 1e-5 * size);
    for (const float h : r.hessian) EXPECT_GE(h, 0.0F);
  }
}

TEST_ON_EVERY_TARGET(Lambdarank, HessiansOfSettledPairsAreNotNegative) {
  for (std::uint64_t seed = 200; seed < 700; ++seed) {
    const RandomQuery q = random_query(seed, 2, 60.0, false);
    for (const bool norm : {true, false}) {
      const Result r = compute({.norm = norm}, q.grades, q.scores, false);
      for (const float h : r.hessian) ASSERT_GE(h, 0.0F) << seed;
    }
  }
}

TEST_ON_EVERY_TARGET(Lambdarank, ScoresFarApartStayFinite) {
  const Result r = compute({.norm = false}, {0, 1, 2}, {500, -500, 0}, false);
  for (const float g : r.gradient) EXPECT_TRUE(std::isfinite(g));
  EXPECT_LT(r.gradient[2], 0.0F);
  EXPECT_GT(r.gradient[0], 0.0F);
}

TEST_ON_EVERY_TARGET(Lambdarank, TakesGradesThatAreNotWhole) {
  const RandomQuery q = random_query(7, 40, 1.0, false);
  std::vector<float> grades = q.grades;
  for (float& g : grades) g += 0.25F;
  const Result fast = compute({}, grades, q.scores, false);
  const Result plain = compute({}, grades, q.scores, true);
  for (std::size_t i = 0; i < grades.size(); ++i) {
    EXPECT_NEAR(fast.gradient[i], plain.gradient[i], 1e-5);
  }
}

// Models must not depend on the machine they are trained on.
TEST(Lambdarank, GivesTheSameBitsWithAnyInstructions) {
  const CounterRandom random(9, "any instructions");
  std::uint64_t counter = 0;
  for (const std::size_t n : {2, 3, 15, 16, 17, 31, 33, 64, 100, 257, 400}) {
    std::vector<float> grades;
    std::vector<double> scores;
    for (std::size_t i = 0; i < n; ++i) {
      grades.push_back(static_cast<float>(random.below(counter++, 5)));
      scores.push_back(n % 2 == 0 ? random.normal(counter++) : 12 * random.normal(counter++));
    }
    for (const bool norm : {true, false}) {
      for (const int truncation : {0, 1, 30}) {
        const LambdarankParams params{
            .norm = norm, .pair_truncation = truncation, .sigma = norm ? 1.0 : 0.7};
        const Result expected = compute(params, grades, scores, false);
        on_every_target([&] {
          const Result found = compute(params, grades, scores, false);
          EXPECT_EQ(found.gradient, expected.gradient) << n;
          EXPECT_EQ(found.hessian, expected.hessian) << n;
        });
      }
    }
  }
}

}  // namespace
}  // namespace glassrank
