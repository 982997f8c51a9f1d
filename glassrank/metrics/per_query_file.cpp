#include "glassrank/metrics/per_query_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

constexpr std::string_view kBlanks = " \t\r";
// What stands for the query in the line of the mean.
constexpr std::string_view kAllQueries = "all";

// Up to four blank-separated fields; a fourth one means the line has too many.
std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  while (fields.size() < 4) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return fields;
}

std::optional<double> parse_value(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

PerQueryFile::Measure& measure_of(PerQueryFile& file, std::string_view name) {
  const auto found = std::ranges::find(file.measures, name, &PerQueryFile::Measure::name);
  if (found != file.measures.end()) return *found;
  return file.measures.emplace_back(std::string(name), std::vector<std::string>(),
                                    std::map<std::string, double, std::less<>>());
}

void add_line(PerQueryFile& file, std::string_view line, std::size_t number) {
  const std::vector<std::string_view> fields = split(line);
  if (fields.empty()) return;
  if (fields.size() != 3) {
    fail(ErrorKind::kInput, "{}:{}: a line must be 'measure query value'", file.name, number);
  }
  if (fields[1] == kAllQueries) return;
  const std::optional<double> value = parse_value(fields[2]);
  if (!value) {
    fail(ErrorKind::kInput, "{}:{}: '{}' is not a number", file.name, number, fields[2]);
  }
  PerQueryFile::Measure& measure = measure_of(file, fields[0]);
  if (!measure.values.emplace(fields[1], *value).second) {
    fail(ErrorKind::kInput, "{}:{}: a second value of {} for query {}", file.name, number,
         fields[0], fields[1]);
  }
  measure.queries.emplace_back(fields[1]);
}

[[noreturn]] void fail_missing(const PerQueryFile& without, const PerQueryFile& with,
                               const PerQueryFile::Measure& measure, std::string_view query) {
  fail(ErrorKind::kInput, "{}: no value of {} for query {}, which {} has", without.name,
       measure.name, query, with.name);
}

}  // namespace

const PerQueryFile::Measure& PerQueryFile::measure(std::string_view measure_name) const {
  const auto found = std::ranges::find(measures, measure_name, &Measure::name);
  if (found != measures.end()) return *found;
  std::vector<std::string> known;
  for (const Measure& each : measures) known.push_back(each.name);
  throw Error(ErrorKind::kUsage, unknown_name_message("measure", measure_name, known))
      .add_context(name);
}

PerQueryFile parse_per_query(std::string_view text, std::string name) {
  PerQueryFile file{.name = std::move(name), .measures = {}};
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    add_line(file, text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (file.measures.empty())
    fail(ErrorKind::kInput, "{}: there are no per-query values", file.name);
  return file;
}

PerQueryFile read_per_query(const std::string& path) {
  return parse_per_query(read_text_file(path), path);
}

std::string per_query_text(const ListSource& lists, const Evaluation& evaluation,
                           const std::string& path) {
  for (std::size_t query = 0; query < lists.num_queries(); ++query) {
    const std::string name = lists.query_name(query);
    if (name == kAllQueries) {
      fail(ErrorKind::kInput,
           "{}: a query is called '{}', which in files of per-query values is the line of the "
           "mean; rename the query",
           path, kAllQueries);
    }
    if (name.empty() || name.find_first_of("\n \t\r") != std::string::npos) {
      fail(ErrorKind::kInput,
           "{}: query {} cannot stand in a file of per-query values, where blanks part the "
           "columns; rename the query",
           path, quote_text(name));
    }
  }
  std::string text;
  const auto add = [&](const MetricSpec& metric, std::string_view query, double value) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\n", to_text(metric), query, value);
  };
  for (std::size_t query = 0; query < lists.num_queries(); ++query) {
    const std::string name = lists.query_name(query);
    for (const MetricValues& metric : evaluation.metrics) {
      if (std::isnan(metric.values[query])) continue;
      add(metric.metric, name, metric.values[query]);
    }
  }
  for (const MetricValues& metric : evaluation.metrics) {
    add(metric.metric, kAllQueries, metric.mean);
  }
  return text;
}

void write_per_query(const std::string& path, const ListSource& lists,
                     const Evaluation& evaluation) {
  write_text_file(path, per_query_text(lists, evaluation, path));
}

std::vector<SystemValues> align_per_query(std::span<const PerQueryFile> files,
                                          std::span<const std::string> measures) {
  std::vector<std::string> names(measures.begin(), measures.end());
  if (names.empty()) {
    for (const auto& measure : files.front().measures) names.push_back(measure.name);
  }
  std::vector<SystemValues> result;
  for (const std::string& name : names) {
    SystemValues& aligned = result.emplace_back(name, std::vector<std::vector<double>>());
    const PerQueryFile::Measure& first = files.front().measure(name);
    for (const PerQueryFile& file : files) {
      const PerQueryFile::Measure& measure = file.measure(name);
      std::vector<double>& values = aligned.values.emplace_back();
      for (const std::string& query : first.queries) {
        const auto found = measure.values.find(query);
        if (found == measure.values.end()) fail_missing(file, files.front(), measure, query);
        values.push_back(found->second);
      }
      for (const std::string& query : measure.queries) {
        if (!first.values.contains(query)) fail_missing(files.front(), file, measure, query);
      }
    }
  }
  return result;
}

}  // namespace glassrank
