#pragma once
// A fixed number of worker threads (a oneTBB arena behind a small door).
//
// Where the system gives fewer threads than asked for (a limit on processes or memory), the work is
// done with those there are. Exceptions thrown by the body reach the caller. Nested use is allowed.
// Threads never decide a result: see parallel.h for the loops and the ordered reduction built on
// it.

#include <cstddef>
#include <memory>

#include "glassrank/base/function_ref.h"

namespace glassrank {

class Threads {
  class Team;

 public:
  // 0 means one per core. Starts no more than the system lets it.
  explicit Threads(int count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  // One per core; shared by every default Context.
  static std::shared_ptr<const Threads> all();

  int count() const { return count_; }

  // Calls task(i) once for every i in [0, num_tasks), in any order, on the workers and the caller.
  void run(std::size_t num_tasks, FunctionRef<void(std::size_t)> task) const;

  // While one lives, workers stay awake for the run() of the thread that made it: a step is shared
  // out in about a microsecond, where waking somebody takes tens. For bursts of short steps with
  // little between them. Idle workers spin, and after a while yield without end: keep it short. Of
  // several at a time only the first does anything; nested run() is done by the thread that asks.
  class Awake {
   public:
    explicit Awake(const Threads& threads);
    ~Awake();
    Awake(const Awake&) = delete;
    Awake& operator=(const Awake&) = delete;

   private:
    const Threads& threads_;
    std::shared_ptr<Team> team_;
  };

 private:
  struct Arena;
  int count_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace glassrank
