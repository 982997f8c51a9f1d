#pragma once
// An option as people see it: its flags, what its value is called, its line of help. One place for
// --help, manual pages and completion.

#include <string>
#include <vector>

#include "glassrank/base/params.h"

namespace glassrank::cli {

// "per_query" -> "per-query".
std::string flag_name(std::string name);

// "--per-query", "--no-per-query", "-q": every way to write it, its own name first. A second name
// of one letter takes one dash. What is positional has its name alone.
std::vector<std::string> flags_of(const ParamInfo& info);

// "FILE", "INT", ...; empty for a flag.
std::string value_name(const ParamInfo& info);

// What it says, the choices or the range, the default.
std::string option_help(const ParamInfo& info);

// " (default 3)", " (required)" or nothing.
std::string default_text(const ParamInfo& info);

}  // namespace glassrank::cli
