#pragma once
// What a person sees while the program works: notices and one progress line on standard error.
//
// On a terminal the progress line is redrawn in place; in a log file a plain line appears at most
// every ten seconds. Where standard error is full, closed or gone, messages are lost and the work
// goes on.

#include <memory>
#include <string_view>

#include "glassrank/base/context.h"

namespace glassrank::cli {

// Writes to standard error. Never throws: no message is worth the work it is about.
void print_message(std::string_view text) noexcept;

// Opens what was closed when the program started (2>&-) in a way that fails every read and write.
// Otherwise the first file opened would take its place, and messages would go into that file.
void hold_standard_streams();

// Whether notices and progress go to a terminal, not to a file.
bool messages_reach_a_terminal();

// Warnings are shown whatever is asked for: they say that a result may not be what it seems.
std::shared_ptr<LogSink> make_terminal_log(bool only_warnings);
std::shared_ptr<ProgressSink> make_terminal_progress();

}  // namespace glassrank::cli
