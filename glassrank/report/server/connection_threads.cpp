#include "glassrank/report/server/connection_threads.h"

#include <exception>
#include <utility>

namespace glassrank {

bool ConnectionThreads::start(std::function<void()> serve) {
  try {
    const std::lock_guard lock(mutex_);
    if (num_busy_ >= most_) return false;
    if (threads_.size() <= num_busy_) threads_.emplace_back([this] { work(); });
    waiting_.push_back(std::move(serve));
    ++num_busy_;
  } catch (const std::exception&) {  // no thread: std::system_error; no memory: std::bad_alloc
    return false;
  }
  changed_.notify_one();
  return true;
}

void ConnectionThreads::join() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void ConnectionThreads::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !waiting_.empty() || is_over_; });
    if (waiting_.empty()) return;
    const std::function<void()> serve = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    serve();
    lock.lock();
    --num_busy_;
  }
}

}  // namespace glassrank
