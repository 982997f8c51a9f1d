#pragma once
// Folders that output goes to.

#include <string>

namespace glassrank {

// The folder and those above it, unless they are there. Throws Error{kIo} naming the folder.
void make_folder(const std::string& path);

}  // namespace glassrank
