#include "glassrank/boosting/negative_sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/boosting/boosting_fixture.h"
#include "glassrank/boosting/gradients.h"
#include "glassrank/boosting/pick_kernel.h"
#include "glassrank/objectives/lambdarank.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::with_threads;

struct List {
  std::vector<float> grades;
  std::vector<double> scores;
};

// Slots kept of one query.
std::vector<std::size_t> pick(const List& list, const NegativeRule& rule, std::uint64_t lane = 0) {
  PickScratch scratch;
  const auto slots = pick_documents(rule, {.grades = list.grades, .scores = list.scores},
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

TEST(PickDocuments, CallsNegativeWhatTheGradeSays) {
  NegativeRule up_to_1 = rule({.top = 0.5});
  up_to_1.negative_grade = 1;
  EXPECT_EQ(pick(kSmall, up_to_1), (Slots{0, 1, 3, 4}));  // 3 of 3 4 0 6 2 5
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

TEST(PickKernel, FindsWhatALoopFinds) {
  for (const std::size_t n : {0, 1, 7, 8, 15, 16, 17, 100, 333}) {
    std::vector<float> grades;
    std::vector<double> scores;
    for (std::size_t i = 0; i < n; ++i) {
      grades.push_back(static_cast<float>(CounterRandom(5, "grades").below(i, 3)));
      scores.push_back(0.5 * static_cast<double>(CounterRandom(5, "scores").below(i, 9)));
    }
    std::vector<std::uint32_t> above(n + kPickPadding);
    std::vector<std::uint64_t> within(n + kPickPadding);
    above.resize(find_above(grades, 1, above.data()));
    within.resize(find_within(scores, {.low = 1, .high = 3.5}, within.data()));
    std::vector<std::uint32_t> plain_above;
    std::vector<std::uint64_t> plain_within;
    for (std::size_t i = 0; i < n; ++i) {
      if (grades[i] > 1) plain_above.push_back(static_cast<std::uint32_t>(i));
      if (scores[i] >= 1 && scores[i] <= 3.5) plain_within.push_back(i);
    }
    EXPECT_EQ(above, plain_above);
    EXPECT_EQ(within, plain_within);
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

std::vector<double> some_scores(std::size_t n) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i) scores.push_back(CounterRandom(3, "scores").normal(i));
  return scores;
}

TEST(NegativeSampling, SeesEverythingFirstAndKeepsASampleUntilTheNext) {
  const BinnedDataset data = make_binned({});
  const Context context = with_threads(2);
  NegativeSampling sampler({.factors = {.top = 0.2}, .every = 3});
  std::vector<double> scores = some_scores(data.num_rows());
  std::vector<std::uint32_t> rows;
  const auto select = [&](std::size_t round) {
    return sampler.select_documents(
        {.round = round, .data = data, .scores = scores, .context = context}, rows);
  };
  for (const std::size_t round : {0, 1, 2}) EXPECT_FALSE(select(round));
  EXPECT_TRUE(select(3));
  const std::vector<std::uint32_t> third = rows;
  EXPECT_FALSE(third.empty());
  for (double& score : scores) score = -score;
  EXPECT_TRUE(select(4));
  EXPECT_EQ(rows, third);
  EXPECT_TRUE(select(6));
  EXPECT_NE(rows, third);
  EXPECT_TRUE(sampler.is_kept(3));
  EXPECT_FALSE(sampler.is_kept(4));
}

TEST(NegativeSampling, SelectsQueryByQueryForAnyNumberOfThreads) {
  const BinnedDataset data = make_binned({.num_queries = 70});
  const std::vector<double> scores = some_scores(data.num_rows());
  const NegativeSamplingParams params{.factors = {.top = 0.2, .bottom = 0.1, .random = 0.2}};
  std::vector<std::vector<std::uint32_t>> selected;
  for (const int threads : {1, 2, 4}) {
    NegativeSampling sampler(params);
    const Context context = with_threads(threads, 9);
    sampler.select_documents({.round = 5, .data = data, .scores = scores, .context = context},
                             selected.emplace_back());
  }
  EXPECT_EQ(selected[0], selected[1]);
  EXPECT_EQ(selected[0], selected[2]);
  EXPECT_TRUE(std::ranges::is_sorted(selected[0]));
  PickScratch scratch;
  std::vector<std::uint32_t> rows;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange range = data.queries().rows(q);
    const auto slots =
        pick_documents({.count = {.factors = params.factors}},
                       {.grades = data.grades().subspan(range.begin, range.size()),
                        .scores = std::span(scores).subspan(range.begin, range.size())},
                       CounterRandom(9, "random_negatives", std::uint64_t{5} << 32 | q), scratch);
    for (const std::uint32_t slot : slots) {
      rows.push_back(static_cast<std::uint32_t>(range.begin) + slot);
    }
  }
  EXPECT_EQ(selected[0], rows);
}

TEST(NegativeSampling, RefusesToLeaveNothing) {
  const BinnedDataset data = make_binned({.num_queries = 2, .query_size = 3});
  const std::vector<double> scores(6);
  NegativeSampling sampler({.factors = {.top = 0.01}, .negative_grade = 4});
  std::vector<std::uint32_t> rows;
  const Context context = with_threads(1);
  try {
    sampler.select_documents({.round = 1, .data = data, .scores = scores, .context = context},
                             rows);
    FAIL() << "selected nothing in silence";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_STREQ(error.what(),
                 "sampling leaves no document: no grade is above 4, and no query has enough "
                 "others; raise sample.top or set sample.min_negatives");
  }
}

// Lambdas of a sampled list are those of the list cut by hand: ranks are ranks in the sample, rows
// are found again behind other queries, and the ideal DCG is the full list's.
TEST(NegativeSampling, GivesTheGradientsOfTheListCutByHand) {
  const BinnedDataset data = make_binned({.num_queries = 12, .query_size = 40});
  const std::vector<double> scores = some_scores(data.num_rows());
  const Context context = with_threads(2);
  NegativeSampling sampler({.factors = {.top = 0.3, .bottom = 0.1}});
  std::vector<std::uint32_t> rows;
  ASSERT_TRUE(sampler.select_documents(
      {.round = 1, .data = data, .scores = scores, .context = context}, rows));
  ASSERT_LT(rows.size(), data.num_rows());
  Lambdarank objective({.pair_truncation = 5, .ideal_truncation = 0});
  objective.prepare({.grades = data.grades(), .weights = {}, .queries = data.queries()});
  std::vector<float> gradient(data.num_rows(), 77);
  std::vector<float> hessian(data.num_rows(), 77);
  compute_gradients({.data = data, .objective = objective, .scores = scores, .documents = rows},
                    {.gradient = gradient, .hessian = hessian}, context);
  std::size_t at = 0;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    List cut;
    const std::size_t first = at;
    for (; at < rows.size() && rows[at] < data.queries().rows(q).end; ++at) {
      cut.grades.push_back(data.grades()[rows[at]]);
      cut.scores.push_back(scores[rows[at]]);
    }
    // A data set of its own: its ideal DCG must come out the same.
    const std::size_t size = cut.grades.size();
    const QueryGroups alone({"q"}, std::vector<std::size_t>{size});
    Lambdarank own({.pair_truncation = 5, .ideal_truncation = 0});
    own.prepare({.grades = cut.grades, .weights = {}, .queries = alone});
    std::vector<float> g(size);
    std::vector<float> h(size);
    ObjectiveScratch scratch;
    own.gradients({.query = 0, .round = 0, .grades = cut.grades, .scores = cut.scores}, scratch,
                  {.gradient = g, .hessian = h});
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_EQ(gradient[rows[first + i]], g[i]);
      EXPECT_EQ(hessian[rows[first + i]], h[i]);
    }
  }
  EXPECT_EQ(at, rows.size());
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(gradient, 77.0F)),
            data.num_rows() - rows.size());
}

}  // namespace
}  // namespace glassrank
