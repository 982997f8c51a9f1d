#pragma once
// A thread per connection, at most so many; those that are done wait for the next connection.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace glassrank {

class ConnectionThreads {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}

  // False, and nothing is done, when all are busy or the system gives no more threads or memory.
  // `serve` throws nothing.
  bool start(std::function<void()> serve);
  // Once; waits for those that are busy.
  void join();

 private:
  void work();

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t num_busy_ = 0;  // connections that are served, or about to be
  bool is_over_ = false;
};

}  // namespace glassrank
