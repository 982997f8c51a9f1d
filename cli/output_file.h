#pragma once
// Whether a file can be written, asked before hours of work.

#include <string>

namespace glassrank::cli {

// Throws Error{kIo} if AtomicFile could not write there. Leaves no trace. Pipes and devices are not
// tried: opening one may be what its reader waits for.
void refuse_unwritable(const std::string& path);

// Whether files can stand beside it: it is, or will be, a regular file.
bool is_regular_or_new(const std::string& path);

}  // namespace glassrank::cli
