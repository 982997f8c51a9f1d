#pragma once
// Machines that mpirun started: a Communicator over MPI, and the end of the program on all of them.
//
// Optional at build (GLASSRANK_MPI); nothing here is called unless the program was started by
// mpirun. One MpiMachines lives as long as the program works; its calls are made by the thread that
// made it. Values of more than 2^30 at a time go in several calls.
// How all machines end together: what every machine throws, each also catches, and they wait for
// each other in end(); what one machine throws alone, the others wait for in their next sum: after
// a while it aborts them. A machine that is killed is noticed by mpirun, which ends the others.

#include <memory>

#include "glassrank/base/communicator.h"

namespace glassrank {

class MpiMachines {
 public:
  // Joins the others; waits until all are there.
  MpiMachines();
  ~MpiMachines();
  MpiMachines(const MpiMachines&) = delete;
  MpiMachines& operator=(const MpiMachines&) = delete;

  std::shared_ptr<const Communicator> communicator() const { return communicator_; }

  // Waits until every machine is here, `seconds` at most; returns whether all are. Then they may
  // talk through ends(), whatever calls of communicator() were left in the middle.
  bool end(double seconds) const;
  std::shared_ptr<const Communicator> ends() const { return ends_; }
  // Ends the program on all machines at once, without a word.
  [[noreturn]] void abort(int exit_code) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::shared_ptr<const Communicator> communicator_;
  std::shared_ptr<const Communicator> ends_;
};

}  // namespace glassrank
