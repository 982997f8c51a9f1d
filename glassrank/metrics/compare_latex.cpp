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

std::string latex_mean(const MetricComparison& metric, std::size_t system) {
  const auto best = std::ranges::max(metric.systems, {}, &SystemMean::mean).mean;
  const double mean = metric.systems[system].mean;
  std::string text = fmt::format("{:.4f}", mean);
  if (mean == best) text = fmt::format("\\textbf{{{}}}", text);
  const std::string letters = letters_beaten(metric, system);
  return letters.empty() ? text : fmt::format("{}$^{{{}}}$", text, letters);
}

}  // namespace

std::string comparison_latex(const Comparison& comparison) {
  std::string text = fmt::format(
      "% \\usepackage{{booktabs}}\n"
      "\\begin{{table}}\n\\centering\n"
      "\\caption{{Mean effectiveness; best in bold. Superscripts: significantly better than the "
      "system of that letter ({}, $p \\le {}$).}}\n"
      "\\begin{{tabular}}{{ll{}}}\n\\toprule\n\\# & System",
      test_description(comparison.params), comparison.params.alpha,
      std::string(comparison.metrics.size(), 'l'));
  for (const MetricComparison& metric : comparison.metrics) {
    text += " & " + latex_escaped(metric.metric);
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
