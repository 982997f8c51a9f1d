#pragma once
// Files that hold tables but are no text: Parquet, Arrow, spreadsheets, HDF5, NumPy, text in
// UTF-16; and JSON.
//
// They are known by their first bytes and refused with the line that makes CSV of them, before a
// reader of text stumbles over the first byte it does not know.

#include <string>

namespace glassrank {

// Throws Error{kInput} for such a file. Pipes and standard input are not looked at.
void refuse_foreign_file(const std::string& path);

}  // namespace glassrank
