#include "cli/train/run_checkpoint.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "glassrank/methods/training/training_checkpoint.h"

namespace glassrank::cli {

RunCheckpoint::RunCheckpoint(std::string path, Provenance run, std::string what, bool is_kept,
                             const Context& context)
    : path_(std::move(path)),
      run_(std::move(run)),
      what_(std::move(what)),
      is_kept_(is_kept),
      context_(context) {}

std::optional<Forest> RunCheckpoint::load(bool resume) const {
  if (!resume) {
    if (std::filesystem::exists(path_)) {
      context_.info(
          fmt::format("{} of an earlier run is replaced; --resume would go on from it", path_));
    }
    return std::nullopt;
  }
  std::optional<Forest> trees = load_checkpoint(path_, run_, context_);
  if (trees) {
    context_.info(fmt::format("going on from {}: {} trees", path_, trees->trees().size()));
  } else {
    context_.info(fmt::format("there is no {}: training{}{} begins with the first round", path_,
                              what_.empty() ? "" : " ", what_));
  }
  return trees;
}

void RunCheckpoint::attach(LambdamartRun& run, std::size_t every) {
  if (!is_kept_) return;
  run.checkpoint_every = every;
  run.save_checkpoint = [this](const Forest& grown) { save_if_cheap(grown); };
}

void RunCheckpoint::save(const Forest& grown) const {
  if (is_kept_) save_checkpoint(path_, grown, run_);
}

void RunCheckpoint::remove() const {
  if (is_kept_) std::filesystem::remove(path_);
}

// Long forests of quick rounds would spend their time writing.
void RunCheckpoint::save_if_cheap(const Forest& grown) {
  const Clock::time_point begin = Clock::now();
  if (begin - last_save_ < 20 * save_time_) return;
  save(grown);
  last_save_ = Clock::now();
  save_time_ = last_save_ - begin;
}

}  // namespace glassrank::cli
