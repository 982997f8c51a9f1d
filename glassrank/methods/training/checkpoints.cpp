#include "glassrank/methods/training/checkpoints.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/methods/training/training_checkpoint.h"
#include "glassrank/models/io/native.h"

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

namespace {

// A state, or none, as bytes that another machine reads.
std::string to_text(const std::optional<TrainingState>& state) {
  if (!state) return "";
  if (!state->trees) return "b" + state->bytes;
  return "t" + write_native({.body = *state->trees, .provenance = {}});
}

std::optional<TrainingState> from_text(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::string_view content = text.substr(1);
  if (text[0] == 'b') return TrainingState(std::string(content));
  return TrainingState(require_forest(read_native(content), "a checkpoint"));
}

}  // namespace

std::optional<TrainingState> SharedCheckpoints::load(const TrainingPhase& phase) {
  if (machines_.is_alone()) return first_.load(phase);
  std::string text;
  agree(machines_, [&] {
    if (machines_.is_first()) text = to_text(first_.load(phase));
  });
  const auto bytes = std::as_bytes(std::span(text));
  Communicator::Bytes shared(bytes.begin(), bytes.end());
  machines_.broadcast(shared, 0);
  return from_text({reinterpret_cast<const char*>(shared.data()), shared.size()});
}

void SharedCheckpoints::save(const TrainingPhase& phase, const TrainingState& state) {
  if (machines_.is_first()) first_.save(phase, state);
}

void SharedCheckpoints::save_end(const TrainingPhase& phase, const TrainingState& state,
                                 bool is_interrupted) {
  if (machines_.is_first()) first_.save_end(phase, state, is_interrupted);
}

std::string FileCheckpoints::path_of(const std::string& out, std::string_view phase) {
  return fmt::format("{}{}{}.checkpoint", out, phase.empty() ? "" : ".", phase);
}

bool FileCheckpoints::is_path_of(const std::string& out, std::string_view path) {
  return path.starts_with(out + ".") && path.ends_with(".checkpoint");
}

std::vector<std::string> FileCheckpoints::paths_of(const std::string& out) {
  std::vector<std::string> paths = {path_of(out, "")};
  const std::filesystem::path name = std::filesystem::path(out).filename();
  const std::string folder = out.substr(0, out.size() - name.native().size());
  std::error_code error;  // no such folder: nothing is there
  for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    std::string path = folder + entry->path().filename().native();
    if (!is_path_of(out, path) || path == paths.front()) continue;
    if (entry->is_regular_file(error)) paths.push_back(std::move(path));
  }
  std::ranges::sort(paths.begin() + 1, paths.end());
  return paths;
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
    if (setup_.is_kept) keep_as_old(file);
    return std::nullopt;
  }
  std::optional<TrainingState> state = load_checkpoint(file, run_of(phase));
  if (state) {
    context_.info(fmt::format("going on from {}: {}", file, size_text(*state)));
  } else {
    context_.info(fmt::format("there is no {}: training{}{} begins with the first round", file,
                              phase.what.empty() ? "" : " ", phase.what));
  }
  return state;
}

void FileCheckpoints::keep_as_old(const std::string& file) const {
  if (!std::filesystem::exists(file)) return;
  std::error_code error;
  std::filesystem::rename(file, file + ".old", error);
  context_.info(error ? fmt::format("{} of an earlier run is replaced: {}", file, error.message())
                      : fmt::format("{0} of an earlier run is now {0}.old; --resume would have "
                                    "gone on from it",
                                    file));
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
    // The model is there; a checkpoint that cannot be removed costs nobody anything but its room.
    std::error_code error;
    const std::string file = path_of(setup_.out, phase);
    std::filesystem::remove(file, error);
    if (error) context_.warn(fmt::format("{} cannot be removed: {}", file, error.message()));
  }
}

}  // namespace glassrank
