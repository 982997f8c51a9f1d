// The command `glassrank` of the package: the same program as cli/main.cpp.

#include "cli/program.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <vector>

#include "python/bindings/bindings.h"

namespace glassrank::python {

void bind_program(nb::module_& core) {
  core.def("run_program", [](const std::vector<std::string>& arguments) {
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    const nb::gil_scoped_release released;
    return cli::run_program(static_cast<int>(argv.size()), argv.data());
  });
}

}  // namespace glassrank::python
