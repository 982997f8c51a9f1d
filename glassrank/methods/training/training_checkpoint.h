#pragma once
// An interrupted training run on disk: every tree so far, and what run it was.
//
// The file is a native model (it can be inspected and scored like any other) whose provenance
// carries the run's own lines: parameters, digests of the data, seed, version. Rounds are pure
// functions of these and of the trees before them, and observers are shown all rounds again, so the
// trees are all the state there is. Written whole or not at all.

#include <optional>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/models/model.h"

namespace glassrank {

void save_checkpoint(const std::string& path, const Forest& grown, const Provenance& run);

// The trees of the same run; nothing if there is no such file. Names of files (train, valid,
// start_model) may differ, their digests may not. Throws Error{kUsage} with every line that
// differs, Error{kInput} when the file is no checkpoint.
std::optional<Forest> load_checkpoint(const std::string& path, const Provenance& run,
                                      const Context& context);

}  // namespace glassrank
