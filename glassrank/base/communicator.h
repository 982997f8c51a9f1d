#pragma once
// Machines that work on one task together, each with rows of its own.
//
// Whatever is found over rows goes through here: every machine gets the total, and all go on with
// the same numbers. Only integers are summed: their sums are exact in any order, so a model does
// not depend on how rows are cut over machines. Real numbers are summed as integers too
// (math/exact_sum.h, math/fixed_point.h). A program alone has a communicator of size 1, whose sums
// are what they were: there is no second code path.
//
// Calls are collective: every machine makes the same calls, in the same order, with as many values
// (but for gather), from one thread at a time. What one machine alone may throw must not stand
// between two calls, or the others wait for ever: see agree() (base/agree.h).
// A machine that is lost ends the calls of the others with an error or the whole program.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glassrank {

class Communicator {
 public:
  using Bytes = std::vector<std::byte>;

  virtual ~Communicator() = default;
  virtual int size() const = 0;
  virtual int rank() const = 0;  // 0 to size - 1

  // Each value becomes its sum over the machines. Unsigned sums wrap, like signed ones.
  virtual void sum(std::span<std::int32_t> values) const = 0;
  virtual void sum(std::span<std::int64_t> values) const = 0;
  void sum(std::span<std::uint64_t> values) const {
    // Of the same bits: two's complement.
    sum(std::span(reinterpret_cast<std::int64_t*>(values.data()), values.size()));
  }
  // Each value becomes the largest of the machines. No NaN.
  virtual void max(std::span<double> values) const = 0;

  // The bytes of every machine, in the order of their ranks; each may give another number.
  virtual std::vector<Bytes> gather(std::span<const std::byte> own) const = 0;
  // Every machine gets the bytes of one; the others' `bytes` are replaced.
  virtual void broadcast(Bytes& bytes, int root) const = 0;

  // Sums where each machine needs one block only: `values` are the blocks of all machines one after
  // the other, block_sizes[r] values for machine r (their sum is values.size()); `own` gets this
  // machine's block, summed. Half the traffic of sum().
  virtual void sum_scatter(std::span<const std::int32_t> values,
                           std::span<const std::size_t> block_sizes,
                           std::span<std::int32_t> own) const = 0;
  virtual void sum_scatter(std::span<const std::int64_t> values,
                           std::span<const std::size_t> block_sizes,
                           std::span<std::int64_t> own) const = 0;

  bool is_alone() const { return size() == 1; }
  bool is_first() const { return rank() == 0; }  // the one that writes files and messages

  // Of a program that works alone.
  static std::shared_ptr<const Communicator> alone();
};

// What went through a communicator. `bytes` is what a machine has to send when calls are done as
// well as they can be: of n bytes on p machines a sum sends 2 n (p - 1) / p (a maximum too),
// sum_scatter n (p - 1) / p, gather its own n to p - 1 others, broadcast n from its root.
struct Traffic {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
};

// Counts what goes through another one.
class CountingCommunicator final : public Communicator {
 public:
  explicit CountingCommunicator(std::shared_ptr<const Communicator> inner);
  Traffic traffic() const;

  int size() const override { return inner_->size(); }
  int rank() const override { return inner_->rank(); }
  using Communicator::sum;
  void sum(std::span<std::int32_t> values) const override;
  void sum(std::span<std::int64_t> values) const override;
  void max(std::span<double> values) const override;
  std::vector<Bytes> gather(std::span<const std::byte> own) const override;
  void broadcast(Bytes& bytes, int root) const override;
  void sum_scatter(std::span<const std::int32_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int32_t> own) const override;
  void sum_scatter(std::span<const std::int64_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int64_t> own) const override;

 private:
  void count(std::size_t bytes, double share) const;

  std::shared_ptr<const Communicator> inner_;
  mutable std::atomic<std::uint64_t> calls_ = 0;
  mutable std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace glassrank
