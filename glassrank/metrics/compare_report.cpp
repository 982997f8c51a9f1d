#include "glassrank/metrics/compare_report.h"

#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"

namespace glassrank {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string columns_text(Rows rows) {
  TextColumns table;
  for (std::vector<std::string>& row : rows) table.add(std::move(row));
  return table.text();
}

// Columns of means are numbers: to the right.
std::string markdown_text(const Rows& rows, const std::vector<bool>& is_right) {
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "|";
    for (const std::string& cell : rows[r]) {
      text += ' ';
      for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
      text += " |";
    }
    text += '\n';
    if (r > 0) continue;
    text += "|";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      text += c < is_right.size() && is_right[c] ? "---:|" : "---|";
    }
    text += '\n';
  }
  return text;
}

std::string interval_text(const Interval& interval) {
  return fmt::format("{:.4f} .. {:.4f}", interval.low, interval.high);
}

Rows summary_rows(const Comparison& comparison) {
  Rows table;
  std::vector<std::string> header = {"#", "system"};
  for (const MetricComparison& metric : comparison.metrics) {
    header.push_back(metric.metric);
    header.push_back(fmt::format("{:.4g}% interval", 100 * (1 - comparison.params.alpha)));
  }
  table.push_back(std::move(header));
  for (std::size_t s = 0; s < comparison.systems.size(); ++s) {
    std::vector<std::string> row = {system_letter(s), comparison.systems[s]};
    for (const MetricComparison& metric : comparison.metrics) {
      const std::string letters = letters_beaten(metric, s);
      row.push_back(
          fmt::format("{:.4f}{}{}", metric.systems[s].mean, letters.empty() ? "" : " ", letters));
      row.push_back(interval_text(metric.systems[s].interval));
    }
    table.push_back(std::move(row));
  }
  return table;
}

Rows pair_rows(const Comparison& comparison, const MetricComparison& metric) {
  const bool one_sided = comparison.params.test != SignificanceTest::kTukey;
  Rows table;
  std::vector<std::string> header = {"pair", "difference", "interval", "p"};
  if (one_sided) header.insert(header.end(), {"p better", "p worse", "corrected"});
  header.insert(header.end(), {"win/tie/loss", ""});
  table.push_back(std::move(header));
  for (const PairComparison& pair : metric.pairs) {
    std::vector<std::string> row = {
        fmt::format("{} - {}", comparison.systems[pair.a], comparison.systems[pair.b]),
        fmt::format("{:+.4f}", pair.mean_difference), interval_text(pair.interval),
        p_text(pair.p.two_sided)};
    if (one_sided) {
      row.insert(row.end(),
                 {p_text(pair.p.greater), p_text(pair.p.less), p_text(pair.corrected_p)});
    }
    row.push_back(fmt::format("{}/{}/{}", pair.counts.wins, pair.counts.ties, pair.counts.losses));
    row.push_back(pair.significant ? "*" : "");
    table.push_back(std::move(row));
  }
  return table;
}

std::string_view test_name(SignificanceTest test) {
  switch (test) {
    case SignificanceTest::kFisher:
      return "Fisher randomisation";
    case SignificanceTest::kStudent:
      return "paired Student t";
    case SignificanceTest::kWilcoxon:
      return "Wilcoxon signed-rank";
    case SignificanceTest::kTukey:
      return "Tukey HSD";
  }
  return "";
}

}  // namespace

std::string p_text(double p) {
  if (std::isnan(p)) return "-";
  return p < 0.0001 ? fmt::format("{:.1e}", p) : fmt::format("{:.4f}", p);
}

std::string system_letter(std::size_t system) {
  std::string letter;
  for (std::size_t rest = system + 1; rest > 0; rest = (rest - 1) / 26) {
    letter.insert(letter.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return letter;
}

std::string letters_beaten(const MetricComparison& metric, std::size_t system) {
  const std::size_t num_systems = metric.systems.size();
  const std::string_view separator = num_systems > 26 ? "," : "";
  std::string letters;
  for (std::size_t other = 0; other < num_systems; ++other) {
    if (other == system || !metric.beats(system, other)) continue;
    if (!letters.empty()) letters += separator;
    letters += system_letter(other);
  }
  return letters;
}

std::string test_description(const CompareParams& params) {
  std::string text(test_name(params.test));
  if (params.test == SignificanceTest::kTukey) {
    return text + (params.blocks ? ", queries as blocks" : ", without blocks");
  }
  if (params.test == SignificanceTest::kFisher) {
    text += fmt::format(", {} permutations", params.permutations);
  }
  switch (params.correction) {
    case Correction::kHolm:
      return text + ", Holm-corrected";
    case Correction::kBonferroni:
      return text + ", Bonferroni-corrected";
    case Correction::kNone:
      return text + ", not corrected";
  }
  return text;
}

namespace {

std::string heading_of(const MetricComparison& metric) {
  std::string text = fmt::format("{} over {} queries", metric.metric, metric.num_queries);
  if (metric.num_skipped > 0) text += fmt::format(" ({} skipped)", metric.num_skipped);
  return text;
}

std::string footer_of(const Comparison& comparison) {
  std::string text = fmt::format("\n{}. * and letters (systems beaten): p <= {}.\n",
                                 test_description(comparison.params), comparison.params.alpha);
  if (!comparison.short_convention.empty()) {
    text += fmt::format("{}.\n", comparison.short_convention);
  } else if (!comparison.convention.empty()) {
    text += fmt::format("Convention {}.\n", comparison.convention);
  }
  return text;
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
  std::string text = columns_text(summary_rows(comparison));
  for (const MetricComparison& metric : comparison.metrics) {
    text +=
        fmt::format("\n{}\n{}", heading_of(metric), columns_text(pair_rows(comparison, metric)));
  }
  return text + footer_of(comparison);
}

std::string comparison_markdown(const Comparison& comparison) {
  std::vector<bool> is_right = {false, false};
  for (std::size_t m = 0; m < comparison.metrics.size(); ++m) {
    is_right.insert(is_right.end(), {true, false});
  }
  std::string text = markdown_text(summary_rows(comparison), is_right);
  for (const MetricComparison& metric : comparison.metrics) {
    text += fmt::format("\n{}\n\n{}", heading_of(metric),
                        markdown_text(pair_rows(comparison, metric), {false, true}));
  }
  return text + footer_of(comparison);
}

}  // namespace glassrank
