#include "cli/registry.h"

namespace glassrank::cli {

CommandList all_commands() {
  CommandList commands;
  commands.push_back(make_predict_command());
  commands.push_back(make_convert_command());
  return commands;
}

}  // namespace glassrank::cli
