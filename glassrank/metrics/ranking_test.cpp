#include "glassrank/metrics/ranking.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// Grades 0, 1, 2, ... are the slots, so a ranking's grades show its order.
std::vector<float> order_of(const std::vector<double>& scores, const RankingNeeds& needs,
                            const std::vector<std::string_view>& ids = {}) {
  std::vector<float> slots(scores.size());
  std::iota(slots.begin(), slots.end(), 0.0F);
  RankingScratch scratch;
  const RankedList list{
      .scores = scores, .grades = slots, .document_ids = ids, .missed_grades = {}};
  const Ranking ranking = rank_documents(list, needs, has_ties(scores, scratch), scratch);
  return {ranking.grades.begin(), ranking.grades.end()};
}

using Order = std::vector<float>;
const std::vector<double> kScores = {1, 3, 1, 3, 2};

TEST(RankDocuments, BreaksTiesAsAsked) {
  EXPECT_EQ(order_of(kScores, {.ties = Ties::kInput}), (Order{1, 3, 4, 0, 2}));
  EXPECT_EQ(order_of(kScores, {.ties = Ties::kReverse}), (Order{3, 1, 4, 2, 0}));
  EXPECT_EQ(order_of(kScores, {.ties = Ties::kWorst}), (Order{1, 3, 4, 0, 2}));
  EXPECT_EQ(order_of(kScores, {.ties = Ties::kDocumentId}, {"a", "b", "c", "d", "e"}),
            (Order{3, 1, 4, 2, 0}));
  // Bytes are compared, not numbers: "9" comes after "10", so it is first when descending.
  EXPECT_EQ(order_of({1, 1}, {.ties = Ties::kDocumentId}, {"10", "9"}), (Order{1, 0}));
}

TEST(RankDocuments, PutsTheLowerGradeFirstWhenWorst) {
  RankingScratch scratch;
  const std::vector<double> scores = {1, 1, 1};
  const std::vector<float> grades = {2, 0, 1};
  const RankedList list{
      .scores = scores, .grades = grades, .document_ids = {}, .missed_grades = {}};
  const Ranking ranking = rank_documents(list, {.ties = Ties::kWorst}, true, scratch);
  EXPECT_EQ(Order(ranking.grades.begin(), ranking.grades.end()), (Order{0, 1, 2}));
}

TEST(RankDocuments, NeedsIdsToBreakTiesByThem) {
  try {
    order_of(kScores, {.ties = Ties::kDocumentId});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "ties = docid needs document ids; the data has none (choose other ties, for "
                 "example ties = input)");
  }
  EXPECT_EQ(order_of({1, 2}, {.ties = Ties::kDocumentId}), (Order{1, 0}));  // no ties, no ids
}

TEST(RankDocuments, MarksRunsOfEqualScores) {
  RankingScratch scratch;
  const std::vector<float> grades(5);
  const RankedList list{
      .scores = kScores, .grades = grades, .document_ids = {}, .missed_grades = {}};
  const Ranking averaged =
      rank_documents(list, {.ties = Ties::kAverage, .depth = 1}, true, scratch);
  EXPECT_TRUE(averaged.average_ties);
  EXPECT_EQ(std::vector<std::size_t>(averaged.tie_ends.begin(), averaged.tie_ends.end()),
            (std::vector<std::size_t>{2, 3, 5}));
  const Ranking settled = rank_documents(list, {.depth = 1}, true, scratch);
  EXPECT_FALSE(settled.average_ties);
  EXPECT_TRUE(settled.tie_ends.empty());
}

TEST(RankDocuments, EqualsAStableSortAtAnyDepth) {
  EXPECT_TRUE(rc::check("prefix of std::stable_sort", [](std::vector<std::uint8_t> raw) {
    const std::vector<double> scores(raw.begin(), raw.end());
    const auto depth = *rc::gen::inRange<std::size_t>(1, 60);
    std::vector<float> expected(scores.size());
    std::iota(expected.begin(), expected.end(), 0.0F);
    std::ranges::stable_sort(expected, std::greater{},
                             [&](float slot) { return scores[static_cast<std::size_t>(slot)]; });
    expected.resize(std::min(depth, expected.size()));
    RC_ASSERT(order_of(scores, {.depth = depth}) == expected);
  }));
}

TEST(HasTies, AgreesWithSorting) {
  RankingScratch scratch;  // shared, so that old entries would show
  EXPECT_TRUE(rc::check("adjacent equal scores after sorting", [&](std::vector<std::uint16_t> raw) {
    std::vector<double> scores(raw.begin(), raw.end());
    const bool found = has_ties(scores, scratch);
    std::ranges::sort(scores);
    RC_ASSERT(found == (std::ranges::adjacent_find(scores) != scores.end()));
  }));
  EXPECT_TRUE(has_ties(std::vector<double>{0.0, -0.0}, scratch));
}

}  // namespace
}  // namespace glassrank
