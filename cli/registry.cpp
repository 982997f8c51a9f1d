#include "cli/registry.h"

namespace glassrank::cli {

CommandList all_commands() {
  CommandList commands;
  commands.push_back(make_compare_command());
  return commands;
}

}  // namespace glassrank::cli
