#pragma once
// Where the time of a boosting run goes, in seconds of wall time. Booster and backend add to it;
// bench/micro/train_program prints it.

#include <chrono>
#include <cstdint>

namespace glassrank {

struct BoostingTimes {
  double gradients = 0;
  double quantise = 0;  // all that is done before a tree's first histogram
  double histograms = 0;
  double splits = 0;  // subtraction and search
  double partition = 0;
  double leaf_values = 0;  // with the scores of training rows
  double valid = 0;        // scores of the other sets
  double total = 0;
  std::uint64_t histogram_rows = 0;  // added to histograms, over all leaves
};

// Adds its own life to a total.
class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total) {}
  ~Stopwatch() {
    total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace glassrank
