#include "cli/registry.h"

namespace glassrank::cli {

CommandList all_commands() {
  CommandList commands;
  commands.push_back(make_data_cache_command());
  return commands;
}

}  // namespace glassrank::cli
