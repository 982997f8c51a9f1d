#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/models/forest/score_trace.h"
#include "glassrank/studies/outlier_trace.h"
#include "glassrank/studies/rank_trace.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

using testing::documents_of;
using testing::forest_of;
using testing::with_threads;

// Scores after 1, 2, 3 trees: a 0 0 4; b 1 1 1; c 0 2 2.
const std::vector<std::vector<float>> kRows = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};

TEST(TraceRanks, FollowsEveryTreeWithTiesInInputOrder) {
  const Dataset data = documents_of({3}, {0, 1, 0}, kRows);
  const RankTrace trace = trace_ranks(forest_of({1, 2, 4}), data, 0);
  EXPECT_EQ(trace.num_rounds, 3);
  EXPECT_EQ(trace.ranks[0], (std::vector<std::uint32_t>{1, 2, 0}));
  EXPECT_EQ(trace.ranks[1], (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(trace.ranks[2], (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST(QueryNamed, SaysWhatIsNotThere) {
  const QueryGroups queries({"a", "b"}, std::vector<std::size_t>{1, 1});
  EXPECT_EQ(query_named(queries, "b"), 1U);
  EXPECT_EQ(query_named(queries, ""), 0U);
  EXPECT_EQ(message_of([&] { query_named(queries, "c"); }), "there is no query 'c'");
  EXPECT_EQ(message_of([] { query_named({}, ""); }), "there are no queries");
}

TEST(AlwaysAtBottom, WantsEveryRoundAndALowGrade) {
  const RankTrace trace{.num_rounds = 2, .ranks = {{0, 0}, {3, 2}, {2, 3}, {1, 1}}};
  const std::vector<float> grades = {0, 0, 1, 0};
  // The lowest half of 4 are ranks 2 and 3: documents 1 and 2 stay there, 2 is relevant.
  EXPECT_EQ(always_at_bottom(trace, grades, 0.5, 0), (std::vector{false, true, false, false}));
  EXPECT_EQ(always_at_bottom(trace, grades, 0.5, 1), (std::vector{false, true, true, false}));
  EXPECT_EQ(always_at_bottom(trace, grades, 0.25, 0), std::vector<bool>(4));
  EXPECT_EQ(always_at_bottom(trace, grades, 0.25, 1, 2), (std::vector{false, false, true, false}));
  EXPECT_EQ(always_at_bottom(trace, grades, 0.25, 1, 3), std::vector<bool>(4));
  const std::vector<float> tenths = {0, 0.1F, 0.2F, 0};  // 0.1 as float32 is above the double
  EXPECT_EQ(always_at_bottom(trace, tenths, 0.5, 0.1), (std::vector{false, true, false, false}));
}

TEST(ShareOfBottom, CountsTheDocumentsThatAreThere) {
  const RankTrace trace{.num_rounds = 2, .ranks = {{0, 0}, {3, 2}, {2, 3}, {1, 1}}};
  const std::vector<bool> second = {false, true, false, false};
  EXPECT_EQ(share_of_bottom(trace, second, 0.5, 0), 0.5);
  EXPECT_EQ(share_of_bottom(trace, second, 0.25, 0), 1);
  EXPECT_EQ(share_of_bottom(trace, second, 0.25, 1), 0);
  EXPECT_TRUE(std::isnan(share_of_bottom(trace, second, 0.1, 0)));
}

TEST(TraceOutliers, KeepsEveryRound) {
  // Cutoff 1, only b is relevant. Top documents: b, c, a. Tree 1: nothing wrong. Trees 2 and 3: b
  // is pushed out by c, then by a.
  const Dataset data = documents_of({3}, {0, 1, 0}, kRows);
  const OutlierTrace trace =
      trace_outliers(forest_of({1, 2, 4}), data, {.cutoff = 1}, with_threads(2));
  EXPECT_EQ(trace.num_rounds, 3);
  ASSERT_EQ(trace.documents.size(), 3);
  const OutlierHistory& a = trace.documents[0];
  EXPECT_TRUE(a.is_negative);
  EXPECT_FALSE(a.after(2));
  EXPECT_TRUE(a.after(3));
  EXPECT_EQ(a.num_rounds, 1);
  EXPECT_EQ(a.first_right, 1);
  EXPECT_EQ(a.last_right, 2);
  const OutlierHistory& b = trace.documents[1];
  EXPECT_FALSE(b.is_negative);
  EXPECT_EQ(b.num_rounds, 2);
  EXPECT_EQ(b.last_right, 1);
  EXPECT_TRUE(b.is_consistent(2, 3));
  EXPECT_FALSE(b.is_consistent(1, 3));
  const OutlierHistory& c = trace.documents[2];
  EXPECT_EQ(c.last_right, 3);
  EXPECT_TRUE(c.is_consistent(2, 2));

  EXPECT_EQ(count_consistent(trace, 2, 3).positive, 1);
  EXPECT_EQ(count_consistent(trace, 2, 3).negative, 0);
  EXPECT_EQ(count_consistent(trace, 3, 3).all(), 2);
  EXPECT_EQ(consistent_rows(trace, 3, 3, DocumentType::kNeg), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(consistent_rows(trace, 3, 3, DocumentType::kPos), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(consistent_rows(trace, 3, 3, DocumentType::kAll), (std::vector<std::uint32_t>{0, 1}));
}

// A forest of 70 trees, more than one word of bits, on queries of 25 documents.
struct Trained {
  Dataset data = testing::make_data({.num_queries = 12});
  Forest forest = train_forest(data);

  static Forest train_forest(const Dataset& data) {
    LambdamartParams params;
    params.boosting.num_trees = 70;
    params.boosting.num_leaves = 4;
    return train_lambdamart(data, nullptr, params, with_threads(1)).forest;
  }
};

TEST(TraceOutliers, AgreesWithTheDefinitionAfterEveryTree) {
  const Trained trained;
  const OutlierRule rule{.cutoff = 5};
  const OutlierTrace trace = trace_outliers(trained.forest, trained.data, rule, with_threads(1));
  ASSERT_FALSE(trace.documents.empty());
  std::vector<std::size_t> rounds(trained.data.num_rows());
  for (std::size_t q = 0; q < trained.data.num_queries(); ++q) {
    const RowRange rows = trained.data.queries().rows(q);
    trace_scores(trained.forest, rows_between(trained.data.features(), rows.begin, rows.end),
                 [&](std::size_t, std::span<const double> scores) {
                   for (const std::uint32_t slot : find_outliers(
                            trained.data.grades().subspan(rows.begin, rows.size()), scores, rule)) {
                     ++rounds[rows.begin + slot];
                   }
                 });
  }
  std::size_t num_ever = 0;
  for (const std::size_t count : rounds) num_ever += count > 0 ? 1 : 0;
  EXPECT_EQ(trace.documents.size(), num_ever);
  for (const OutlierHistory& document : trace.documents) {
    EXPECT_EQ(document.num_rounds, rounds[document.row]);
    for (const std::size_t start : {1, 30, 65}) {
      for (const std::size_t end : {66, 70}) {
        bool always = true;
        for (std::size_t t = start; t <= end; ++t) always = always && document.after(t);
        EXPECT_EQ(document.is_consistent(start, end), always);
      }
    }
  }
}

TEST(TraceOutliers, DoesNotDependOnThreads) {
  const Trained trained;
  const OutlierTrace one = trace_outliers(trained.forest, trained.data, {}, with_threads(1));
  for (const int threads : {2, 4}) {
    const OutlierTrace more =
        trace_outliers(trained.forest, trained.data, {}, with_threads(threads));
    ASSERT_EQ(more.documents.size(), one.documents.size());
    for (std::size_t d = 0; d < one.documents.size(); ++d) {
      EXPECT_EQ(more.documents[d].row, one.documents[d].row);
      EXPECT_EQ(more.documents[d].words, one.documents[d].words);
    }
  }
}

}  // namespace
}  // namespace glassrank
