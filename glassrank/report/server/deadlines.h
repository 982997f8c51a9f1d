#pragma once
// Time limits of requests: a flag for each (Context::stop), set when its time is over or when the
// server stops. One thread watches all of them.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

namespace glassrank {

class Deadlines {
  struct Watched {
    std::chrono::steady_clock::time_point end;
    std::atomic<bool> is_over = false;
  };

 public:
  Deadlines();
  ~Deadlines();
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;

  // From construction to destruction of one request.
  class Limit {
   public:
    Limit(Deadlines& deadlines, std::chrono::milliseconds time);
    ~Limit();
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;
    const std::atomic<bool>& stop() const { return place_->is_over; }
    std::chrono::steady_clock::time_point end() const { return place_->end; }

   private:
    Deadlines& deadlines_;
    std::list<Watched>::iterator place_;
  };

  // Ends all requests there are and will be.
  void stop_all();

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Watched> requests_;
  bool stops_all_ = false;
  bool is_done_ = false;
  std::thread watcher_;
};

}  // namespace glassrank
