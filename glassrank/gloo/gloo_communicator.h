#pragma once
// Machines that somebody else started and introduced to each other: the tasks of a Spark stage, the
// workers of a Dask cluster. Gloo's collectives over TCP carry the numbers.
//
// To connect, every machine needs the addresses of all others once. The engine that started the
// machines can pass them around (Spark's barrier, a Dask variable): `exchange` is that one call.
// After it all traffic goes straight from machine to machine.
// A machine that is lost closes its connections: the calls of the others end with Error{kIo}. One
// that neither works nor closes anything is given up after `timeout`.
// Nothing is encrypted, nobody is asked who he is: for a network that is trusted.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "glassrank/base/communicator.h"

namespace glassrank {

struct GlooSetup {
  int rank = 0;
  int size = 1;
  std::string host;  // name or address under which the others reach this machine
  // Collective: every machine gives its text and gets those of all, in the order of their ranks.
  std::function<std::vector<std::string>(const std::string&)> exchange;
  std::chrono::milliseconds timeout = std::chrono::minutes(30);
};

// Collective. Throws Error{kIo} if the machines cannot be connected, and what `exchange` throws.
std::shared_ptr<const Communicator> connect_with_gloo(const GlooSetup& setup);

}  // namespace glassrank
