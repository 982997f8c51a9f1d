#pragma once
// The extension module glassrank._core: one file per module of the engine, each with one function
// that adds its part. Bindings translate types and hold no logic; what a Python user meets is in
// python/glassrank.

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace glassrank::python {

void bind_arrow(nb::module_& core);
void bind_columns(nb::module_& core);
void bind_context(nb::module_& core);
void bind_data(nb::module_& core);
void bind_models(nb::module_& core);
void bind_machines(nb::module_& core);
void bind_metrics(nb::module_& core);
void bind_methods(nb::module_& core);
void bind_explain(nb::module_& core);
void bind_report(nb::module_& core);
void bind_program(nb::module_& core);
void bind_making(nb::module_& core);
void bind_studies(nb::module_& core);

}  // namespace glassrank::python
