#include "glassrank/metrics/compare_report.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/base/json.h"

namespace glassrank {
namespace {

// b beats a significantly, c is not told apart from either.
Comparison example() {
  Comparison comparison;
  comparison.systems = {"base_line", "50%", "c"};
  MetricComparison metric{.metric = "ndcg@10",
                          .num_queries = 40,
                          .num_skipped = 2,
                          .systems = {{.mean = 0.25, .interval = {0.2, 0.3}},
                                      {.mean = 0.5, .interval = {0.4, 0.6}},
                                      {.mean = 0.375, .interval = {0.3, 0.45}}},
                          .pairs = {}};
  metric.pairs.push_back({.a = 0,
                          .b = 1,
                          .mean_difference = -0.25,
                          .interval = {-0.35, -0.15},
                          .statistic = -0.25,
                          .p = {.two_sided = 0.00002, .greater = 1.0, .less = 0.00001},
                          .corrected_p = 0.00006,
                          .significant = true,
                          .counts = {.wins = 5, .ties = 5, .losses = 30}});
  metric.pairs.push_back({.a = 0, .b = 2, .mean_difference = -0.125, .corrected_p = 0.5});
  comparison.metrics.push_back(metric);
  return comparison;
}

TEST(CompareReport, TableMarksTheSystemsBeaten) {
  EXPECT_EQ(comparison_table(example()),
            "#  system     ndcg@10   95% interval\n"
            "a  base_line  0.2500    0.2000 .. 0.3000\n"
            "b  50%        0.5000 a  0.4000 .. 0.6000\n"
            "c  c          0.3750    0.3000 .. 0.4500\n"
            "\n"
            "ndcg@10 over 40 queries (2 skipped)\n"
            "pair             difference  interval            p        p better  p worse  corrected"
            "  win/tie/loss\n"
            "base_line - 50%  -0.2500     -0.3500 .. -0.1500  2.0e-05  1.0000    1.0e-05  6.0e-05  "
            "  5/5/30        *\n"
            "base_line - c    -0.1250     0.0000 .. 0.0000    1.0000   1.0000    1.0000   0.5000   "
            "  0/0/0\n"
            "\n"
            "Fisher randomisation, 100000 permutations, Holm-corrected. * and letters (systems "
            "beaten): p <= 0.05.\n");
}

TEST(CompareReport, TableOfTukeyHasNoOneSidedColumns) {
  Comparison comparison = example();
  comparison.params.test = SignificanceTest::kTukey;
  const std::string text = comparison_table(comparison);
  EXPECT_EQ(text.find("p better"), std::string::npos);
  EXPECT_NE(text.find("Tukey HSD, queries as blocks"), std::string::npos);
}

TEST(CompareReport, TableNamesTheConvention) {
  Comparison comparison = example();
  comparison.convention = "lightgbm: gain exp";
  EXPECT_TRUE(comparison_table(comparison).ends_with("\nConvention lightgbm: gain exp.\n"));
  comparison.short_convention = "NDCG: 2^g - 1, as LightGBM";
  EXPECT_TRUE(comparison_table(comparison).ends_with("\nNDCG: 2^g - 1, as LightGBM.\n"));
}

TEST(CompareReport, LatexEscapesNamesAndMarksTheBest) {
  EXPECT_EQ(comparison_latex(example()),
            "% \\usepackage{booktabs}\n"
            "\\begin{table}\n\\centering\n"
            "\\caption{Mean effectiveness; best in bold. Superscripts: significantly better than "
            "the system of that letter (Fisher randomisation, 100000 permutations, "
            "Holm-corrected, $p \\le 0.05$).}\n\\label{tab:comparison}\n"
            "\\begin{tabular}{llr@{}l}\n\\toprule\n"
            "\\# & System & \\multicolumn{2}{c}{ndcg@10} \\\\\n\\midrule\n"
            "a & base\\_line & 0.2500 & \\\\\n"
            "b & 50\\% & \\textbf{0.5000} & $^{a}$ \\\\\n"
            "c & c & 0.3750 & \\\\\n"
            "\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}

TEST(CompareReport, LatexTakesCaptionAndLabel) {
  const std::string text = comparison_latex(example(), {.caption = "On $n$ sets.", .label = "t:1"});
  EXPECT_NE(text.find("\\caption{On $n$ sets.}\n\\label{t:1}\n"), std::string::npos);
}

TEST(CompareReport, CsvHasARowForEachMetricAndSystem) {
  Comparison comparison = example();
  comparison.systems[1] = "50%, \"new\"";
  EXPECT_EQ(comparison_csv(comparison),
            "metric,system,mean,interval_low,interval_high,num_queries,beats\n"
            "ndcg@10,base_line,0.25,0.2,0.3,40,\n"
            "ndcg@10,\"50%, \"\"new\"\"\",0.5,0.4,0.6,40,base_line\n"
            "ndcg@10,c,0.375,0.3,0.45,40,\n");
}

TEST(CompareReport, MarkdownHasBothTables) {
  const std::string text = comparison_markdown(example());
  EXPECT_TRUE(
      text.starts_with("| # | system | ndcg@10 | 95% interval |\n|---|---|---:|---|\n"
                       "| a | base_line | 0.2500 | 0.2000 .. 0.3000 |\n"
                       "| b | 50% | 0.5000 a | 0.4000 .. 0.6000 |\n"))
      << text;
  EXPECT_NE(text.find("| base_line - 50% | -0.2500 |"), std::string::npos) << text;
}

TEST(CompareReport, JsonHoldsEveryNumber) {
  Comparison comparison = example();
  comparison.metrics[0].pairs[1].p.greater = std::numeric_limits<double>::quiet_NaN();
  const Json json = to_json(comparison);
  EXPECT_EQ(json["test"], "fisher");
  EXPECT_EQ(json["correction"], "holm");
  EXPECT_EQ(json["systems"][1], "50%");
  const Json& metric = json["metrics"][0];
  EXPECT_EQ(metric["systems"][1]["beats"], Json::array({"base_line"}));
  EXPECT_EQ(metric["systems"][0]["interval"][1], 0.3);
  EXPECT_EQ(metric["pairs"][0]["p_corrected"], 0.00006);
  EXPECT_EQ(metric["pairs"][0]["num_losses"], 30);
  EXPECT_TRUE(metric["pairs"][1]["p_greater"].is_null());
}

TEST(CompareReport, LettersGoOnAfterZ) {
  EXPECT_EQ(system_letter(0), "a");
  EXPECT_EQ(system_letter(25), "z");
  EXPECT_EQ(system_letter(26), "aa");
  EXPECT_EQ(system_letter(26 + 26 * 26), "aaa");
}

TEST(CompareReport, DescribesTheTest) {
  EXPECT_EQ(test_description({.test = SignificanceTest::kStudent, .correction = Correction::kNone}),
            "paired Student t, not corrected");
  EXPECT_EQ(test_description(
                {.test = SignificanceTest::kWilcoxon, .correction = Correction::kBonferroni}),
            "Wilcoxon signed-rank, Bonferroni-corrected");
  EXPECT_EQ(test_description({.test = SignificanceTest::kTukey, .blocks = false}),
            "Tukey HSD, without blocks");
}

}  // namespace
}  // namespace glassrank
