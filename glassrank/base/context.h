#pragma once
// What travels with every long operation: threads, seed, where messages go, whether to stop, who
// else works on it.
//
// The library never prints, exits, reads the environment or keeps mutable globals; it talks to its
// caller through the sinks of a Context. A default Context uses every core and stays silent.
// Copies are cheap and share threads and sinks.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "glassrank/base/communicator.h"
#include "glassrank/base/threads.h"

namespace glassrank {

enum class LogLevel { kInfo, kWarning };

class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void log(LogLevel level, std::string_view message) = 0;
};

// Shows how far one task is. Called from the thread that runs the task, about ten times a second
// at most worth acting on; implementations throttle themselves.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  // `total` is 0 when the size is not known (a pipe). `unit` is "bytes", "rows", "rounds", ...
  virtual void start(std::string_view task, std::string_view unit, std::uint64_t total) = 0;
  virtual void update(std::uint64_t done, std::string_view detail) = 0;
  virtual void finish() = 0;
};

struct Context {
  std::shared_ptr<const Threads> threads = Threads::all();
  std::uint64_t seed = 0;
  std::shared_ptr<LogSink> log_sink;            // null: silent
  std::shared_ptr<ProgressSink> progress_sink;  // null: silent
  const std::atomic<bool>* stop = nullptr;      // set from a signal handler; null: never
  std::shared_ptr<const Communicator> communicator = Communicator::alone();
  // Bytes that a packed file may unpack to, against files that are made to fill the memory; 0: 1
  // GiB or a hundred times the packed size, whichever is more.
  std::uint64_t most_unpacked = 0;
  // Bytes that the program may use (0: no limit), and the folder for arrays that are too large for
  // that (large_buffer.h; empty: the present one).
  std::uint64_t memory = 0;
  std::string scratch;

  void info(std::string_view message) const;
  void warn(std::string_view message) const;
  // Whether the user has asked to stop. Never so on one of several machines, which the others would
  // wait for: they stop together, where they ask each other.
  bool is_stopped() const {
    return stop != nullptr && stop->load(std::memory_order_relaxed) && communicator->is_alone();
  }
  // Throws Error{kInterrupted} once the user has asked to stop.
  void check_stop() const;
  // The same, asked of all machines at once: collective.
  bool is_stopped_anywhere() const;
  void check_stop_anywhere() const;
  // The same, but never stopped: to finish and write what there is once the user has asked to stop.
  Context finishing() const;
};

// One task's progress, from construction to destruction; does nothing without a sink.
// `add` may be called from any thread; only `report` (by the owning thread) reaches the sink.
class Progress {
 public:
  Progress(const Context& context, std::string_view task, std::string_view unit,
           std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add(std::uint64_t amount) { done_.fetch_add(amount, std::memory_order_relaxed); }
  void report(std::string_view detail = {});

 private:
  std::shared_ptr<ProgressSink> sink_;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace glassrank
