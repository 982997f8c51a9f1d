#pragma once
// What the program does when the system interrupts it: requests to stop, and the ends that no
// exception can report.
//
//   SIGINT, SIGTERM, SIGHUP   the first one asks the work to end cleanly (stop_request()), the
//                             second one ends the process. A SIGHUP that is ignored (nohup) stays
//                             ignored.
//   SIGBUS                    a mapped file became shorter while it was read: says which, exits
//                             with 1
//   std::terminate            an exception that nobody can catch, as when a library cannot start a
//                             thread: says so, exits with 1
// The last two remove the temporary files that the process has open: no output appears.

#include <atomic>

namespace glassrank::cli {

// Set by the first request to stop.
const std::atomic<bool>& stop_request();

void install_signals();

}  // namespace glassrank::cli
