#include "glassrank/report/bundle/recorded_run.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/models/io/json_text.h"

namespace glassrank {
namespace {

RecordedRun::Round round_of(const Json& given) {
  RecordedRun::Round round{.round = member(given, "round").get<std::size_t>(), .metrics = {}};
  for (const auto& [name, value] : member(given, "metrics").items()) {
    if (value.is_number()) round.metrics.emplace_back(name, value.get<double>());
  }
  return round;
}

bool is_about(std::string_view name, std::string_view metric) {
  return name.size() > metric.size() && name.ends_with(metric) &&
         name[name.size() - metric.size() - 1] == ' ';
}

// In the order of the record.
std::vector<std::string> names_about(const RecordedRun& run, std::string_view metric) {
  std::vector<std::string> all;
  std::vector<std::string> wanted;
  for (const RecordedRun::Round& round : run.rounds) {
    for (const auto& [name, value] : round.metrics) {
      if (std::ranges::find(all, name) != all.end()) continue;
      all.push_back(name);
      if (is_about(name, metric)) wanted.push_back(name);
    }
  }
  return wanted.empty() ? all : wanted;
}

RecordedSeries one_series(const RecordedRun& run, const std::string& name) {
  struct Sum {
    double sum = 0;
    std::size_t count = 0;
  };
  std::map<std::size_t, Sum> sums;
  for (const RecordedRun::Round& round : run.rounds) {
    for (const auto& [own, value] : round.metrics) {
      if (own != name) continue;
      Sum& sum = sums[round.round];
      sum.sum += value;
      ++sum.count;
    }
  }
  RecordedSeries series{.name = name, .rounds = {}, .values = {}};
  for (const auto& [round, sum] : sums) {
    series.rounds.push_back(round);
    series.values.push_back(sum.sum / static_cast<double>(sum.count));
  }
  return series;
}

}  // namespace

RecordedRun parse_run_record(std::string_view text) {
  RecordedRun run;
  try {
    const Json record = parse_json_text(text);
    for (const auto& [key, value] : member(record, "run").items()) {
      if (value.is_string()) run.settings.emplace_back(key, value.get<std::string>());
    }
    for (const Json& round : array_member(record, "rounds")) run.rounds.push_back(round_of(round));
  } catch (const Json::exception&) {
    fail(ErrorKind::kInput, "this is no record of a training (glassrank train --record FILE)");
  }
  if (run.settings.empty() || run.rounds.empty()) {
    fail(ErrorKind::kInput, "this is no record of a training (glassrank train --record FILE)");
  }
  return run;
}

RecordedRun read_run_record(const std::string& path) {
  const std::string text = read_text_file(path);
  try {
    return parse_run_record(text);
  } catch (Error& error) {
    error.add_context(path);
    throw;
  }
}

bool is_record_of(const RecordedRun& run, const Model& model) {
  return std::ranges::all_of(run.settings, [&](const NamedText& setting) {
    return std::ranges::find(model.provenance, setting) != model.provenance.end();
  });
}

std::vector<RecordedSeries> recorded_series(const RecordedRun& run, std::string_view metric) {
  std::vector<RecordedSeries> all;
  for (const std::string& name : names_about(run, metric)) all.push_back(one_series(run, name));
  return all;
}

}  // namespace glassrank
