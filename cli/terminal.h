#pragma once
// What a person sees while the program works: notices and one progress line on standard error.
//
// On a terminal the progress line is redrawn in place; in a log file a plain line appears at most
// every ten seconds.

#include <memory>

#include "glassrank/base/context.h"

namespace glassrank::cli {

// Whether notices and progress go to a terminal, not to a file.
bool messages_reach_a_terminal();

std::shared_ptr<LogSink> make_terminal_log();
std::shared_ptr<ProgressSink> make_terminal_progress();

}  // namespace glassrank::cli
