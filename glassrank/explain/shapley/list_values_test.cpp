#include "glassrank/explain/shapley/list_values.h"

#include <cmath>

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;

ExplainedQuery query_with(Values scores) {
  ExplainedQuery query;
  query.id = "7";
  static const std::vector<float> rows(100);
  query.rows = {rows.data(), scores.size(), 1};
  query.ranking = rank_documents(scores);
  query.scores = std::move(scores);
  return query;
}

TEST(ListValues, TauCountsATieAsNothing) {
  const auto value = tau_value(query_with({3, 2, 1}));
  EXPECT_EQ(value(Values{30, 20, 10}), 1);
  EXPECT_EQ(value(Values{1, 2, 3}), -1);
  EXPECT_EQ(value(Values{5, 5, 5}), 0);
  EXPECT_DOUBLE_EQ(value(Values{5, 5, 1}), 2.0 / 3);
}

// Three documents, cutoff 2: gains 2, 1, 0 in the real order, so the ideal is 2 + 1 / log2(3).
TEST(ListValues, NdcgOfTheOwnOrder) {
  const auto value = own_order_ndcg_value(query_with({3, 2, 1}), 2);
  const double second = 1 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(value(Values{9, 8, 7}), 1);
  EXPECT_DOUBLE_EQ(value(Values{8, 9, 7}), (1 + 2 * second) / (2 + second));
  EXPECT_DOUBLE_EQ(value(Values{1, 2, 3}), second / (2 + second));
  // All tied: each place has the mean gain 1.
  EXPECT_DOUBLE_EQ(value(Values{4, 4, 4}), (1 + second) / (2 + second));
}

TEST(ListValues, NdcgOfGrades) {
  ExplainedQuery query = query_with({3, 2});
  EXPECT_EQ(message_of([&] { graded_ndcg_value(query, 10); }),
            "the grades of query 7 are not known: gains = order compares with the ranker's own "
            "order");
  const std::vector<float> grades = {0, 2};
  query.grades = grades;
  const auto value = graded_ndcg_value(query, 10);
  ASSERT_TRUE(value);
  EXPECT_DOUBLE_EQ((*value)(Values{1, 2}), 1);
  EXPECT_DOUBLE_EQ((*value)(Values{2, 1}), 1 / std::log2(3.0));
  const std::vector<float> none = {0, 0};
  query.grades = none;
  EXPECT_FALSE(graded_ndcg_value(query, 10));
}

TEST(ListValues, RankCountsTheDocumentsBelow) {
  const auto value = rank_value(1);
  EXPECT_EQ(value(Values{1, 5, 2, 3}), 3);
  EXPECT_EQ(value(Values{9, 5, 8, 7}), 0);
  EXPECT_EQ(value(Values{5, 5, 5, 5}), 1.5);
  EXPECT_EQ(value(Values{9, 5, 5, 1}), 1.5);
}

TEST(ListValues, TopKSharesThePlacesAmongTies) {
  const auto value = top_k_value(1, 2);
  EXPECT_EQ(value(Values{9, 5, 1}), 1);
  EXPECT_EQ(value(Values{9, 5, 8}), 0);
  EXPECT_EQ(value(Values{9, 5, 5}), 0.5);
  EXPECT_DOUBLE_EQ(value(Values{5, 5, 5}), 2.0 / 3);
  EXPECT_EQ(value(Values{5, 5}), 1);
}

TEST(ListValues, PairwiseIsTheOrderOfTwo) {
  const auto value = pairwise_value(2, 0);
  EXPECT_EQ(value(Values{1, 0, 2}), 1);
  EXPECT_EQ(value(Values{2, 0, 1}), -1);
  EXPECT_EQ(value(Values{2, 0, 2}), 0);
}

}  // namespace
}  // namespace glassrank
