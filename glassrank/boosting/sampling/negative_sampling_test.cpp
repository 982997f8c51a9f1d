#include "glassrank/boosting/sampling/negative_sampling.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/boosting/gradients.h"
#include "glassrank/boosting/sampling/pick_documents.h"
#include "glassrank/objectives/lambdarank.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::make_binned;
using testing::with_threads;

std::vector<double> some_scores(std::size_t n) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i) scores.push_back(CounterRandom(3, "scores").normal(i));
  return scores;
}

TEST(NegativeSampling, SeesEverythingFirstAndKeepsASampleUntilTheNext) {
  const BinnedDataset data = make_binned({});
  const Context context = with_threads(2);
  NegativeSampling sampler({.factors = {.top = 0.2}, .every = 3});
  sampler.prepare(data);
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
    sampler.prepare(data);
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
    std::vector<std::uint32_t> positives;
    for (std::uint32_t i = 0; i < range.size(); ++i) {
      if (data.grades()[range.begin + i] > 0) positives.push_back(i);
    }
    const auto slots = pick_documents(
        {.count = {.factors = params.factors}},
        {.positives = positives, .scores = std::span(scores).subspan(range.begin, range.size())},
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
  sampler.prepare(data);
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

TEST(NegativeSampling, CallsNegativeWhatTheGradeSays) {
  const BinnedDataset data = make_binned({});
  const std::vector<double> scores = some_scores(data.num_rows());
  const Context context = with_threads(1);
  NegativeSampling sampler({.factors = {}, .min_negatives = 0, .negative_grade = 2});
  sampler.prepare(data);
  std::vector<std::uint32_t> rows;
  sampler.select_documents({.round = 1, .data = data, .scores = scores, .context = context}, rows);
  std::vector<std::uint32_t> above;
  for (std::uint32_t r = 0; r < data.num_rows(); ++r) {
    if (data.grades()[r] > 2) above.push_back(r);
  }
  EXPECT_EQ(rows, above);
}

// Lambdas of a sampled list are those of the list cut by hand: ranks are ranks in the sample, rows
// are found again behind other queries, and the ideal DCG is the full list's.
TEST(NegativeSampling, GivesTheGradientsOfTheListCutByHand) {
  const BinnedDataset data = make_binned({.num_queries = 12, .query_size = 40});
  const std::vector<double> scores = some_scores(data.num_rows());
  const Context context = with_threads(2);
  NegativeSampling sampler({.factors = {.top = 0.3, .bottom = 0.1}});
  sampler.prepare(data);
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
    std::vector<float> cut_grades;
    std::vector<double> cut_scores;
    const std::size_t first = at;
    for (; at < rows.size() && rows[at] < data.queries().rows(q).end; ++at) {
      cut_grades.push_back(data.grades()[rows[at]]);
      cut_scores.push_back(scores[rows[at]]);
    }
    // A data set of its own: its ideal DCG must come out the same.
    const std::size_t size = cut_grades.size();
    const QueryGroups alone({"q"}, std::vector<std::size_t>{size});
    Lambdarank own({.pair_truncation = 5, .ideal_truncation = 0});
    own.prepare({.grades = cut_grades, .weights = {}, .queries = alone});
    std::vector<float> g(size);
    std::vector<float> h(size);
    ObjectiveScratch scratch;
    own.gradients({.query = 0, .round = 0, .grades = cut_grades, .scores = cut_scores}, scratch,
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
