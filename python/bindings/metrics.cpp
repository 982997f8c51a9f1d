// Evaluating and comparing rankings.

#include <cstdint>
#include <memory>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <vector>

#include "glassrank/methods/training/watch_params.h"
#include "glassrank/metrics/compare.h"
#include "glassrank/metrics/compare_report.h"
#include "glassrank/metrics/convention_text.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/metrics/registry.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/data.h"
#include "python/bindings/functions.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

// The result, and the values of every query: an array a metric.
nb::tuple evaluate_scores(const Call& call, const Data& data, const ArrayIn<double>& scores,
                          const std::vector<std::string>& metrics, const nb::dict& convention,
                          const nb::dict& functions) {
  ConventionChoice choice;
  set_params(choice, convention);
  const auto state = std::make_shared<CallState>();
  const std::vector<MetricSpec> specs =
      watched_metrics({.metric = metrics, .stop_metric = {}, .own = own_metrics(functions, state)});
  refuse_unused(choice, specs);
  const Evaluation found = call.run(state, [&](const Context& context) {
    const std::vector<double> rows =
        from_file_order(data.table(), {scores.data(), scores.data() + scores.size()});
    return evaluate(DatasetLists(data.table(), rows), specs, choice.resolve(), context);
  });
  nb::list values;
  for (const MetricValues& metric : found.metrics) values.append(array_of(metric.values));
  return nb::make_tuple(result_of(found), values);
}

// values[metric][system][query]
nb::tuple compare(const Call& call, const std::vector<std::string>& systems,
                  const std::vector<std::string>& metrics,
                  const std::vector<std::vector<std::vector<double>>>& values,
                  const nb::dict& params) {
  CompareParams chosen;
  set_params(chosen, params);
  std::vector<SystemValues> all;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    all.push_back({.metric = metrics[m], .values = values[m]});
  }
  const Comparison found = call.run(
      [&](const Context& context) { return compare_systems(systems, all, chosen, context); });
  return nb::make_tuple(result_of(found), text_of(comparison_table(found)),
                        text_of(comparison_latex(found)));
}

nb::list metric_names() {
  nb::list list;
  for (const MetricInfo& info : metric_table()) {
    nb::dict made;
    made["name"] = text_of(info.name);
    made["doc"] = text_of(info.doc);
    list.append(made);
  }
  return list;
}

}  // namespace

void bind_metrics(nb::module_& core) {
  core.def("evaluate_scores", &evaluate_scores);
  core.def("compare", &compare);
  core.def("metrics", &metric_names);
}

}  // namespace glassrank::python
