#pragma once
// Lets so many at a time work on something, the others wait for their turn until a point in time.

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace glassrank {

class Turns {
 public:
  explicit Turns(int most) : free_(most) {}

  class Turn {
   public:
    Turn(Turns& turns, std::chrono::steady_clock::time_point end) : turns_(turns) {
      std::unique_lock lock(turns.mutex_);
      is_mine_ = turns.changed_.wait_until(lock, end, [&] { return turns.free_ > 0; });
      if (is_mine_) --turns.free_;
    }
    ~Turn() {
      if (!is_mine_) return;
      {
        const std::lock_guard lock(turns_.mutex_);
        ++turns_.free_;
      }
      turns_.changed_.notify_one();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    bool is_mine() const { return is_mine_; }

   private:
    Turns& turns_;
    bool is_mine_ = false;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int free_;
};

}  // namespace glassrank
