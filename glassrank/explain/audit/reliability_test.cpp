#include "glassrank/explain/audit/reliability.h"

#include <limits>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

Explanation audited(const ExplanationAudit& audit, double abstain_below) {
  Explanation explanation;
  explanation.audit = audit;
  explanation.features = {0};
  judge(explanation, {.abstain_below = abstain_below});
  return explanation;
}

TEST(Reliability, IsTheLeastOfWhatWasMeasured) {
  ExplanationAudit audit;
  EXPECT_FALSE(reliability_of(audit).value);
  audit.validity = 0.75;
  EXPECT_EQ(reliability_of(audit).value, 0.75);
  audit.stability = 0.5;
  EXPECT_EQ(reliability_of(audit).weakest, "stability");
  audit.error_share = 0.625;
  EXPECT_EQ(reliability_of(audit).value, 0.375);
  audit.additivity_residual = 0.875;
  EXPECT_EQ(reliability_of(audit).value, 0.125);
  EXPECT_EQ(reliability_of(audit).weakest, "additivity_residual");
}

TEST(Reliability, StaysBetweenZeroAndOne) {
  EXPECT_EQ(reliability_of({.validity = -0.5}).value, 0);
  EXPECT_EQ(reliability_of({.additivity_residual = 3}).value, 0);
  EXPECT_EQ(reliability_of({.error_share = std::numeric_limits<double>::infinity()}).value, 0);
  EXPECT_EQ(reliability_of({.additivity_residual = 0}).value, 1);
}

TEST(Reliability, CountsHowWellALineFits) {
  EXPECT_EQ(reliability_of({.fit = 0.25, .validity = 1, .stability = 1}).value, 0.25);
  EXPECT_EQ(audited({.fit = 0.25}, 0.5).abstains,
            "reliability 0.25 is below 0.5: the fitted line explains only 25 % of what its samples "
            "differ in");
}

TEST(Reliability, DoesNotCountTheValidityOfAllFeatures) {
  EXPECT_EQ(reliability_of({.error_share = 0.5, .validity = 0, .names_all = true}).value, 0.5);
  EXPECT_FALSE(reliability_of({.validity = 1, .names_all = true}).value);
}

TEST(Reliability, DoesNotCountCompleteness) {
  EXPECT_EQ(reliability_of({.validity = 1, .completeness = 1}).value, 1);
  EXPECT_EQ(reliability_of({.validity = 1, .completeness = -1}).value, 1);
}

TEST(Reliability, AbstainsBelowTheLimitAndSaysWhy) {
  EXPECT_EQ(audited({.validity = 0.3}, 0).abstains, "");
  EXPECT_EQ(audited({.validity = 0.3}, 0.3).abstains, "");
  EXPECT_EQ(audited({.validity = 0.3}, 0.5).abstains,
            "reliability 0.30 is below 0.5: the named features alone keep the order to a tau of "
            "0.30 only");
  EXPECT_EQ(audited({.stability = 0.4}, 0.5).abstains,
            "reliability 0.40 is below 0.5: other seeds name only 40 % of the same features");
  EXPECT_EQ(audited({.error_share = 1.5}, 0.5).abstains,
            "reliability 0.00 is below 0.5: sampling errors reach 1.5 times the largest "
            "attribution");
  EXPECT_EQ(audited({.additivity_residual = 0.75}, 0.5).abstains,
            "reliability 0.25 is below 0.5: the attributions miss what they explain by 0.75 times "
            "the largest of them");
  EXPECT_EQ(audited({}, 1).abstains, "");
}

TEST(Reliability, IsAbsentWhereNothingIsNamed) {
  Explanation explanation;
  explanation.audit = {.additivity_residual = 0, .stability = 1};
  judge(explanation, {});
  EXPECT_FALSE(explanation.audit.reliability);
  EXPECT_EQ(explanation.abstains, "no feature is named");
}

TEST(Reliability, LeavesWhyTheExplainerItselfAbstains) {
  Explanation explanation;
  explanation.abstains = "there is no NDCG";
  judge(explanation, {.abstain_below = 1});
  EXPECT_EQ(explanation.abstains, "there is no NDCG");
}

}  // namespace
}  // namespace glassrank
