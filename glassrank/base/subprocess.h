#pragma once
// A shell command fed with a text, and what it answers.
//
// The command runs as `sh -c` in a process group of its own. Its input is written and its output
// read at the same time, so that neither side waits for the other when a pipe is full. At a limit,
// or when the user asks to stop, the whole group is killed: nothing is left behind. A command that
// does not read its input to the end is no error here; its result says how it ended.
// POSIX only. The caller's signal handlers stay as they are: SIGPIPE is held back in this thread.

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"

namespace glassrank {

struct CommandLimits {
  double seconds = 0;  // from start to end; 0: no limit
  std::size_t output_bytes = std::numeric_limits<std::size_t>::max();
};

enum class CommandEnd { kExit, kSignal, kTimeLimit, kOutputLimit };

struct CommandResult {
  CommandEnd end = CommandEnd::kExit;
  int code = 0;  // exit status or number of the signal
  std::string output;
  std::string error_tail;  // the last 4 kB of standard error

  // Empty when the command wrote none.
  std::string last_error_line() const;
};

// Throws Error{kIo} when the system has no pipe or process left, Error{kInterrupted} when the user
// asks to stop.
CommandResult run_command(const std::string& command, std::string_view input,
                          const CommandLimits& limits, const Context& context);

}  // namespace glassrank
