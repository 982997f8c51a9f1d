#include "glassrank/methods/ebm/cyclic_bag.h"

#include <limits>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

constexpr EffectShape kTwoCells{.height = 2};

// One visit a round that adds 1 to the first cell; returns whether boosting is over.
bool round_with(CyclicBag& bag, double loss) {
  const float step[] = {1, 0};
  bag.add(0, step);
  bag.end_visit();
  bag.measure(loss);
  return bag.end_round(loss);
}

TEST(CyclicBag, StopsAfterPatienceRoundsWithoutMoreThanTheTolerance) {
  // The first run's mark is 0.5, the loss of its first round; 0.45 is not below it by 0.1, 0.39 is,
  // which ends the run. The second's is 0.38; neither 0.37 nor 0.6 ends it in three rounds.
  const CyclicRules rules{.patience = 3, .tolerance = 0.1};
  CyclicBag bag({&kTwoCells, 1}, rules, 1.0);
  for (const double loss : {0.5, 0.45, 0.39, 0.38, 0.37}) EXPECT_FALSE(round_with(bag, loss));
  EXPECT_TRUE(round_with(bag, 0.6));
  const CyclicResult result = bag.take_result();
  EXPECT_EQ(result.num_rounds, 6U);
  EXPECT_EQ(result.best_visit, 5U);
  EXPECT_EQ(result.best_loss, 0.37);
  EXPECT_EQ(result.tables, (std::vector<std::vector<double>>{{5, 0}}));
}

TEST(CyclicBag, WithoutALossKeepsEveryRound) {
  const CyclicRules rules{.max_rounds = 4, .patience = 1};
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  CyclicBag bag({&kTwoCells, 1}, rules, kNone);
  for (int round = 0; round < 3; ++round) EXPECT_FALSE(round_with(bag, kNone));
  EXPECT_TRUE(round_with(bag, kNone));
  EXPECT_EQ(bag.take_result().tables, (std::vector<std::vector<double>>{{4, 0}}));
}

TEST(CyclicBag, EndsWhenTheLossIsLostAndKeepsTheBest) {
  for (const std::size_t patience : {0, 50}) {
    const CyclicRules rules{.patience = patience};
    CyclicBag bag({&kTwoCells, 1}, rules, 1.0);
    EXPECT_FALSE(round_with(bag, 0.5));
    EXPECT_FALSE(round_with(bag, std::numeric_limits<double>::infinity()));
    EXPECT_TRUE(round_with(bag, std::numeric_limits<double>::quiet_NaN()));
    const CyclicResult result = bag.take_result();
    EXPECT_TRUE(result.has_diverged);
    EXPECT_EQ(result.num_rounds, 3U);
    EXPECT_EQ(result.best_visit, 1U);
    EXPECT_EQ(result.best_loss, 0.5);
    EXPECT_EQ(result.tables, (std::vector<std::vector<double>>{{1, 0}}));
  }
}

TEST(CyclicBag, ReadsStepsThatLieApart) {
  const CyclicRules rules;
  CyclicBag bag({&kTwoCells, 1}, rules, 1.0);
  const float step[] = {1, 7, 2};
  bag.add(0, step, 2);
  bag.measure(0);
  EXPECT_EQ(bag.take_result().tables, (std::vector<std::vector<double>>{{1, 2}}));
}

}  // namespace
}  // namespace glassrank
