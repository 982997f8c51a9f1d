#pragma once
// Functions of Python that take part in a training: an objective, metrics, a callback after every
// round. python/glassrank/_functions.py checks what users' functions give before it comes here.
//
// They are called from any thread, one at a time, with the interpreter's lock. What one raises ends
// the training and comes out of the call (CallState).

#include <memory>
#include <nanobind/nanobind.h>
#include <string>
#include <vector>

#include "glassrank/methods/method.h"
#include "glassrank/metrics/metric.h"
#include "python/bindings/call.h"

namespace nb = nanobind;

namespace glassrank::python {

// {name: function(grades, missed, number, id) -> float}
std::vector<std::shared_ptr<const OwnMetric>> own_metrics(const nb::dict& functions,
                                                          const std::shared_ptr<CallState>& state);

// {"objective": (name, function), "metrics": {name: function}, "after_round": function}, any of
// them None or absent:
//   objective(scores, grades, number, id, round) -> (gradients, hessians), float32
//   after_round(training, round, {metric: value}) -> whether to go on
// Throws Error{kUsage} where the method has no use for one.
void set_functions(Method& method, const nb::dict& functions,
                   const std::shared_ptr<CallState>& state);

}  // namespace glassrank::python
