#include "glassrank/metrics/evaluate_systems.h"

#include <utility>

#include "glassrank/base/file_names.h"
#include "glassrank/metrics/convention_text.h"
#include "glassrank/metrics/per_query_file.h"

namespace glassrank {

SystemEvaluator::SystemEvaluator(std::vector<MetricSpec> metrics, Convention convention,
                                 const Context& context)
    : metrics_(std::move(metrics)), convention_(std::move(convention)), context_(context) {
  for (const MetricSpec& metric : metrics_) {
    systems_.metrics.push_back({.metric = to_text(metric), .values = {}});
  }
  systems_.convention = to_text(convention_);
  systems_.short_convention = short_text(convention_, metrics_);
}

void SystemEvaluator::add(std::string name, const ListSource& lists) {
  Evaluation evaluation = evaluate(lists, metrics_, convention_, context_);
  systems_.names.push_back(std::move(name));
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    systems_.metrics[m].values.push_back(std::move(evaluation.metrics[m].values));
  }
}

SystemsToCompare systems_of_files(const std::vector<std::string>& paths,
                                  const std::vector<std::string>& metrics) {
  std::vector<PerQueryFile> files;
  for (const std::string& path : paths) files.push_back(read_per_query(path));
  return {
      .names = names_of_files(paths), .metrics = align_per_query(files, metrics), .convention = {}};
}

}  // namespace glassrank
