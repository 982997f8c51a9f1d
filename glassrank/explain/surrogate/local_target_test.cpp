#include "glassrank/explain/surrogate/local_target.h"

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

ExplainedQuery query_with(std::vector<double> scores) {
  static const std::vector<float> rows(100);
  ExplainedQuery query;
  query.id = "9";
  query.rows = {rows.data(), scores.size(), 1};
  query.ranking = rank_documents(scores);
  query.scores = std::move(scores);
  return query;
}

TEST(LocalTarget, ScoreIsTheScore) {
  const ExplainedQuery query = query_with({4, 2, 0});
  const LocalTarget target(query, Target::of_document(1), {});
  EXPECT_EQ(target.of(1.25), 1.25);
  EXPECT_EQ(target.unit(), 1);
}

TEST(LocalTarget, InUnitsOfTheListTurnsBack) {
  const ExplainedQuery query = query_with({6, 2, 1});
  const LocalTarget target(query, Target::of_document(1), {.in_list_units = true});
  EXPECT_DOUBLE_EQ(target.of(2), 0.2);  // a fifth of the way from 1 to 6
  EXPECT_DOUBLE_EQ(target.offset() + target.unit() * target.of(4.5), 4.5);
}

TEST(LocalTarget, RankPutsTheDocumentBackIntoTheList) {
  const ExplainedQuery query = query_with({4, 9, 2, 4});
  const LocalTarget target(query, Target::of_document(2),
                           {.kind = LocalTargetKind::kRank, .cutoff = 4});
  EXPECT_EQ(target.of(10), 1);
  EXPECT_EQ(target.of(5), 0.75);
  EXPECT_EQ(target.of(4), 0.5);  // behind document 0, before document 3, which is after it
  EXPECT_EQ(target.of(1), 0.25);
  const LocalTarget shallow(query, Target::of_document(2),
                            {.kind = LocalTargetKind::kRank, .cutoff = 2});
  EXPECT_EQ(shallow.of(1), 0);
}

TEST(LocalTarget, TopKIsBeingAmongTheFirst) {
  const ExplainedQuery query = query_with({4, 9, 2, 3});
  const Target second = Target::of_document(0);
  const LocalTarget target(query, second, {.kind = LocalTargetKind::kTopK, .cutoff = 2});
  EXPECT_EQ(target.of(4), 1);
  EXPECT_EQ(target.of(3), 1);  // document 3 comes later in the data
  EXPECT_EQ(target.of(2.5), 0);
  // EXS compares with the score of the k-th document: the second itself is not above it.
  const LocalTarget paper(query, second,
                          {.kind = LocalTargetKind::kTopK, .cutoff = 2, .as_in_the_papers = true});
  EXPECT_EQ(paper.of(4), 0);
  EXPECT_EQ(paper.of(4.5), 1);
}

TEST(LocalTarget, OfAPairIsTheDifference) {
  const ExplainedQuery query = query_with({4, 9, 2});
  const LocalTarget target(query, Target::of_pair(2, 1), {.kind = LocalTargetKind::kRank});
  EXPECT_EQ(target.of(2), -7);
}

TEST(LocalTarget, ThePapersScoreFallsWithTheScore) {
  const ExplainedQuery query = query_with({8, 2});
  const LocalTarget target(query, Target::of_document(1), {.as_in_the_papers = true});
  EXPECT_EQ(target.of(2), 0.75);
  EXPECT_EQ(target.of(8), 0);
  EXPECT_EQ(message_of([] {
              const ExplainedQuery zero = query_with({0, -2});
              LocalTarget(zero, Target::of_document(1), {.as_in_the_papers = true});
            }),
            "query 9: the top score is 0, and the paper's (top - score) / top divides by it; mode "
            "= default divides by the range of the scores");
}

TEST(LocalTarget, AllTiedHaveAUnit) {
  const ExplainedQuery query = query_with({3, 3});
  const LocalTarget target(query, Target::of_document(1), {.in_list_units = true});
  EXPECT_EQ(target.of(5), 2);
}

}  // namespace
}  // namespace glassrank
