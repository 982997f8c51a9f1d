#include "glassrank/methods/cleaners/outliers.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glassrank {
namespace {

using Slots = std::vector<std::uint32_t>;

constexpr OutlierRule kPaper4{.definition = OutlierDefinition::kPaper, .cutoff = 4};
constexpr OutlierRule kReleased4{.definition = OutlierDefinition::kReleased, .cutoff = 4};

// Grades in the order of the ranking: slot = rank.
Slots outliers_of(const std::vector<float>& ranked, const OutlierRule& rule) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < ranked.size(); ++i) scores.push_back(-static_cast<double>(i));
  return find_outliers(ranked, scores, rule);
}

// Figure 1, top: the document at rank 3 takes a place among the first 4 that the relevant one at
// rank 6 might have.
TEST(Outliers, AreTheTwoDocumentsOfThePapersFigure) {
  EXPECT_EQ(outliers_of({1, 2, 0, 1, 0, 3, 0}, kPaper4), (Slots{2, 5}));
}

// Figure 1, bottom: the top is full of relevant documents, or holds all of them.
TEST(Outliers, MisrankedDocumentsAreNone) {
  EXPECT_EQ(outliers_of({1, 1, 2, 1, 0, 3, 0}, kPaper4), Slots{});
  EXPECT_EQ(outliers_of({0, 1, 0, 3, 0, 0, 0}, kPaper4), Slots{});
}

TEST(Outliers, TheReleasedTestTakesMisrankedDocumentsToo) {
  // A relevant document below the top and below any other: rank 6 is under the 0 at rank 5.
  EXPECT_EQ(outliers_of({1, 1, 2, 1, 0, 3, 0}, kReleased4), (Slots{5}));
  // ... but not when it is above the first 0.
  EXPECT_EQ(outliers_of({1, 1, 2, 1, 3, 0, 0}, kReleased4), Slots{});
  // Any 0 in the top above any relevant document: ranks 1 and 3, not the last.
  EXPECT_EQ(outliers_of({0, 1, 0, 3, 0, 0, 0}, kReleased4), (Slots{0, 2}));
  // Without a 0 the lowest grade stands in for it, as in the authors' program.
  EXPECT_EQ(outliers_of({2, 2, 1, 2, 2, 1}, kReleased4), (Slots{4, 5}));
  EXPECT_EQ(outliers_of({2, 2, 1, 2, 2, 1}, kPaper4), Slots{});
}

TEST(Outliers, GradesUpToTheNegativeOneAreNotRelevant) {
  const std::vector<float> ranked = {2, 1, 2, 2, 1, 2};
  EXPECT_EQ(outliers_of(ranked, kPaper4), Slots{});
  EXPECT_EQ(outliers_of(ranked, {.cutoff = 4, .negative_grade = 1}), (Slots{1, 5}));
}

TEST(Outliers, AFractionalGradeEqualToTheLimitIsNotRelevant) {
  // 0.1 as float32 is above 0.1 as double.
  EXPECT_EQ(outliers_of({0.1F, 1}, {.cutoff = 1, .negative_grade = 0.1}), (Slots{0, 1}));
  EXPECT_EQ(outliers_of({1, 0.1F}, {.cutoff = 1, .negative_grade = 0.1}), Slots{});
}

TEST(Outliers, EqualScoresRankInInputOrder) {
  const std::vector<float> grades = {0, 1, 1};
  const std::vector<double> scores = {5, 5, 5};
  // Slot 0 is first: it keeps the others out.
  EXPECT_EQ(find_outliers(grades, scores, {.cutoff = 1}), (Slots{0, 1, 2}));
  const std::vector<float> other = {1, 1, 0};
  EXPECT_EQ(find_outliers(other, scores, {.cutoff = 1}), Slots{});
}

TEST(Outliers, ListsNotLongerThanTheTopHaveNoneInThePapersSense) {
  EXPECT_EQ(outliers_of({0, 0, 1}, kPaper4), Slots{});
  EXPECT_EQ(outliers_of({0, 0, 0, 1}, kPaper4), Slots{});
  // Released: the 0s are above a relevant document.
  EXPECT_EQ(outliers_of({0, 0, 1}, kReleased4), (Slots{0, 1}));
  EXPECT_EQ(outliers_of({}, kPaper4), Slots{});
  EXPECT_EQ(outliers_of({}, kReleased4), Slots{});
}

TEST(Outliers, NeedDocumentsOfBothKinds) {
  const std::vector<float> zeros(7, 0);
  const std::vector<float> ones(7, 1);
  EXPECT_EQ(outliers_of(zeros, kPaper4), Slots{});
  EXPECT_EQ(outliers_of(ones, kPaper4), Slots{});
  EXPECT_EQ(outliers_of(zeros, kReleased4), Slots{});
  // Here the released test goes by the lowest grade, which is everywhere.
  EXPECT_EQ(outliers_of(ones, kReleased4), (Slots{4, 5, 6}));
}

struct List {
  std::vector<float> grades;
  std::vector<double> scores;
  OutlierRule rule;
};

List random_list() {
  const auto size = *rc::gen::inRange<std::size_t>(0, 30);
  List list;
  for (std::size_t i = 0; i < size; ++i) {
    list.grades.push_back(static_cast<float>(*rc::gen::inRange(0, 4)));
    list.scores.push_back(*rc::gen::inRange(0, 12));  // with ties
  }
  list.rule.cutoff = *rc::gen::inRange<std::size_t>(1, 15);
  list.rule.negative_grade = *rc::gen::inRange(0, 3);
  return list;
}

RC_GTEST_PROP(Outliers, ReleasedOnesIncludeThePapers, ()) {
  List list = random_list();
  list.rule.definition = OutlierDefinition::kPaper;
  const Slots paper = find_outliers(list.grades, list.scores, list.rule);
  list.rule.definition = OutlierDefinition::kReleased;
  const Slots released = find_outliers(list.grades, list.scores, list.rule);
  RC_ASSERT(std::ranges::includes(released, paper));
}

// If there is an outlier of one kind there is one of the other: they hold each other's place.
RC_GTEST_PROP(Outliers, OfThePaperComeInBothKinds, ()) {
  const List list = random_list();
  bool has_positive = false;
  bool has_negative = false;
  for (const std::uint32_t slot : find_outliers(list.grades, list.scores, list.rule)) {
    (list.grades[slot] > list.rule.negative_grade ? has_positive : has_negative) = true;
  }
  RC_ASSERT(has_positive == has_negative);
}

}  // namespace
}  // namespace glassrank
