#pragma once
// Machines that work on one task together, each with rows of its own.
//
// Whatever is summed over rows (histograms, gradient totals, row counts, metric totals) goes
// through sum(): every machine gets the total, and all go on with the same numbers. A program alone
// has a communicator of size 1, whose sums are what they were: there is no second code path.
// Calls are collective: every machine makes the same calls, in the same order, with as many values,
// from one thread at a time.

#include <cstdint>
#include <memory>
#include <span>

namespace glassrank {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int size() const = 0;
  virtual int rank() const = 0;  // 0 to size - 1
  // Each value becomes its sum over the machines, added in the order of their ranks.
  virtual void sum(std::span<double> values) const = 0;
  virtual void sum(std::span<std::int32_t> values) const = 0;
  virtual void sum(std::span<std::uint64_t> values) const = 0;

  // Of a program that works alone.
  static std::shared_ptr<const Communicator> alone();
};

}  // namespace glassrank
