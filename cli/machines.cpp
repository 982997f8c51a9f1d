#include "cli/machines.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#ifdef GLASSRANK_HAS_MPI
#include "glassrank/mpi/mpi_machines.h"
#endif

namespace glassrank::cli {
namespace {

// For others that are still at work, before they are ended.
[[maybe_unused]] constexpr double kPatience = 5;

// A number that mpirun gives; 0: none.
int number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

// How many programs OpenMPI's or MPICH's mpirun started, or Slurm's srun.
int num_started() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const int count = number_of(name); count > 0) return count;
  }
  return std::getenv("PMIX_RANK") == nullptr ? 1 : std::max(number_of("SLURM_NTASKS"), 1);
}

// A program that waits for the others asks again and again; where several share a computer, it lets
// those go first that have work. OpenMPI reads this when it starts; what the user chose stays.
[[maybe_unused]] void yield_while_waiting() {
  if (number_of("OMPI_COMM_WORLD_LOCAL_SIZE") < 2) return;
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

}  // namespace

#ifdef GLASSRANK_HAS_MPI

struct Machines::World {
  MpiMachines machines;
};

Machines::Machines() : out_(&std::cout) {
  if (num_started() < 2) return;
  yield_while_waiting();
  world_ = std::make_unique<World>();
  communicator_ = world_->machines.communicator();
  if (!communicator_->is_first()) out_ = &nowhere_;
}

namespace {

// Messages may name other files on each machine; the first one stands for all.
std::string first_message(const std::string& own, const Communicator& machines) {
  for (const auto& bytes : machines.gather(std::as_bytes(std::span(own)))) {
    if (!bytes.empty()) return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  return {};
}

// As agree() writes it of an error that one machine met.
std::string with_machine(std::string message, const Communicator& machines) {
  const std::size_t end = message.ends_with('\n') ? message.size() - 1 : message.size();
  return message.insert(
      end, fmt::format(" (on machine {} of {})", machines.rank() + 1, machines.size()));
}

}  // namespace

int Machines::finish(const End& end) {
  if (world_ == nullptr) {
    if (!end.message.empty()) print_message(end.message);
    return end.exit_code;
  }
  if (end.exit_code == 0) return 0;
  if (world_->machines.end(kPatience)) {
    const std::string text = first_message(end.message, *world_->machines.ends());
    if (communicator_->is_first()) print_message(text);
    return end.exit_code;
  }
  print_message(with_machine(end.message, *communicator_));
  world_->machines.abort(end.exit_code);
}

#else

struct Machines::World {};

Machines::Machines() : out_(&std::cout) {
  const int num_machines = num_started();
  if (num_machines < 2) return;
  fail(ErrorKind::kUsage,
       "started {} times by mpirun, but built without MPI; install libopenmpi-dev and build again",
       num_machines);
}

int Machines::finish(const End& end) {
  if (!end.message.empty()) print_message(end.message);
  return end.exit_code;
}

#endif

Machines::~Machines() = default;

int Machines::num_threads() const {
  const int num_here = std::max(number_of("OMPI_COMM_WORLD_LOCAL_SIZE"), 1);
  const auto num_cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(num_cores / num_here, 1);
}

}  // namespace glassrank::cli
