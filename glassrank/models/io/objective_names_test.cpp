#include "glassrank/models/io/objective_names.h"

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

TEST(ObjectiveNames, AreTranslatedWhereTheyMeanTheSame) {
  EXPECT_EQ(lightgbm_objective("lambdarank"), "lambdarank");
  EXPECT_EQ(lightgbm_objective("rank:ndcg"), "lambdarank");
  EXPECT_EQ(lightgbm_objective("LambdaMART"), "lambdarank");
  EXPECT_EQ(lightgbm_objective("squared_error"), "regression");
  EXPECT_EQ(lightgbm_objective("logistic"), "binary sigmoid:1");
  EXPECT_EQ(lightgbm_objective("pairwise"), "lambdarank");
  EXPECT_EQ(lightgbm_objective("binary:logistic"), "binary sigmoid:1");
  EXPECT_EQ(lightgbm_objective("count:poisson"), "");
  EXPECT_EQ(lightgbm_objective(""), "");
  EXPECT_EQ(xgboost_objective("rank:map"), "rank:map");
  EXPECT_EQ(xgboost_objective("lambdarank"), "rank:ndcg");
  EXPECT_EQ(xgboost_objective("rank_xendcg"), "rank:ndcg");
  EXPECT_EQ(xgboost_objective("squared_error"), "reg:squarederror");
  EXPECT_EQ(xgboost_objective("logistic"), "binary:logitraw");
  EXPECT_EQ(xgboost_objective("pairwise"), "rank:pairwise");
  EXPECT_EQ(xgboost_objective("LambdaMART"), "rank:ndcg");
  EXPECT_EQ(xgboost_objective("binary sigmoid:1"), "binary:logistic");
  EXPECT_EQ(xgboost_objective("binary sigmoid:2"), "reg:squarederror");
  EXPECT_EQ(xgboost_objective("binary:logitraw"), "binary:logitraw");
  EXPECT_EQ(xgboost_objective(""), "reg:squarederror");
}

TEST(ObjectiveNames, LinkBaseScoresBothWays) {
  for (const XgboostLink link : {XgboostLink::kIdentity, XgboostLink::kLogit, XgboostLink::kLog}) {
    const auto base = static_cast<float>(xgboost_base_of_raw(link, -0.75));
    EXPECT_NEAR(xgboost_raw_base(link, base), -0.75, 1e-6);
  }
  EXPECT_EQ(message_of([] { xgboost_raw_base(XgboostLink::kLogit, 0); }),
            "base_score 0 is outside of what the objective allows");
}

}  // namespace
}  // namespace glassrank
