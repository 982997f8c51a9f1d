#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/metrics/compare_report.h"

namespace glassrank {
namespace {

std::string latex_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      escaped += fmt::format("\\{}{{}}", c);
    } else {
      if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

// "0.4170 & $^{a}$": a column of numbers that end in the same digit, and one of marks behind it.
std::string latex_mean(const MetricComparison& metric, std::size_t system) {
  const auto best = std::ranges::max(metric.systems, {}, &SystemMean::mean).mean;
  const double mean = metric.systems[system].mean;
  std::string text = fmt::format("{:.4f}", mean);
  if (mean == best) text = fmt::format("\\textbf{{{}}}", text);
  const std::string letters = letters_beaten(metric, system);
  return letters.empty() ? text + " &" : fmt::format("{} & $^{{{}}}$", text, letters);
}

std::string usual_caption(const Comparison& comparison) {
  return fmt::format(
      "Mean effectiveness; best in bold. Superscripts: significantly better than the system of "
      "that letter ({}, $p \\le {}$).",
      test_description(comparison.params), comparison.params.alpha);
}

}  // namespace

std::string comparison_latex(const Comparison& comparison, const LatexParams& params) {
  std::string columns;
  for (std::size_t m = 0; m < comparison.metrics.size(); ++m) columns += "r@{}l";
  std::string text = fmt::format(
      "% \\usepackage{{booktabs}}\n"
      "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\label{{{}}}\n"
      "\\begin{{tabular}}{{ll{}}}\n\\toprule\n\\# & System",
      params.caption.empty() ? usual_caption(comparison) : params.caption, params.label, columns);
  for (const MetricComparison& metric : comparison.metrics) {
    text += fmt::format(" & \\multicolumn{{2}}{{c}}{{{}}}", latex_escaped(metric.metric));
  }
  text += " \\\\\n\\midrule\n";
  for (std::size_t s = 0; s < comparison.systems.size(); ++s) {
    text += fmt::format("{} & {}", system_letter(s), latex_escaped(comparison.systems[s]));
    for (const MetricComparison& metric : comparison.metrics) {
      text += " & " + latex_mean(metric, s);
    }
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

}  // namespace glassrank
