#pragma once
// The program: parses arguments, runs one command, turns errors into messages and exit codes. A
// function, so that the command of the Python package is the same program.
// Exit codes: 0 done, 1 failed, 2 usage, 130 stopped by Ctrl-C.

namespace glassrank::cli {

// Takes over SIGINT, SIGTERM, SIGPIPE and SIGXFSZ of the process: for a process that does nothing
// else.
int run_program(int argc, const char* const* argv);

}  // namespace glassrank::cli
