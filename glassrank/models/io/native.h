#pragma once
// Glassrank's own model file: lines of text with a checksum.
//
//   glassrank model 1            the format's version; 2 where features are categories
//   provenance N                 then N lines "key<tab>value"
//   body KIND                    then the lines of that kind of model (native_forest.cpp,
//   native_gam.cpp, ...)
//   checksum 0123456789abcdef    FNV-1a, 64 bits, of every byte above; ends the file
//
// Backslash, tab, newline and carriage return inside a text are written \\ \t \n \r. Numbers are
// written with the fewest digits that read back to the same bits; the same model gives the same
// bytes. FNV-1a's step is invertible, so any one changed byte changes the checksum.

#include <string>
#include <string_view>

#include "glassrank/models/model.h"

namespace glassrank {

inline constexpr std::string_view kNativeMagic = "glassrank model ";

std::string write_native(const Model& model);

// Throws Error{kInput}: not such a file, another version, cut off, changed after it was written, or
// (with a right checksum) "line N: ..." where the content is wrong.
Model read_native(std::string_view text);

}  // namespace glassrank
