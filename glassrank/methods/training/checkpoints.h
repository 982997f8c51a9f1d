#pragma once
// Where a training keeps what it needs to go on after an interruption, and finds it again.
//
// A training has one or more phases (the base model of cleaning, the main effects of ILMART, the
// model itself), each with a state of its own: its trees, or bytes that the method reads back. A
// state is a pure function of data, parameters and seed up to its round: going on from it ends in
// the model that an uninterrupted run gives.
//   FileCheckpoints     files beside the model (OUT.checkpoint, OUT.base.checkpoint, ...)
//   MemoryCheckpoints   for trainings that a search prolongs
//   SharedCheckpoints   of several machines

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/models/forest/forest.h"
#include "glassrank/models/model.h"

namespace glassrank {

struct TrainingPhase {
  std::string name = {};   // in names of files: "base"; empty: the model itself
  std::string label = {};  // in the record of the run: "base model of cleaning"
  std::string what = {};   // in messages: "the base model"; empty: a run of one phase
  bool is_last = true;     // its end is the end of the training
};

// Either of the two.
struct TrainingState {
  TrainingState(Forest all_trees)
      : trees(std::move(all_trees)) {}  // NOLINT(google-explicit-constructor)
  TrainingState(std::string state)
      : bytes(std::move(state)) {}  // NOLINT(google-explicit-constructor)

  std::optional<Forest> trees;
  std::string bytes;
};

class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  // The state the phase goes on from; nothing: it begins anew.
  virtual std::optional<TrainingState> load(const TrainingPhase& phase) = 0;
  // Rounds between two saves while the phase runs; 0: none.
  virtual std::size_t every() const = 0;
  virtual void save(const TrainingPhase& phase, const TrainingState& state) = 0;
  // Once the phase is over.
  virtual void save_end(const TrainingPhase& phase, const TrainingState& state,
                        bool is_interrupted) = 0;
};

// The trees of a state, where it has some.
std::optional<Forest> load_trees(Checkpoints* checkpoints, const TrainingPhase& phase);
// The bytes of a state.
std::optional<std::string> load_bytes(Checkpoints* checkpoints, const TrainingPhase& phase);

class MemoryCheckpoints final : public Checkpoints {
 public:
  std::optional<TrainingState> load(const TrainingPhase& phase) override;
  std::size_t every() const override { return 0; }
  void save(const TrainingPhase& phase, const TrainingState& state) override;
  void save_end(const TrainingPhase& phase, const TrainingState& state,
                bool is_interrupted) override;
  void erase(const std::string& phase) { states_.erase(phase); }

 private:
  std::map<std::string, TrainingState> states_;
};

// The checkpoints of several machines are those of the first: it alone reads and writes, and tells
// the others what it read. Collective: load().
class SharedCheckpoints final : public Checkpoints {
 public:
  // Both outlive it.
  SharedCheckpoints(Checkpoints& first, const Context& context)
      : first_(first), machines_(*context.communicator) {}
  std::optional<TrainingState> load(const TrainingPhase& phase) override;
  std::size_t every() const override { return first_.every(); }
  void save(const TrainingPhase& phase, const TrainingState& state) override;
  void save_end(const TrainingPhase& phase, const TrainingState& state,
                bool is_interrupted) override;

 private:
  Checkpoints& first_;
  const Communicator& machines_;
};

class FileCheckpoints final : public Checkpoints {
 public:
  struct Setup {
    std::string out;  // the model's file
    Provenance run;   // whose states they are
    std::size_t every = 0;
    bool resumes = false;
    bool is_kept = true;  // off: nothing is written
  };
  // `context` outlives it.
  FileCheckpoints(Setup setup, const Context& context)
      : setup_(std::move(setup)), context_(context) {}

  // Throws Error{kUsage} for the state of another run, Error{kInput} for a file that is none. Says
  // what it found.
  std::optional<TrainingState> load(const TrainingPhase& phase) override;
  std::size_t every() const override { return setup_.is_kept ? setup_.every : 0; }
  // Leaves out saves that would take more than a twentieth of the time. One that fails is a
  // warning, here and in save_end: training is worth more than its checkpoint.
  void save(const TrainingPhase& phase, const TrainingState& state) override;
  void save_end(const TrainingPhase& phase, const TrainingState& state,
                bool is_interrupted) override;
  // Every file of this run.
  void remove_all() const;
  bool has_saved() const { return has_saved_; }

  static std::string path_of(const std::string& out, std::string_view phase);
  // Whether `path` is spelt as the checkpoint of some phase of `out` would be.
  static bool is_path_of(const std::string& out, std::string_view path);
  // OUT.checkpoint, and every file that is there under the name of a phase: a training may replace
  // it or move it away.
  static std::vector<std::string> paths_of(const std::string& out);

 private:
  using Clock = std::chrono::steady_clock;
  std::string path(const TrainingPhase& phase) const { return path_of(setup_.out, phase.name); }
  Provenance run_of(const TrainingPhase& phase) const;
  void write(const TrainingPhase& phase, const TrainingState& state);
  // What an earlier run left, under another name: a run that does not resume must not destroy it.
  void keep_as_old(const std::string& file) const;

  Setup setup_;
  const Context& context_;
  std::vector<std::string> phases_;  // that were begun
  bool has_saved_ = false;
  bool has_failed_ = false;  // said once
  Clock::time_point last_save_ = Clock::now();
  Clock::duration save_time_{};
};

}  // namespace glassrank
