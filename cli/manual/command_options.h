#pragma once
// What a command can be told, for people: its options whatever is selected, as manual pages and
// completion show them.

#include <string>
#include <vector>

#include "cli/command.h"
#include "glassrank/base/params.h"

namespace glassrank::cli {

struct OptionGroup {
  std::string selection;  // "lambdamart": options that only some selections have; empty: all have
  std::vector<ParamInfo> options;
};

// The options that every selection has, the global ones among them, then those of each selection.
std::vector<OptionGroup> option_groups(Command& command);

// All of them, each once.
std::vector<ParamInfo> every_option(Command& command);

}  // namespace glassrank::cli
