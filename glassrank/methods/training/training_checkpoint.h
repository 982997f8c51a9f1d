#pragma once
// An interrupted training run on disk: its state so far, and what run it was.
//
// Trees are a native model (it can be inspected and scored like any other) whose provenance carries
// the run's own lines: parameters, digests of the data, seed, version. Rounds are pure functions of
// these and of the trees before them, and observers are shown all rounds again, so the trees are
// all the state there is. Other methods' states are bytes of their own behind a line of JSON with
// the same lines and a checksum. Written whole or not at all.

#include <optional>
#include <string>
#include <string_view>

#include "glassrank/methods/training/checkpoints.h"
#include "glassrank/models/model.h"

namespace glassrank {

void save_checkpoint(const std::string& path, const TrainingState& state, const Provenance& run);

// The state of the same run; nothing if there is no such file. Names of files (train, valid,
// start_model) may differ, their digests may not. Throws Error{kUsage} with every line that
// differs, Error{kInput} when the file is no checkpoint or was damaged.
std::optional<TrainingState> load_checkpoint(const std::string& path, const Provenance& run);

// The same from the bytes of such a file; `path` is its name in messages.
TrainingState parse_checkpoint(std::string_view bytes, const std::string& path,
                               const Provenance& run);

}  // namespace glassrank
