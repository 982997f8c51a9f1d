#include "glassrank/objectives/peer.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "testing/machines.h"
#include "testing/objective_fixture.h"

namespace glassrank {
namespace {

using testing::gradients_of;
using testing::QueryGradients;

struct TrainingSet {
  std::vector<float> grades;
  QueryGroups queries;
  ObjectiveData data() const { return {.grades = grades, .weights = {}, .queries = queries}; }
};

// Queries 0, 1, 2 of a random training set; scores of all rows beside it.
struct RandomSet {
  TrainingSet set;
  std::vector<double> scores;
  QueryView view(std::size_t query, std::size_t round) const {
    const RowRange rows = set.queries.rows(query);
    return {.query = query,
            .round = round,
            .grades = std::span(set.grades).subspan(rows.begin, rows.size()),
            .scores = std::span(scores).subspan(rows.begin, rows.size())};
  }
};

RandomSet random_set(std::uint64_t seed) {
  const auto rows = testing::random_query(seed, 80);
  return {.set = {.grades = rows.grades,
                  .queries = {{"a", "b", "c"}, std::array<std::size_t, 3>{30, 5, 45}}},
          .scores = rows.scores};
}

// The definition: two lambdaranks pair by pair, each knowing nothing but its own list.
QueryGradients slow_peer(const Peer& peer, double alpha, const LambdarankParams& params,
                         const QueryView& query) {
  std::vector<float> drawn;
  for (std::size_t i = 0; i < query.grades.size(); ++i) drawn.push_back(peer.drawn_grade(query, i));
  const auto alone = [&](std::span<const float> grades) {
    Lambdarank lambdarank(params);
    const QueryGroups queries({"q"}, std::array{grades.size()});
    lambdarank.prepare({.grades = grades, .weights = {}, .queries = queries});
    QueryGradients result{.gradient = std::vector<float>(grades.size()),
                          .hessian = std::vector<float>(grades.size())};
    lambdarank.plain_gradients({.grades = grades, .scores = query.scores},
                               {.gradient = result.gradient, .hessian = result.hessian});
    return result;
  };
  QueryGradients result = alone(query.grades);
  const QueryGradients noise = alone(drawn);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    result.gradient[i] -= static_cast<float>(alpha) * noise.gradient[i];
  }
  return result;
}

TEST(Peer, IsTheDifferenceOfTwoLambdaranks) {
  for (const LambdarankParams& params :
       {LambdarankParams{}, LambdarankParams{.norm = false},
        LambdarankParams{.pair_truncation = 3, .ideal_truncation = 7},
        LambdarankParams{.target = "map"}}) {
    for (const double alpha : {0.4, 1.0, 3.0}) {
      const RandomSet random = random_set(11);
      Peer peer({.alpha = alpha}, params, 5);
      peer.prepare(random.set.data());
      for (std::size_t q = 0; q < 3; ++q) {
        const QueryView query = random.view(q, 2);
        const QueryGradients fast = gradients_of(peer, query);
        const QueryGradients slow = slow_peer(peer, alpha, params, query);
        for (std::size_t i = 0; i < query.grades.size(); ++i) {
          EXPECT_NEAR(fast.gradient[i], slow.gradient[i], 2e-5 * alpha);
          EXPECT_NEAR(fast.hessian[i], slow.hessian[i], 1e-5);
        }
      }
    }
  }
}

// Grades {0, 1}, scores {1, 0}: delta = 1 - 1/log2(3) = 0.36907025 and document 0 has the gradient
// delta / (1 + e^-1) = 0.26981197. Drawn {1, 0} it would be -delta / (1 + e) = -0.09925828: the
// difference is delta. Drawn {0, 0} or {1, 1} there is no pair and nothing is taken away; drawn
// {0, 1} everything. The hessian is always 0.07256361.
TEST(Peer, MatchesTwoDocumentsByHand) {
  Peer peer({.alpha = 1}, {.norm = false}, 3);
  const TrainingSet set{.grades = {0, 1}, .queries = {{"q"}, std::array<std::size_t, 1>{2}}};
  peer.prepare(set.data());
  const std::vector<double> scores = {1, 0};
  std::array<int, 3> met = {};
  for (std::size_t round = 0; round < 40; ++round) {
    const QueryView query{.round = round, .grades = set.grades, .scores = scores};
    const float first = peer.drawn_grade(query, 0);
    const float second = peer.drawn_grade(query, 1);
    const std::size_t kind = first > second ? 0 : (first == second ? 1 : 2);
    const double expected = std::array{0.36907025, 0.26981197, 0.0}[kind];
    ++met[kind];
    const QueryGradients r = gradients_of(peer, query);
    EXPECT_NEAR(r.gradient[0], expected, 1e-7);
    EXPECT_NEAR(r.gradient[1], -expected, 1e-7);
    EXPECT_NEAR(r.hessian[0], 0.07256361, 1e-7);
    EXPECT_NEAR(r.hessian[1], 0.07256361, 1e-7);
  }
  for (const int count : met) EXPECT_GT(count, 0);
}

TEST(Peer, IsLambdarankToTheBitWithAlphaZero) {
  const RandomSet random = random_set(4);
  Peer peer({.alpha = 0}, {}, 1);
  Lambdarank lambdarank({});
  peer.prepare(random.set.data());
  lambdarank.prepare(random.set.data());
  for (std::size_t q = 0; q < 3; ++q) {
    EXPECT_EQ(gradients_of(peer, random.view(q, 0)), gradients_of(lambdarank, random.view(q, 0)));
  }
}

TEST(Peer, TakesTheGradientOfRandomGradesAwayEvenWhereNothingIsRelevant) {
  // Query b has no gain: lambdarank says nothing of it.
  const TrainingSet set{.grades = {2, 1, 0, 0, 0, 0},
                        .queries = {{"a", "b"}, std::array<std::size_t, 2>{3, 3}}};
  Peer peer({}, {}, 2);
  peer.prepare(set.data());
  const std::vector<double> scores = {0.3, 0.2, 0.1};
  double size = 0;
  for (std::size_t round = 0; round < 20; ++round) {
    const QueryGradients r = gradients_of(
        peer,
        {.query = 1, .round = round, .grades = std::span(set.grades).subspan(3), .scores = scores});
    for (const float g : r.gradient) size += std::abs(g);
    for (const float h : r.hessian) EXPECT_EQ(h, 0);
  }
  EXPECT_GT(size, 0);
}

TEST(Peer, DrawsGradesByTheirSharesOfAllDocuments) {
  TrainingSet set{.grades = std::vector<float>(100, 0),
                  .queries = {{"a", "b"}, std::array<std::size_t, 2>{10, 90}}};
  std::fill_n(set.grades.begin() + 60, 30, 1.5F);
  std::fill_n(set.grades.begin() + 90, 10, 4.0F);
  Peer peer({}, {}, 8);
  peer.prepare(set.data());
  std::array<int, 3> counts = {};
  const std::vector<double> scores(10);
  for (std::size_t round = 0; round < 1000; ++round) {
    const QueryView query{
        .round = round, .grades = std::span(set.grades).first(10), .scores = scores};
    for (std::size_t i = 0; i < 10; ++i) {
      const float grade = peer.drawn_grade(query, i);
      ++counts[grade == 0 ? 0 : (grade == 1.5F ? 1 : 2)];
      ASSERT_TRUE(grade == 0 || grade == 1.5F || grade == 4);
    }
  }
  // Standard deviations of 10,000 draws: 49, 46 and 30.
  EXPECT_NEAR(counts[0], 6000, 200);
  EXPECT_NEAR(counts[1], 3000, 180);
  EXPECT_NEAR(counts[2], 1000, 120);
}

TEST(Peer, DrawsAnewForEveryRoundQueryAndSeedAndAgainTheSame) {
  const RandomSet random = random_set(6);
  const auto drawn = [&](std::uint64_t seed, std::size_t query, std::size_t round) {
    Peer peer({}, {}, seed);
    peer.prepare(random.set.data());
    std::vector<float> grades;
    const QueryView view{.query = query, .round = round, .grades = {}, .scores = {}};
    for (std::size_t i = 0; i < 30; ++i) grades.push_back(peer.drawn_grade(view, i));
    return grades;
  };
  EXPECT_EQ(drawn(1, 0, 0), drawn(1, 0, 0));
  EXPECT_NE(drawn(1, 0, 0), drawn(2, 0, 0));
  EXPECT_NE(drawn(1, 0, 0), drawn(1, 1, 0));
  EXPECT_NE(drawn(1, 0, 0), drawn(1, 0, 1));
}

// 7 zeros and a 3 there; 0, 3, 3 and a 1 here: up to 0 there are 8, up to 1 9, up to 3 12.
TEST(GradeDistribution, CountsTheDocumentsOfAllMachines) {
  testing::on_machines(2, [](const std::shared_ptr<const Communicator>& machines) {
    const std::vector<float> grades = machines->rank() == 0
                                          ? std::vector<float>{0, 0, 0, 3, 0, 0, 0, 0}
                                          : std::vector<float>{3, 0, 3, 1};
    const QueryGroups queries({"q"}, std::array<std::size_t, 1>{grades.size()});
    const GradeDistribution all(
        {.grades = grades, .weights = {}, .queries = queries, .communicator = *machines});
    EXPECT_EQ(all.grades(), (std::vector<float>{0, 1, 3}));
    EXPECT_EQ(all.cumulative(), (std::vector<std::uint64_t>{8, 9, 12}));
  });
  const std::vector<float> grades = {3, 0, 3, 1};
  const QueryGroups queries({"q"}, std::array<std::size_t, 1>{4});
  const GradeDistribution own({.grades = grades, .weights = {}, .queries = queries});
  EXPECT_EQ(own.cumulative(), (std::vector<std::uint64_t>{1, 2, 4}));
}

}  // namespace
}  // namespace glassrank
