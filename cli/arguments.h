#pragma once
// Turns argv into a chosen command with its parameters set.
//
// Precedence: defaults < config file (--config) < command line (--option, --set key=value).

#include <cstdint>
#include <string>

#include "cli/command.h"

namespace glassrank::cli {

struct GlobalOptions {
  int threads = 0;
  std::uint64_t seed = 0;
  bool quiet = false;
  bool json = false;
  std::string memory;        // as in base/byte_size.h; empty: no limit
  std::string max_unpacked;  // the same; empty: see Context::most_unpacked

  void visit(ParamVisitor& visitor);
};

struct ParsedArguments {
  Command* command = nullptr;  // null: `text` is help or the version, to be printed
  GlobalOptions global;
  std::string text;
};

// Throws Error{kUsage}.
ParsedArguments parse_arguments(int argc, const char* const* argv, const CommandList& commands);

}  // namespace glassrank::cli
