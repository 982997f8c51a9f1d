#pragma once
// Every command of the program, in the order in which --help lists them.

#include "cli/command.h"

namespace glassrank::cli {

std::unique_ptr<Command> make_data_cache_command();
std::unique_ptr<Command> make_list_command();

CommandList all_commands();

}  // namespace glassrank::cli
