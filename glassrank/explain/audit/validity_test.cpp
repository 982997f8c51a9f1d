#include "glassrank/explain/audit/validity.h"

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/models/scorer.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

// 4 a + 2 b + c of three documents; the reference row is 0.
class ThreeFeatures : public ::testing::Test {
 protected:
  ThreeFeatures()
      : scorer_(make_function_scorer(3,
                                     [](MatrixView<const float> rows, std::span<double> scores) {
                                       for (std::size_t r = 0; r < rows.num_rows(); ++r) {
                                         scores[r] = 4 * rows(r, 0) + 2 * rows(r, 1) + rows(r, 2);
                                       }
                                     })),
        perturbation_(make_plain_perturbation(*scorer_, {documents_.data(), 3, 3},
                                              {reference_.data(), 1, 3})) {}

  double validity_of(std::vector<std::uint32_t> features, Tau tau = Tau::kA) const {
    return validity(*perturbation_, scores_, features, tau, {});
  }
  double completeness_of(std::vector<std::uint32_t> features) const {
    return completeness(*perturbation_, scores_, features, Tau::kA, {});
  }

  const std::vector<float> documents_ = {1, 0, 1,   // 5
                                         0, 1, 1,   // 3
                                         0, 0, 2};  // 2
  const std::vector<float> reference_ = {0, 0, 0};
  const std::vector<double> scores_ = {5, 3, 2};
  std::unique_ptr<const Scorer> scorer_;
  std::unique_ptr<const Perturbation> perturbation_;
};

TEST_F(ThreeFeatures, AllOfThemGiveTheSameOrder) {
  for (const Tau tau : {Tau::kA, Tau::kB, Tau::kNdcg, Tau::kDocidSequence}) {
    EXPECT_EQ(validity_of({0, 1, 2}, tau), 1);
  }
  EXPECT_EQ(completeness_of({}), 1);
}

TEST_F(ThreeFeatures, WithOnlyTheFirstKnownTheLastTwoTie) {
  // Masked scores 4, 0, 0: two pairs of three concordant, one tied.
  EXPECT_DOUBLE_EQ(validity_of({0}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(validity_of({0}, Tau::kB), 2 / std::sqrt(3.0 * 2.0));
  // Discounts 1, 0.6309, 0.5: pairs 0.3691 + 0.5 of 1.
  EXPECT_NEAR(validity_of({0}, Tau::kNdcg), (2 - 1 / std::log2(3.0) - 0.5) / 1, 1e-12);
}

TEST_F(ThreeFeatures, WithoutTheFirstTwoTheOrderTurns) {
  // Only c: 1, 1, 2. Two pairs discordant, one tied.
  EXPECT_DOUBLE_EQ(completeness_of({0, 1}), -2.0 / 3);
  EXPECT_DOUBLE_EQ(validity_of({2}), -2.0 / 3);
}

TEST_F(ThreeFeatures, AFeatureThatIsNotThereIsNamed) {
  EXPECT_EQ(message_of([&] { validity_of({3}); }),
            "there is no feature 4; the ranker has 3 features");
}

TEST_F(ThreeFeatures, ScoresOfOtherDocumentsAreRefused) {
  EXPECT_EQ(
      message_of([&] { validity(*perturbation_, std::vector<double>{1, 2}, {}, Tau::kA, {}); }),
      "2 scores for 3 documents");
}

TEST(RankAgreement, OfTheReversedOrderIsMinusOne) {
  const std::vector<double> scores = {4, 3, 2, 1};
  const std::vector<double> others = {1, 2, 3, 4};
  for (const Tau tau : {Tau::kA, Tau::kB, Tau::kNdcg, Tau::kDocidSequence}) {
    EXPECT_DOUBLE_EQ(rank_agreement(scores, others, tau), -1);
  }
}

TEST(RankAgreement, OfOneDocumentIsOneAndOfAllTiedIsZero) {
  const std::vector<double> tied = {2, 2, 2};
  const std::vector<double> scores = {3, 2, 1};
  for (const Tau tau : {Tau::kA, Tau::kB, Tau::kNdcg}) {
    EXPECT_EQ(rank_agreement(std::vector<double>{1}, std::vector<double>{2}, tau), 1);
    EXPECT_EQ(rank_agreement(tied, scores, tau), 0);
    EXPECT_EQ(rank_agreement(scores, tied, tau), 0);
  }
}

TEST(RankAgreement, OfDocumentNumbersFollowsTheAuthorsProgram) {
  // Ranked lists 0 1 2 3 and 1 2 3 0: the three pairs of places with the last one differ.
  const std::vector<double> scores = {4, 3, 2, 1};
  const std::vector<double> others = {1, 4, 3, 2};
  EXPECT_DOUBLE_EQ(rank_agreement(scores, others, Tau::kDocidSequence), 0);
  // Ranked lists 1 0 2 and 2 0 1: only the first and the last place differ. By ranks it is -1.
  EXPECT_DOUBLE_EQ(rank_agreement(std::vector<double>{2, 3, 1}, std::vector<double>{2, 1, 3},
                                  Tau::kDocidSequence),
                   1.0 / 3);
}

}  // namespace
}  // namespace glassrank
