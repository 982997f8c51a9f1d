#include "glassrank/report/server/deadlines.h"

#include <algorithm>

#include "glassrank/base/start_thread.h"

namespace glassrank {
namespace {

constexpr std::chrono::milliseconds kGlance(20);

}  // namespace

Deadlines::Deadlines() : watcher_(start_thread([this] { watch(); })) {}

Deadlines::~Deadlines() {
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  changed_.notify_all();
  watcher_.join();
}

// Looks often rather than at the right time: cheaper than waking up for every request.
void Deadlines::watch() {
  std::unique_lock lock(mutex_);
  while (!is_done_) {
    if (requests_.empty()) {
      changed_.wait(lock);
      continue;
    }
    changed_.wait_for(lock, kGlance);
    const auto now = std::chrono::steady_clock::now();
    for (Watched& request : requests_) {
      if (stops_all_ || now >= request.end) request.is_over.store(true);
    }
  }
}

void Deadlines::stop_all() {
  {
    const std::lock_guard lock(mutex_);
    stops_all_ = true;
    for (Watched& request : requests_) request.is_over.store(true);
  }
  changed_.notify_all();
}

Deadlines::Limit::Limit(Deadlines& deadlines, std::chrono::milliseconds time)
    : deadlines_(deadlines) {
  bool is_first = false;
  {
    const std::lock_guard lock(deadlines.mutex_);
    is_first = deadlines.requests_.empty();
    place_ = deadlines.requests_.emplace(deadlines.requests_.end());
    place_->end = std::chrono::steady_clock::now() + time;
    place_->is_over.store(deadlines.stops_all_);
  }
  if (is_first) deadlines.changed_.notify_all();
}

Deadlines::Limit::~Limit() {
  const std::lock_guard lock(deadlines_.mutex_);
  deadlines_.requests_.erase(place_);
}

}  // namespace glassrank
