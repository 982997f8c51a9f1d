#include "glassrank/base/threads.h"

#include <optional>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace glassrank {

struct Threads::Arena {
  explicit Arena(int count) : arena(count) {
    if (count <= tbb::info::default_concurrency()) return;
    limit.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
  }
  // Lets an arena have more threads than cores (tests do, users may). Of several limits the
  // smallest holds, so none is set where it is not needed.
  std::optional<tbb::global_control> limit;
  tbb::task_arena arena;
};

Threads::Threads(int count)
    : count_(count > 0 ? count : tbb::info::default_concurrency()),
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
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, num_tasks, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i != range.end(); ++i) task(i);
        },
        tbb::simple_partitioner());
  });
}

}  // namespace glassrank
