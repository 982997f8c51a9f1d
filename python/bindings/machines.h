#pragma once
// Machines that train together, as Python holds them: a communicator of the engine's own (Gloo), or
// an object of Python's that has its calls (mpi4py, torch.distributed).

#include <memory>
#include <nanobind/nanobind.h>

#include "glassrank/base/communicator.h"

namespace nb = nanobind;

namespace glassrank::python {

struct Machines {
  std::shared_ptr<const Communicator> communicator;
};

// Of an object with rank, size and the calls of glassrank.distributed.Calls.
Machines machines_of(nb::object calls);

}  // namespace glassrank::python
