#include "glassrank/boosting/sampling/pick_documents.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glassrank {
namespace {

struct List {
  std::vector<float> grades;
  std::vector<double> scores;
};

// Slots kept of one query.
std::vector<std::size_t> pick(const List& list, const NegativeRule& rule, std::uint64_t lane = 0) {
  PickScratch scratch;
  std::vector<std::uint32_t> positives;
  for (std::uint32_t i = 0; i < list.grades.size(); ++i) {
    if (list.grades[i] > 0) positives.push_back(i);
  }
  const auto slots = pick_documents(rule, {.positives = positives, .scores = list.scores},
                                    CounterRandom(1, "pick_test", lane), scratch);
  return {slots.begin(), slots.end()};
}

NegativeRule rule(const NegativeFactors& factors, NegativeBase base = NegativeBase::kRatio) {
  return {.count = {.factors = factors}, .base = base};
}

using Slots = std::vector<std::size_t>;

// By score the order is 3 1* 4 0 6 2* 5, positives starred: negatives 3 4 0 6 5.
const List kSmall{.grades = {0, 2, 1, 0, 0, 0, 0}, .scores = {4, 6, 2, 7, 5, 1, 3}};

TEST(PickDocuments, KeepsPositivesAndTheHighestNegatives) {
  EXPECT_EQ(pick(kSmall, rule({.top = 0.4})), (Slots{1, 2, 3, 4}));  // 0.4 * 5 = 2
  EXPECT_EQ(pick(kSmall, rule({.top = 0})), (Slots{1, 2}));
  EXPECT_EQ(pick(kSmall, rule({.top = 1})), (Slots{0, 1, 2, 3, 4, 5, 6}));
}

TEST(PickDocuments, KeepsTheLowestNegativesToo) {
  // 0.2 * 5 = 1 from the top, 0.4 * 5 = 2 from the bottom.
  EXPECT_EQ(pick(kSmall, rule({.top = 0.2, .bottom = 0.4})), (Slots{1, 2, 3, 5, 6}));
  EXPECT_EQ(pick(kSmall, rule({.bottom = 0.2})), (Slots{1, 2, 5}));
  // 4 from the top leave one for the bottom's 2.
  EXPECT_EQ(pick(kSmall, rule({.top = 0.8, .bottom = 0.4})), (Slots{0, 1, 2, 3, 4, 5, 6}));
}

TEST(PickDocuments, CountsByPositives) {
  EXPECT_EQ(pick(kSmall, rule({.top = 0.5}, NegativeBase::kMultiple)), (Slots{1, 2, 3}));
  EXPECT_EQ(pick(kSmall, rule({.top = 2}, NegativeBase::kMultiple)), (Slots{0, 1, 2, 3, 4, 6}));
}

TEST(PickDocuments, CountsByNegativesAboveTheLastPositive) {
  // 3, 4, 0 and 6 are above 2, the last positive: 0.5 * 4 = 2.
  EXPECT_EQ(pick(kSmall, rule({.top = 0.5}, NegativeBase::kPositives)), (Slots{1, 2, 3, 4}));
  const List first{.grades = {0, 1, 0}, .scores = {1, 3, 2}};
  EXPECT_EQ(pick(first, rule({.top = 5}, NegativeBase::kPositives)), (Slots{1}));
  const List tied{.grades = {0, 1, 0}, .scores = {1, 1, 1}};  // slot 0 comes first
  EXPECT_EQ(pick(tied, rule({.top = 1}, NegativeBase::kPositives)), (Slots{0, 1}));
  const List none{.grades = {0, 0, 0}, .scores = {1, 3, 2}};
  EXPECT_EQ(pick(none, rule({.top = 5}, NegativeBase::kPositives)), Slots{});
}

TEST(PickDocuments, LeavesTiesInInputOrder) {
  const List tied{.grades = {0, 0, 1, 0, 0}, .scores = {1, 1, 1, 1, 1}};
  EXPECT_EQ(pick(tied, rule({.top = 0.5})), (Slots{0, 1, 2}));
  EXPECT_EQ(pick(tied, rule({.top = 0.25, .bottom = 0.25})), (Slots{0, 2, 4}));
}

TEST(PickDocuments, TellsScoresApartThatAreOneFloat) {
  const double next = std::nextafter(1.0, 2.0);
  const List close{.grades = {0, 0, 0, 0}, .scores = {1, 1, next, 1}};
  EXPECT_EQ(pick(close, rule({.top = 0.25})), Slots{2});
  EXPECT_EQ(pick(close, rule({.top = 0.5})), (Slots{0, 2}));
}

TEST(PickDocuments, TakesListsWithoutNegativesOrPositives) {
  EXPECT_EQ(pick({.grades = {1, 2}, .scores = {0, 1}}, rule({.top = 0.01})), (Slots{0, 1}));
  // 0.1 * 3 = 0.3 rounds to none; a minimum of 2 keeps the two best.
  const List negatives{.grades = {0, 0, 0}, .scores = {1, 3, 2}};
  NegativeRule least = rule({.top = 0.1});
  EXPECT_EQ(pick(negatives, least), Slots{});
  least.count.min_negatives = 2;
  EXPECT_EQ(pick(negatives, least), (Slots{1, 2}));
  EXPECT_EQ(pick({}, rule({.top = 0.1})), Slots{});
}

TEST(PickDocuments, DrawsRandomOnesFromTheRestEvenly) {
  std::vector<std::size_t> drawn(7);
  constexpr std::size_t kDraws = 3000;
  for (std::uint64_t lane = 0; lane < kDraws; ++lane) {
    const Slots slots = pick(kSmall, rule({.top = 0.2, .random = 0.4}), lane);
    ASSERT_EQ(slots.size(), 5U);  // two positives, the best negative, two others
    for (const std::size_t slot : slots) ++drawn[slot];
  }
  for (const std::size_t always : {1, 2, 3}) EXPECT_EQ(drawn[always], kDraws);
  for (const std::size_t sometimes : {0, 4, 5, 6}) {  // 2 of 4: 1500, spread 27
    EXPECT_NEAR(static_cast<double>(drawn[sometimes]), 1500, 150);
  }
}

// What is kept, by a full sort.
Slots sorted_out(const List& list, const NegativeCounts& counts) {
  Slots negatives;
  Slots kept;
  for (std::size_t i = 0; i < list.grades.size(); ++i) {
    (list.grades[i] > 0 ? kept : negatives).push_back(i);
  }
  std::ranges::stable_sort(negatives, std::greater<>(),
                           [&](std::size_t i) { return list.scores[i]; });
  for (std::size_t r = 0; r < negatives.size(); ++r) {
    if (r < counts.top || r + counts.bottom >= negatives.size()) kept.push_back(negatives[r]);
  }
  std::ranges::sort(kept);
  return kept;
}

// Long lists and short ones, few distinct scores and many, few documents and most.
RC_GTEST_PROP(PickDocuments, KeepsWhatAFullSortSays, ()) {
  const auto n = *rc::gen::element<std::size_t>(1, 17, 600, 2000);
  const auto num_scores = *rc::gen::element<std::uint64_t>(1, 3, 40, 1'000'000);
  const CounterRandom random(*rc::gen::inRange<std::uint64_t>(0, 1000), "pick_lists");
  List list;
  std::size_t num_negatives = 0;
  for (std::size_t i = 0; i < n; ++i) {
    list.grades.push_back(random.uniform(2 * i) < 0.1 ? 1.0F : 0.0F);
    list.scores.push_back(1e-3 * static_cast<double>(random.below(2 * i + 1, num_scores)) - 7);
    num_negatives += list.grades.back() == 0 ? 1 : 0;
  }
  const NegativeRule shares = rule({.top = *rc::gen::element(0.0, 0.01, 0.05, 0.3, 0.8),
                                    .bottom = *rc::gen::element(0.0, 0.02, 0.1, 0.5)});
  RC_ASSERT(pick(list, shares) ==
            sorted_out(list, count_negatives(shares.count, num_negatives, num_negatives)));
}

}  // namespace
}  // namespace glassrank
