#pragma once
// Several machines that work on one command, where mpirun started the program on each of them.
//
// The first machine prints results and messages and writes files; the others are silent. An error
// that all machines meet is said once; one that a machine meets alone is said by it, and ends all.

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "glassrank/base/communicator.h"

namespace glassrank::cli {

// How the program ends.
struct End {
  int exit_code = 0;
  std::string message = {};  // for standard error
};

class Machines {
 public:
  // Joins the others if mpirun started the program, which the environment tells, as it tells how
  // many of them are on this computer; else it is alone, and MPI is not touched. Throws
  // Error{kUsage} where the program was built without MPI.
  Machines();
  ~Machines();
  Machines(const Machines&) = delete;
  Machines& operator=(const Machines&) = delete;

  std::shared_ptr<const Communicator> communicator() const { return communicator_; }
  bool are_several() const { return !communicator_->is_alone(); }
  // Standard output on the first machine, nothing on the others.
  std::ostream& out() { return *out_; }
  // This machine's share of the computer's cores.
  int num_threads() const;

  // Says the message, and waits for the others or ends them. Returns the exit code.
  int finish(const End& end);

 private:
  struct World;
  std::unique_ptr<World> world_;  // null: alone
  std::shared_ptr<const Communicator> communicator_ = Communicator::alone();
  std::ostream nowhere_{nullptr};
  std::ostream* out_;
};

}  // namespace glassrank::cli
