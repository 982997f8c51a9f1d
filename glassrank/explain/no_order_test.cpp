#include "glassrank/explain/no_order.h"

#include <vector>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

ExplainedQuery query_of(std::vector<double> scores) {
  ExplainedQuery query;
  query.id = "7";
  query.rows = MatrixView<const float>(nullptr, scores.size(), 0);
  query.scores = std::move(scores);
  return query;
}

TEST(NoOrder, IsOfOneDocumentOrEqualScores) {
  const ExplainedQuery query = query_of({5, 1, 9, 5});
  EXPECT_EQ(why_no_order(query, Target::of_ranking()), "");
  EXPECT_EQ(why_no_order(query, Target::of_document(0)), "");
  EXPECT_EQ(why_no_order(query, Target::of_pair(0, 1)), "");
  EXPECT_EQ(why_no_order(query, Target::of_pair(0, 3)),
            "documents 1 and 4 of query 7 have the same score");
  EXPECT_EQ(why_no_order(query_of({1}), Target::of_ranking()),
            "query 7 has one document: there is no order to explain");
  const ExplainedQuery tied = query_of({2, 2, 2});
  EXPECT_EQ(why_no_order(tied, Target::of_ranking()),
            "all documents of query 7 have the same score");
  EXPECT_EQ(why_no_order(tied, Target::of_document(1)),
            "all documents of query 7 have the score of document 2");
}

}  // namespace
}  // namespace glassrank
