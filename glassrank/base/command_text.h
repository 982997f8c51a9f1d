#pragma once
// A command as a user would type it again, from the parameters it ran with.

#include <span>
#include <string>
#include <string_view>

#include "glassrank/base/params.h"

namespace glassrank {

// "per_query" -> "per-query".
std::string flag_name(std::string name);

// A word of a command line, in quotes where a shell would read it otherwise.
std::string shell_word(std::string_view text);

// " --metrics map,err@10 --title 'Our shop'": the parameters whose values are not those of
// `defaults`, which are the same parameters of a fresh object.
std::string given_options(std::span<const ParamInfo> infos, std::span<const ParamInfo> defaults);

}  // namespace glassrank
