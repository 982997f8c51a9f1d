#pragma once
// Several systems evaluated on the same queries, one after the other: what compare_systems
// compares.

#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/metrics/compare.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {

struct SystemsToCompare {
  std::vector<std::string> names;
  std::vector<SystemValues> metrics;
  std::string convention;  // empty: the values were given, not computed here
  std::string short_convention = {};
};

class SystemEvaluator {
 public:
  // `context` outlives it.
  SystemEvaluator(std::vector<MetricSpec> metrics, Convention convention, const Context& context);
  // All systems have the same queries in the same order.
  void add(std::string name, const ListSource& lists);
  SystemsToCompare take() { return std::move(systems_); }

 private:
  std::vector<MetricSpec> metrics_;
  Convention convention_;
  const Context& context_;
  SystemsToCompare systems_;
};

// The values in files that `evaluate --per-query` or trec_eval -q wrote, of these metrics or, with
// none named, of all that every file has. Systems are named as their files.
SystemsToCompare systems_of_files(const std::vector<std::string>& paths,
                                  const std::vector<std::string>& metrics);

}  // namespace glassrank
