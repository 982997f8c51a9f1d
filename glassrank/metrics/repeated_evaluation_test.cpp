#include "glassrank/metrics/repeated_evaluation.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/metrics/registry.h"
#include "testing/list_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

struct Documents {
  std::vector<float> grades;
  QueryGroups queries;
};

// Some queries are empty, some have one grade only, sizes lie on both sides of the cutoffs.
Documents make_documents(std::size_t num_queries) {
  RandomSequence random(CounterRandom(7, "repeated evaluation"));
  Documents documents;
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  for (std::size_t q = 0; q < num_queries; ++q) {
    ids.push_back(fmt::format("q{}", q));
    sizes.push_back(1 + random.below(50));
    const auto kind = random.below(5);
    for (std::size_t d = 0; d < sizes.back(); ++d) {
      documents.grades.push_back(kind == 0   ? 0.0F
                                 : kind == 1 ? 2.0F
                                             : static_cast<float>(random.below(5)));
    }
  }
  documents.queries = QueryGroups(ids, sizes);
  return documents;
}

std::vector<MetricSpec> all_metrics() {
  std::vector<MetricSpec> specs;
  for (const MetricInfo& info : metric_table()) {
    specs.push_back(parse_metric(info.name));
    if (info.has_cutoff) specs.push_back(parse_metric(std::string(info.name) + "@10"));
  }
  return specs;
}

// The same through evaluate().
std::vector<MetricValues> evaluated(const Documents& documents, std::span<const double> scores,
                                    std::span<const MetricSpec> specs,
                                    const Convention& convention) {
  std::vector<TestList> lists(documents.queries.num_queries());
  for (std::size_t q = 0; q < lists.size(); ++q) {
    const RowRange rows = documents.queries.rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      lists[q].scores.push_back(scores[r]);
      lists[q].grades.push_back(documents.grades[r]);
    }
  }
  return evaluate(TestLists(std::move(lists)), specs, convention, {}).metrics;
}

void expect_same_as_evaluate(std::span<const MetricSpec> specs, const Convention& convention) {
  const Documents documents = make_documents(150);
  RepeatedEvaluation again(documents.grades, documents.queries, specs, convention);
  RandomSequence random(CounterRandom(8, "scores"));
  std::vector<double> scores(documents.grades.size());
  for (int round = 0; round < 6; ++round) {
    // Steps as of training, then a shuffle; many scores are equal.
    for (double& score : scores) {
      score = round == 4 ? -score : score + 0.25 * static_cast<double>(random.below(6));
    }
    const auto wanted = evaluated(documents, scores, specs, convention);
    const auto found =
        again.means(scores, Context{.threads = std::make_shared<const Threads>(1 + round % 2)});
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t m = 0; m < found.size(); ++m) {
      EXPECT_EQ(found[m], wanted[m].mean) << to_text(specs[m]) << " in round " << round;
    }
  }
}

TEST(RepeatedEvaluation, HasTheBitsOfEvaluate) {
  expect_same_as_evaluate(all_metrics(), {});
  for (const MetricSpec& spec : all_metrics()) expect_same_as_evaluate({&spec, 1}, {});
}

TEST(RepeatedEvaluation, HasTheBitsOfEvaluateInOtherConventions) {
  const std::vector<MetricSpec> specs = {parse_metric("ndcg@10"), parse_metric("map@20")};
  for (const Ties ties : {Ties::kReverse, Ties::kWorst, Ties::kAverage}) {
    expect_same_as_evaluate(specs, {.ties = ties});
  }
  expect_same_as_evaluate(specs, {.empty = {.skip = true}});
  expect_same_as_evaluate(specs, {.score_precision = ScorePrecision::kFloat32});
}

TEST(RepeatedEvaluation, SettlesQueriesOfOneGrade) {
  const std::vector<float> grades = {1, 1, 0, 1, 0, 0};
  const QueryGroups queries({"a", "b", "c"}, std::vector<std::size_t>{2, 2, 2});
  const auto is_settled = [&](const char* metric) {
    const MetricSpec spec = parse_metric(metric);
    const RepeatedEvaluation found(grades, queries, {&spec, 1}, {});
    return std::vector<bool>{found.is_settled(0), found.is_settled(1), found.is_settled(2)};
  };
  EXPECT_EQ(is_settled("ndcg@10"), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(is_settled("map"), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(is_settled("kendall"), (std::vector<bool>{false, false, false})) << "looks at ties";
}

// Best first, and among equal scores the earlier: whatever order the search begins with.
TEST(RankAgain, DoesNotDependOnTheOrderBefore) {
  const std::vector<double> scores = {1, 3, 2, 3, 0, 2};
  RepeatedScratch scratch;
  for (std::vector<std::uint32_t> order :
       {std::vector<std::uint32_t>{0, 1, 2, 3}, {5, 4, 3, 2}, {4, 0, 5, 2}, {1, 3, 2, 5}}) {
    rank_again(scores, order, scratch);
    EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 3, 2, 5}));
  }
  std::vector<std::uint32_t> all = {5, 4, 3, 2, 1, 0};
  rank_again(scores, all, scratch);
  EXPECT_EQ(all, (std::vector<std::uint32_t>{1, 3, 2, 5, 0, 4}));
}

TEST(RepeatedEvaluation, NamesWhatItCannotUse) {
  const QueryGroups queries({"a", "b"}, std::vector<std::size_t>{2, 2});
  const std::vector<MetricSpec> specs = {parse_metric("ndcg@10")};
  const std::vector<float> grades = {0, 1, 1, 0};
  RepeatedEvaluation again(grades, queries, specs, {});
  const std::vector<double> scores = {1, 2, 3, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(message_of([&] { again.means(scores, {}); }),
            "query b, document 2: the score is not a number");
  EXPECT_EQ(message_of([&] { again.means(scores, {}, [](std::size_t) { return "d7"; }); }),
            "query b, document d7: the score is not a number");
  const std::vector<float> large = {0, 1, 2000, 0};
  EXPECT_TRUE(message_of([&] {
                RepeatedEvaluation(large, queries, specs, {});
              }).starts_with("query b: grade 2000 is too large"));
}

}  // namespace
}  // namespace glassrank
