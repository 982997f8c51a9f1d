#pragma once
// Turns argv into a chosen command with its parameters set.
//
// Precedence: defaults < config file (--config) < command line (--option, --set key=value).

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.h"

namespace glassrank::cli {

struct GlobalOptions {
  int threads = 0;
  std::uint64_t seed = 0;
  bool quiet = false;
  bool json = false;
  std::string memory;        // as in base/byte_size.h; empty: no limit
  std::string scratch;       // folder; empty: the system's for temporary files
  std::string max_unpacked;  // the same; empty: see Context::most_unpacked

  void visit(ParamVisitor& visitor);
};

struct ParsedArguments {
  Command* command = nullptr;  // null: `text` is help or the version, to be printed
  GlobalOptions global;
  std::string text;
  std::vector<std::string> notices;  // options that were given under other programs' names
};

// "a,b(c,d),[e,f]" -> "a", "b(c,d)", "[e,f]": commas inside brackets belong to the item.
std::vector<std::string> split_list(const std::string& text);

// Those of the command, as it is selected, and the ones that every command has.
std::vector<ParamInfo> all_options(Command& command);

// Throws Error{kUsage}.
ParsedArguments parse_arguments(int argc, const char* const* argv, const CommandList& commands);

}  // namespace glassrank::cli
