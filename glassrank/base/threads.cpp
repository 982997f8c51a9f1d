#include "glassrank/base/threads.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "glassrank/base/error.h"

namespace glassrank {

namespace {

// Waits for what comes soon: some tenths of a millisecond without giving the processor away, which
// could take a time slice to get back.
class ShortWait {
 public:
  void turn() {
    constexpr int kTurns = 5000;
    if (++num_turns_ > kTurns) {
      std::this_thread::yield();
      return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

 private:
  int num_turns_ = 0;
};

// How many threads, the caller among them, the system runs at a time: as many as are wanted, or
// fewer. oneTBB ends the process when it cannot start one that it counts on, so it is tried before,
// with all of them alive at once. It takes some tens of microseconds a thread.
int startable_threads(int wanted) {
  std::mutex gate;
  std::vector<std::thread> others;
  int count = 1;
  {
    const std::lock_guard closed(gate);  // nobody leaves before the last has come
    try {
      others.reserve(static_cast<std::size_t>(wanted));
      while (count < wanted) {
        others.emplace_back([&] { const std::lock_guard passing(gate); });
        ++count;
      }
    } catch (const std::exception&) {  // std::system_error; std::bad_alloc
    }
  }
  for (std::thread& other : others) other.join();
  return count;
}

}  // namespace

// One owner publishes steps, workers that wait in work() take part in them. A step is open while
// the epoch is odd. A worker says that it is inside before it looks at the epoch again, the owner
// closes the step before it looks who is inside: nobody touches a step that is over.
class Threads::Team {
 public:
  bool is_owner() const { return owner_ == std::this_thread::get_id(); }

  void run(std::size_t num_tasks, FunctionRef<void(std::size_t)> task) {
    if (epoch_.load() % 2 == 1) {  // asked from within a task
      for (std::size_t i = 0; i < num_tasks; ++i) task(i);
      return;
    }
    task_ = &task;
    num_tasks_ = num_tasks;
    next_ = 0;
    ++epoch_;
    take_tasks();
    ++epoch_;
    for (ShortWait wait; num_inside_.load() > 0;) wait.turn();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  void work() {
    std::uint64_t done = 0;
    ShortWait wait;
    while (!is_over_.load()) {
      const std::uint64_t epoch = epoch_.load();
      if (epoch % 2 == 0 || epoch == done) {
        wait.turn();
        continue;
      }
      ++num_inside_;
      if (epoch_.load() == epoch) take_tasks();
      --num_inside_;
      done = epoch;
      wait = {};
    }
  }

  void finish() { is_over_ = true; }

 private:
  void take_tasks() {
    try {
      for (std::size_t i = 0; (i = next_.fetch_add(1)) < num_tasks_;) (*task_)(i);
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
      next_ = num_tasks_;
    }
  }

  const std::thread::id owner_ = std::this_thread::get_id();
  std::atomic<bool> is_over_ = false;
  std::atomic<std::uint64_t> epoch_ = 0;
  std::atomic<int> num_inside_ = 0;
  // The step: written while the epoch is even and nobody is inside.
  const FunctionRef<void(std::size_t)>* task_ = nullptr;
  std::size_t num_tasks_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

struct Threads::Arena {
#if defined(__SANITIZE_THREAD__)
  // The sanitizer cannot follow oneTBB, which is not compiled with it: plain threads take its
  // place, so that what tasks do is looked at and nothing else.
  explicit Arena(int count) : num_others(static_cast<std::size_t>(count - 1)) {}

  void run(std::size_t num_tasks, FunctionRef<void(std::size_t)> task) {
    Team crew;
    std::vector<std::thread> others;
    for (std::size_t w = 0; w < num_others; ++w) others.emplace_back([&] { crew.work(); });
    const auto finish = [&] {
      crew.finish();
      for (std::thread& other : others) other.join();
    };
    try {
      crew.run(num_tasks, task);
    } catch (...) {
      finish();
      throw;
    }
    finish();
  }

  template <typename Work>
  void start(Work work) {
    std::thread(std::move(work)).detach();
  }

  std::size_t num_others;
#else
  explicit Arena(int count) : arena(count) {
    if (count <= tbb::info::default_concurrency()) return;
    limit.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
  }

  void run(std::size_t num_tasks, FunctionRef<void(std::size_t)> task) {
    try {
      arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, num_tasks, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
              for (std::size_t i = range.begin(); i != range.end(); ++i) task(i);
            },
            tbb::simple_partitioner());
      });
    } catch (const std::runtime_error& error) {
      // oneTBB's own word for it; what tasks throw is theirs.
      if (!std::string_view(error.what()).starts_with("pthread_create")) throw;
      fail(ErrorKind::kIo, "cannot start a thread: {}; --threads 1 needs none", error.what());
    }
  }

  template <typename Work>
  void start(Work work) {
    arena.enqueue(std::move(work));
  }

  // Lets an arena have more threads than cores (tests do, users may). Of several limits the
  // smallest holds, so none is set where it is not needed.
  std::optional<tbb::global_control> limit;
  tbb::task_arena arena;
#endif
  std::atomic<Team*> team = nullptr;
};

Threads::Threads(int count)
    : count_(startable_threads(count > 0 ? count : tbb::info::default_concurrency())),
      arena_(std::make_unique<Arena>(count_)) {}

Threads::~Threads() = default;

std::shared_ptr<const Threads> Threads::all() {
  static const auto threads = std::make_shared<const Threads>(0);
  return threads;
}

void Threads::run(std::size_t num_tasks, FunctionRef<void(std::size_t)> task) const {
  if (count_ == 1 || num_tasks <= 1) {
    for (std::size_t i = 0; i < num_tasks; ++i) task(i);
    return;
  }
  if (Team* team = arena_->team.load(); team != nullptr && team->is_owner()) {
    team->run(num_tasks, task);
    return;
  }
  arena_->run(num_tasks, task);
}

Threads::Awake::Awake(const Threads& threads) : threads_(threads) {
  if (threads.count_ == 1) return;
  auto team = std::make_shared<Team>();
  Team* nobody = nullptr;
  if (!threads.arena_->team.compare_exchange_strong(nobody, team.get())) return;
  team_ = std::move(team);
  // A worker that comes late finds the team finished and goes.
  try {
    for (int w = 1; w < threads.count_; ++w) {
      threads.arena_->start([joined = team_] { joined->work(); });
    }
  } catch (const std::exception&) {  // no memory, no thread: those that have come are enough
  }
}

Threads::Awake::~Awake() {
  if (team_ == nullptr) return;
  threads_.arena_->team = nullptr;
  team_->finish();
}

}  // namespace glassrank
