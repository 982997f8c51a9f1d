#include "glassrank/data/judged_run.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace glassrank {
namespace {

const char* const kQrels =
    "q1 0 a 2\n"
    "q1 0 b 0\n"
    "q1 0 c 1\n"
    "q2 0 a -2\n"
    "q3 0 z 1\n";
const char* const kRun =
    "q4 Q0 a 1 9 t\n"
    "q2 Q0 a 1 5 t\n"
    "q1 Q0 x 1 3.5 t\n"
    "q1 Q0 c 2 2.5 t\n";

TEST(JoinRun, GivesEveryRetrievedDocumentItsGrade) {
  const JudgedRun joined = join_run(parse_qrels(kQrels, "q"), parse_run(kRun, "r"));
  ASSERT_EQ(joined.queries.size(), 2U);
  const JudgedQuery& first = joined.queries[0];
  EXPECT_EQ(first.id, "q1");
  EXPECT_EQ(first.documents, (std::vector<std::string>{"x", "c"}));
  EXPECT_EQ(first.scores, (std::vector<double>{3.5, 2.5}));
  EXPECT_EQ(first.grades, (std::vector<double>{0, 1}));
  EXPECT_EQ(first.judged, (std::vector<bool>{false, true}));
  EXPECT_EQ(first.missed_grades, (std::vector<double>{2, 0}));
  const JudgedQuery& second = joined.queries[1];
  EXPECT_EQ(second.id, "q2");
  EXPECT_EQ(second.grades, (std::vector<double>{-2}));
  EXPECT_TRUE(second.missed_grades.empty());
}

TEST(JoinRun, CountsQueriesThatOnlyOneSideHas) {
  const JudgedRun joined = join_run(parse_qrels(kQrels, "q"), parse_run(kRun, "r"));
  EXPECT_EQ(joined.num_not_retrieved, 1U);  // q3
  EXPECT_EQ(joined.num_not_judged, 1U);     // q4
}

TEST(JoinRun, KeepsJudgedQueriesOutsideTheRunIfAskedTo) {
  const JudgedRun joined =
      join_run(parse_qrels(kQrels, "q"), parse_run(kRun, "r"), {.complete = true});
  ASSERT_EQ(joined.queries.size(), 3U);
  EXPECT_EQ(joined.num_not_retrieved, 1U);
  EXPECT_EQ(joined.queries[2].id, "q3");
  EXPECT_TRUE(joined.queries[2].documents.empty());
  EXPECT_EQ(joined.queries[2].missed_grades, (std::vector<double>{1}));
}

// The oracle is a map from document to grade.
TEST(JoinRun, AgreesWithAMapOfTheJudgements) {
  EXPECT_TRUE(rc::check([](const std::map<std::uint8_t, std::int8_t>& judgements,
                           const std::map<std::uint8_t, double>& retrieved) {
    RC_PRE(!judgements.empty() && !retrieved.empty());
    std::string qrels;
    std::string run;
    for (const auto& [document, grade] : judgements) {
      qrels += fmt::format("q 0 d{} {}\n", document, static_cast<int>(grade));
    }
    for (const auto& [document, score] : retrieved) {
      run += fmt::format("q Q0 d{} 1 {} t\n", document, score);
    }
    const JudgedRun joined = join_run(parse_qrels(qrels, "q"), parse_run(run, "r"));
    RC_ASSERT(joined.queries.size() == 1U);
    const JudgedQuery& query = joined.queries[0];
    std::size_t i = 0;
    for (const auto& [document, score] : retrieved) {
      const auto found = judgements.find(document);
      RC_ASSERT(query.documents[i] == fmt::format("d{}", document));
      RC_ASSERT(query.scores[i] == score);
      RC_ASSERT(query.judged[i] == (found != judgements.end()));
      RC_ASSERT(query.grades[i] == (found == judgements.end() ? 0.0 : found->second));
      ++i;
    }
    std::vector<double> missed;
    for (const auto& [document, grade] : judgements) {
      if (!retrieved.contains(document)) missed.push_back(grade);
    }
    RC_ASSERT(query.missed_grades == missed);
  }));
}

}  // namespace
}  // namespace glassrank
