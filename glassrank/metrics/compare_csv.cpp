#include <iterator>
#include <string>

#include <fmt/format.h>

#include "glassrank/metrics/compare_report.h"

namespace glassrank {
namespace {

// In quotes where a comma, a quote or a line's end asks for them.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string names_beaten(const Comparison& comparison, const MetricComparison& metric,
                         std::size_t system) {
  std::string names;
  for (std::size_t other = 0; other < comparison.systems.size(); ++other) {
    if (other == system || !metric.beats(system, other)) continue;
    names += fmt::format("{}{}", names.empty() ? "" : " ", comparison.systems[other]);
  }
  return names;
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  std::string text = "metric,system,mean,interval_low,interval_high,num_queries,beats\n";
  for (const MetricComparison& metric : comparison.metrics) {
    for (std::size_t s = 0; s < comparison.systems.size(); ++s) {
      const SystemMean& mean = metric.systems[s];
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", csv_text(metric.metric),
                     csv_text(comparison.systems[s]), mean.mean, mean.interval.low,
                     mean.interval.high, metric.num_queries,
                     csv_text(names_beaten(comparison, metric, s)));
    }
  }
  return text;
}

}  // namespace glassrank
