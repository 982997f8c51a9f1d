#pragma once
// Where output goes: whether a file can be written, asked before hours of work, and texts that
// belong together.

#include <span>
#include <string>

namespace glassrank {

// Throws Error{kIo} if AtomicFile could not write there. Leaves no trace. Pipes and devices are not
// tried: opening one may be what its reader waits for.
void refuse_unwritable(const std::string& path);

// Whether files can stand beside it: it is, or will be, a regular file.
bool is_regular_or_new(const std::string& path);

struct TextFile {
  std::string path;  // empty: not wanted
  std::string text;
};

// All of them or none. Throws Error{kIo}.
void write_text_files(std::span<const TextFile> files);

}  // namespace glassrank
