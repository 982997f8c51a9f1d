#include "glassrank/data/io/trec.h"

#include <array>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

std::string qrels_message(std::string_view text) {
  return message_of([&] { parse_qrels(text, "q.txt"); });
}
std::string run_message(std::string_view text) {
  return message_of([&] { parse_run(text, "r.txt"); });
}

TEST(Qrels, AreGroupedByQueryInOrderOfFirstAppearance) {
  const Qrels qrels = parse_qrels(
      "\xEF\xBB\xBF# judged in 2024\n"
      "7 0 doc-b 1\r\n"
      "\n"
      "3\t0\tdoc-a\t+2\n"
      "  # late additions\n"
      "7 0 doc-a -2",
      "q.txt");
  ASSERT_EQ(qrels.queries.num_queries(), 2U);
  EXPECT_EQ(qrels.queries.id(0), "7");
  EXPECT_EQ(qrels.queries.rows(0).size(), 2U);
  EXPECT_EQ(qrels.documents[0], "doc-b");
  EXPECT_EQ(qrels.documents[1], "doc-a");
  EXPECT_EQ(qrels.documents[2], "doc-a");
  EXPECT_EQ(qrels.grades, (std::vector<double>{1, -2, 2}));
}

TEST(Run, KeepsDocumentsScoresAndTheFirstTag) {
  const auto run = parse_run(
      "q1 Q0 b 1 2.5 bm25\n"
      "q2 Q0 a 1 -inf other\n"
      "q1 Q0 #a 2 1e-3 bm25\n",
      "r.txt");
  ASSERT_EQ(run.queries.num_queries(), 2U);
  EXPECT_EQ(run.tag, "bm25");
  EXPECT_EQ(run.documents[1], "#a");
  EXPECT_EQ(run.scores, (std::vector<double>{2.5, 1e-3, -std::numeric_limits<double>::infinity()}));
}

TEST(Qrels, SayWhatIsWrong) {
  EXPECT_EQ(qrels_message(""), "q.txt: no lines; a line is: query iteration document grade");
  EXPECT_EQ(qrels_message("# only this\n"), qrels_message(""));
  EXPECT_EQ(qrels_message("1 0 a 1\n1 0 b\n"),
            "q.txt:2:6: 3 columns; a line has 4: query iteration document grade");
  EXPECT_EQ(qrels_message("1 0 a 1 x y\n"),
            "q.txt:1:9: 6 columns; a line has 4: query iteration document grade; a run has 6: "
            "judgements come first, as in glassrank evaluate QRELS RUN, or after --qrels");
  EXPECT_EQ(qrels_message("1 0 a yes\n"), "q.txt:1:7: 'yes' is not a number; a grade is expected");
  EXPECT_EQ(qrels_message("1 0 a 1x\n"), "q.txt:1:7: '1x' is not a number; a grade is expected");
  EXPECT_EQ(qrels_message("1 0 a nan\n"),
            "q.txt:1:7: 'nan' cannot be a grade; it must be a finite number");
  EXPECT_EQ(qrels_message("1 0 a inf\n"),
            "q.txt:1:7: 'inf' cannot be a grade; it must be a finite number");
  EXPECT_EQ(qrels_message("1 0 a 1\n2 0 a 1\n1 0 b 1\n1 0 a 1\n"),
            "q.txt:4:5: document 'a' comes up again in query '1'; it may come once");
}

TEST(Qrels, ReportTheFirstRepeatedDocumentOfTheFile) {
  EXPECT_EQ(qrels_message("1 0 a 1\n2 0 b 1\n2 0 b 1\n1 0 a 1\n"),
            "q.txt:3:5: document 'b' comes up again in query '2'; it may come once");
}

TEST(Run, SaysWhatIsWrong) {
  EXPECT_EQ(run_message(""), "r.txt: no lines; a line is: query Q0 document rank score tag");
  EXPECT_EQ(run_message("1 Q0 a 1 2.5\n"),
            "r.txt:1:13: 5 columns; a line has 6: query Q0 document rank score tag");
  EXPECT_EQ(run_message("1 Q0 a 1 high t\n"),
            "r.txt:1:10: 'high' is not a number; a score is expected");
  EXPECT_EQ(run_message("1 Q0 a 1 NaN t\n"),
            "r.txt:1:10: 'NaN' cannot be a score; it must be a number");
  EXPECT_EQ(run_message("1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n"),
            "r.txt:2:6: document 'a' comes up again in query '1'; it may come once");
}

class RunFile : public testing::Test {
 protected:
  ~RunFile() override { std::filesystem::remove(path_); }
  std::string path_ = testing::TempDir() + "glassrank_trec_test.run";
};

Run small_run(std::string_view query, std::string_view first, std::string_view tag) {
  StringColumnBuilder documents;
  for (const std::string_view id : {first, std::string_view("b"), std::string_view("c")}) {
    documents.add(id);
  }
  return {.queries = QueryGroups({std::string(query)}, std::array<std::size_t, 1>{3}),
          .documents = documents.finish(),
          .scores = {0.5, 2, 0.5},
          .tag = std::string(tag)};
}

TEST_F(RunFile, IsWrittenByDescendingScore) {
  EXPECT_EQ(run_text(small_run("q", "a", "mine")),
            "q Q0 b 1 2 mine\n"
            "q Q0 a 2 0.5 mine\n"
            "q Q0 c 3 0.5 mine\n");
}

TEST_F(RunFile, CannotHoldEveryId) {
  const std::string rule = " cannot stand in a TREC file; it must not be empty or have white space";
  EXPECT_EQ(message_of([&] { run_text(small_run("q", "a b", "t")); }), "document 'a b'" + rule);
  EXPECT_EQ(message_of([&] { run_text(small_run("", "a", "t")); }), "query ''" + rule);
  EXPECT_EQ(message_of([&] { run_text(small_run("q", "a", "t\n")); }), "tag 't\\x0a'" + rule);
  EXPECT_EQ(message_of([&] { run_text(small_run("#q", "a", "t")); }),
            "query '#q' cannot stand in a TREC file; the line would be a comment");
}

TEST_F(RunFile, IsReadBackBitForBit) {
  EXPECT_TRUE(rc::check([this](const std::vector<double>& scores) {
    RC_PRE(!scores.empty());
    std::string text;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      text += fmt::format("q{} Q0 d{} 1 {} t\n", i % 3, i, scores[i]);
    }
    const auto run = parse_run(text, "r");
    write_text_file(path_, run_text(run));
    const auto once = read_run(path_, Context{});
    RC_ASSERT(once.scores.size() == scores.size());
    for (std::size_t q = 0; q < once.queries.num_queries(); ++q) {
      const RowRange rows = once.queries.rows(q);
      for (std::size_t r = rows.begin; r < rows.end; ++r) {
        const auto number = std::stoul(std::string(once.documents[r].substr(1)));
        RC_ASSERT(once.queries.id(q) == fmt::format("q{}", number % 3));
        RC_ASSERT(once.scores[r] == scores[number]);
        // In parentheses: RapidCheck would otherwise look at both sides, whatever the first says.
        RC_ASSERT((r == rows.begin || once.scores[r - 1] >= once.scores[r]));
      }
    }
  }));
}

TEST_F(RunFile, QrelsAreReadFromFilesToo) {
  write_text_file(path_, "1 0 a 3\n");
  EXPECT_EQ(read_qrels(path_, Context{}).grades, std::vector<double>{3});
}

}  // namespace
}  // namespace glassrank
