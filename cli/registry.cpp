#include "cli/registry.h"

namespace glassrank::cli {

CommandList all_commands() {
  CommandList commands;
  return commands;
}

}  // namespace glassrank::cli
