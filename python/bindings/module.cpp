#include <nanobind/nanobind.h>

#include "glassrank/base/version.h"
#include "python/bindings/bindings.h"

NB_MODULE(_core, core) {
  core.doc() = "The engine of glassrank. Use the package, not this module.";
  core.attr("version") = glassrank::kVersion;
  // Datasets and models may live as long as the interpreter.
  nb::set_leak_warnings(false);
  glassrank::python::bind_machines(core);
  glassrank::python::bind_context(core);
  glassrank::python::bind_columns(core);
  glassrank::python::bind_arrow(core);
  glassrank::python::bind_data(core);
  glassrank::python::bind_models(core);
  glassrank::python::bind_metrics(core);
  glassrank::python::bind_methods(core);
  glassrank::python::bind_explain(core);
  glassrank::python::bind_report(core);
  glassrank::python::bind_making(core);
  glassrank::python::bind_studies(core);
  glassrank::python::bind_program(core);
}
