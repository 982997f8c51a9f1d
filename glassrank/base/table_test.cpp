#include "glassrank/base/table.h"

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/base/fixed_text.h"
#include "glassrank/base/json.h"

namespace glassrank {
namespace {

Table example() {
  Table table({{.name = "query"},
               {.name = "num_trees"},
               {.name = "ndcg"},
               {.name = "share", .notation = Notation::kPercent, .digits = 1},
               {.name = "p", .notation = Notation::kSignificant, .digits = 2}});
  table.add({cell("0012"), cell(3), cell(0.123456789), cell(0.05), cell(0.00123)});
  table.add({cell("a|b\tc"), {}, cell(std::numeric_limits<double>::quiet_NaN()), {}, {}});
  return table;
}

TEST(FixedText, HasNoSignBeforeZero) {
  EXPECT_EQ(fixed_text(-0.0004, 3), "0.000");
  EXPECT_EQ(fixed_text(-0.4, 0), "0");
  EXPECT_EQ(fixed_text(-0.0006, 3), "-0.001");
  EXPECT_EQ(fixed_text(-10, 0), "-10");
}

TEST(Table, ShowsAsManyDigitsAsTheColumnSays) {
  EXPECT_EQ(table_text(example()),
            "query  num_trees    ndcg  share       p\n"
            "0012           3  0.1235  5.0 %  0.0012\n"
            "a|b c                  -\n");
}

TEST(Table, KeepsFullPrecisionInTsv) {
  EXPECT_EQ(table_tsv(example()),
            "query\tnum_trees\tndcg\tshare\tp\n"
            "0012\t3\t0.123456789\t0.05\t0.00123\n"
            "a|b c\t\tnan\t\t\n");
}

TEST(Table, KeepsTextAsTextInJson) {
  EXPECT_EQ(table_json(example()).dump(),
            R"([{"query":"0012","num_trees":3,"ndcg":0.123456789,"share":0.05,"p":0.00123},)"
            R"({"query":"a|b\tc","num_trees":null,"ndcg":null,"share":null,"p":null}])");
}

TEST(Table, EscapesBarsInMarkdown) {
  EXPECT_EQ(table_markdown(example()),
            "| query | num_trees | ndcg | share | p |\n|---|---:|---:|---:|---:|\n"
            "| 0012 | 3 | 0.1235 | 5.0 % | 0.0012 |\n"
            "| a\\|b c |  | - |  |  |\n");
}

TEST(Table, ShowsTheShortestNumberWhereAsked) {
  Table table({{.name = "x", .notation = Notation::kShortest}});
  table.add({cell(0.1 + 0.2)});
  table.add({cell(2.0)});
  EXPECT_EQ(table.shown(0, 0), "0.30000000000000004");
  EXPECT_EQ(table.shown(1, 0), "2");
}

TEST(Table, WritesASingleAsItsOwnShortestText) {
  Table table({{.name = "grade"}, {.name = "rate", .notation = Notation::kPercent, .digits = -1}});
  table.add({cell(0.1F), cell(0.075)});
  EXPECT_EQ(table_tsv(table), "grade\trate\n0.1\t0.075\n");
  EXPECT_EQ(table.shown(0, 0), "0.1");
  EXPECT_EQ(table.shown(0, 1), "7.5 %");
}

}  // namespace
}  // namespace glassrank
