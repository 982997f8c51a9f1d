#pragma once
// Keeps a command from writing over what it reads.

#include <string>

namespace glassrank::cli {

// Throws Error{kUsage} if `out` names the regular file `data`, by whatever path or link. `option`
// is how the user gave `out`.
void refuse_same_file(const std::string& data, const std::string& out, const std::string& option);

}  // namespace glassrank::cli
