#include "glassrank/methods/training/checkpoints.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/methods/training/training_checkpoint.h"

namespace glassrank {
namespace {

std::string size_text(const TrainingState& state) {
  if (state.trees) return fmt::format("{} trees", state.trees->trees().size());
  return fmt::format("{} bytes of state", state.bytes.size());
}

}  // namespace

std::optional<Forest> load_trees(Checkpoints* checkpoints, const TrainingPhase& phase) {
  if (checkpoints == nullptr) return std::nullopt;
  std::optional<TrainingState> state = checkpoints->load(phase);
  return state ? std::move(state->trees) : std::nullopt;
}

std::optional<std::string> load_bytes(Checkpoints* checkpoints, const TrainingPhase& phase) {
  if (checkpoints == nullptr) return std::nullopt;
  std::optional<TrainingState> state = checkpoints->load(phase);
  if (!state || state->trees) return std::nullopt;
  return std::move(state->bytes);
}

std::optional<TrainingState> MemoryCheckpoints::load(const TrainingPhase& phase) {
  const auto found = states_.find(phase.name);
  if (found == states_.end()) return std::nullopt;
  return found->second;
}

void MemoryCheckpoints::save(const TrainingPhase& phase, const TrainingState& state) {
  states_.insert_or_assign(phase.name, state);
}

void MemoryCheckpoints::save_end(const TrainingPhase& phase, const TrainingState& state,
                                 bool /*is_interrupted*/) {
  save(phase, state);
}

std::string FileCheckpoints::path_of(const std::string& out, std::string_view phase) {
  return fmt::format("{}{}{}.checkpoint", out, phase.empty() ? "" : ".", phase);
}

Provenance FileCheckpoints::run_of(const TrainingPhase& phase) const {
  Provenance lines = setup_.run;
  if (!phase.label.empty()) lines.emplace_back("phase", phase.label);
  return lines;
}

std::optional<TrainingState> FileCheckpoints::load(const TrainingPhase& phase) {
  phases_.push_back(phase.name);
  const std::string file = path(phase);
  if (!setup_.resumes) {
    if (std::filesystem::exists(file)) {
      context_.info(
          fmt::format("{} of an earlier run is replaced; --resume would go on from it", file));
    }
    return std::nullopt;
  }
  std::optional<TrainingState> state = load_checkpoint(file, run_of(phase), context_);
  if (state) {
    context_.info(fmt::format("going on from {}: {}", file, size_text(*state)));
  } else {
    context_.info(fmt::format("there is no {}: training{}{} begins with the first round", file,
                              phase.what.empty() ? "" : " ", phase.what));
  }
  return state;
}

void FileCheckpoints::write(const TrainingPhase& phase, const TrainingState& state) {
  if (!setup_.is_kept) return;
  try {
    save_checkpoint(path(phase), state, run_of(phase));
    has_saved_ = true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kIo) throw;
    // A full disk may have room again; until then there is more to lose than the checkpoint.
    if (!has_failed_) {
      context_.warn(fmt::format("no checkpoint: {}; training goes on", error.what()));
    }
    has_failed_ = true;
  }
}

// Long forests of quick rounds would spend their time writing.
void FileCheckpoints::save(const TrainingPhase& phase, const TrainingState& state) {
  const Clock::time_point begin = Clock::now();
  if (begin - last_save_ < 20 * save_time_) return;
  write(phase, state);
  last_save_ = Clock::now();
  save_time_ = last_save_ - begin;
}

void FileCheckpoints::save_end(const TrainingPhase& phase, const TrainingState& state,
                               bool is_interrupted) {
  if (!phase.is_last || is_interrupted) write(phase, state);
}

void FileCheckpoints::remove_all() const {
  if (!setup_.is_kept) return;
  for (const std::string& phase : phases_) {
    std::filesystem::remove(path_of(setup_.out, phase));
  }
}

}  // namespace glassrank
