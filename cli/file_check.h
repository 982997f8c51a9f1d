#pragma once
// Keeps every command from writing over what it reads, from writing two things to one file, and
// from ignoring how a file is to be read.
//
// What is read and what is written is known from the declarations of parameters (FileUse) and from
// Command::files_beside(), so a command needs no check of its own. Files are the same whatever the
// path, link or hard link that names them. Where data is read, the files beside it are read too
// (data/io/side_files.h): their names are not free either. Devices and pipes may be both: reading
// and writing one terminal harms nothing.

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"

namespace glassrank::cli {

// The files that a command which writes data to `path` may write beside it; `option` names it.
std::vector<NamedFile> side_files_of(const std::string& option, const std::string& path);

// Throws Error{kUsage} if an output is an input or another output. `config` is the file of
// --config, which is read too; empty: none. Called when all parameters are set, before run().
void check_files(std::span<const ParamInfo> infos, const Command& command,
                 const std::string& config);

// Throws Error{kUsage} if a parameter of reading is among the given ones and concerns the formats
// of none of the inputs.
void check_reading(std::span<const ParamInfo> infos, std::span<const std::string> given);

}  // namespace glassrank::cli
