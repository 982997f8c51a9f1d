#pragma once
// Keeps a command from writing over what it reads.

#include <string>

namespace glassrank::cli {

// Throws Error{kUsage} if `out` names the regular file `input`, by whatever path or link. `option`
// is how the user gave `out`, `what` what the input is.
void refuse_same_file(const std::string& input, const std::string& out, const std::string& option,
                      const std::string& what = "the data file");

}  // namespace glassrank::cli
