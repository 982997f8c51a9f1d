#pragma once
// A Comparison as text for people, and as tables of LaTeX, Markdown and CSV.
//
// Table and LaTeX mark a mean with the letters of the systems it significantly beats, the layout of
// ranx (Bassani, ECIR 2022). Letters run a..z, then aa, ab, ...; several letters of one mark are
// separated by commas once a letter has two characters. Means have 4 digits.

#include <cstddef>
#include <string>

#include "glassrank/metrics/compare.h"

namespace glassrank {

std::string comparison_table(const Comparison& comparison);
// The same tables in Markdown.
std::string comparison_markdown(const Comparison& comparison);
// A row a metric and system: its mean, interval and the names of the systems it beats, separated by
// blanks; full precision.
std::string comparison_csv(const Comparison& comparison);

struct LatexParams {
  std::string caption;  // LaTeX as it is; empty: one that explains the marks
  std::string label = "tab:comparison";
};
// A complete `table` environment, means aligned at the decimal point; needs the booktabs package.
std::string comparison_latex(const Comparison& comparison, const LatexParams& params = {});

// "0.0312", small ones as "1.0e-05", "-" for none.
std::string p_text(double p);
// "Fisher randomisation, 100000 permutations, Holm-corrected": what the p-values are.
std::string test_description(const CompareParams& params);
// The letters of the systems that `system` significantly beats: "bd".
std::string letters_beaten(const MetricComparison& metric, std::size_t system);
// 0 -> "a", 25 -> "z", 26 -> "aa".
std::string system_letter(std::size_t system);

}  // namespace glassrank
