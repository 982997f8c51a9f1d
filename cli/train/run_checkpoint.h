#pragma once
// The checkpoint file of one training run: read when it goes on, written on the way, removed at
// the end. A run that cleans its data has two, one of the base and one of the final model.

#include <chrono>
#include <optional>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/models/model.h"

namespace glassrank::cli {

class RunCheckpoint {
 public:
  // `what` it is of, for messages: "" or "the base model". With `is_kept` off nothing is written.
  // `context` outlives it.
  RunCheckpoint(std::string path, Provenance run, std::string what, bool is_kept,
                const Context& context);

  // With `resume` the trees of the run so far, if there are any; says what it found.
  std::optional<Forest> load(bool resume) const;
  // Makes the run save its trees every so many rounds, but at most for a twentieth of the time.
  void attach(LambdamartRun& run, std::size_t every);
  void save(const Forest& grown) const;
  void remove() const;

 private:
  void save_if_cheap(const Forest& grown);

  using Clock = std::chrono::steady_clock;
  std::string path_;
  Provenance run_;
  std::string what_;
  bool is_kept_;
  const Context& context_;
  Clock::time_point last_save_ = Clock::now();
  Clock::duration save_time_{};
};

}  // namespace glassrank::cli
