#pragma once
// Machines as threads of this program, each with a communicator of its own: what tests of several
// machines run on. Each call is one exchange: every machine puts its bytes down, all wait, all look
// at everything.

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "glassrank/base/communicator.h"
#include "glassrank/base/error.h"

namespace glassrank::testing {

class MachineTable {
 public:
  explicit MachineTable(int size) : parts_(static_cast<std::size_t>(size)) {}

  std::vector<Communicator::Bytes> exchange(int rank, std::span<const std::byte> own) {
    parts_[static_cast<std::size_t>(rank)].assign(own.begin(), own.end());
    wait();
    std::vector<Communicator::Bytes> all = parts_;
    wait();
    return all;
  }
  // A machine is done with all calls, or lost: nobody is to wait for it.
  void leave() {
    const std::lock_guard lock(mutex_);
    has_left_ = true;
    changed_.notify_all();
  }
  int size() const { return static_cast<int>(parts_.size()); }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    const std::size_t turn = turn_;
    if (++num_waiting_ == parts_.size()) {
      num_waiting_ = 0;
      ++turn_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return turn_ != turn || has_left_; });
    if (turn_ == turn) throw Error(ErrorKind::kIo, "another machine has left");
  }

  std::vector<Communicator::Bytes> parts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t num_waiting_ = 0;
  std::size_t turn_ = 0;
  bool has_left_ = false;
};

class Machine final : public Communicator {
 public:
  Machine(std::shared_ptr<MachineTable> table, int rank) : table_(std::move(table)), rank_(rank) {}
  int size() const override { return table_->size(); }
  int rank() const override { return rank_; }
  using Communicator::sum;
  void sum(std::span<std::int32_t> values) const override { fold(values, std::plus<>()); }
  void sum(std::span<std::int64_t> values) const override { fold(values, std::plus<>()); }
  void max(std::span<double> values) const override {
    fold(values, [](double a, double b) { return std::max(a, b); });
  }
  std::vector<Bytes> gather(std::span<const std::byte> own) const override {
    return table_->exchange(rank_, own);
  }
  void broadcast(Bytes& bytes, int root) const override {
    bytes =
        table_->exchange(rank_, rank_ == root ? bytes : Bytes())[static_cast<std::size_t>(root)];
  }
  void sum_scatter(std::span<const std::int32_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int32_t> own) const override {
    scatter(values, block_sizes, own);
  }
  void sum_scatter(std::span<const std::int64_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int64_t> own) const override {
    scatter(values, block_sizes, own);
  }

 private:
  template <typename T, typename Combine>
  void fold(std::span<T> values, Combine&& combine) const {
    const auto parts = table_->exchange(rank_, std::as_bytes(values));
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].size() != values.size_bytes()) {
        throw Error(ErrorKind::kIo, "machines do not make the same calls");
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        T part;
        std::memcpy(&part, parts[p].data() + i * sizeof(T), sizeof(T));
        values[i] = p == 0 ? part : static_cast<T>(combine(values[i], part));
      }
    }
  }
  template <typename T>
  void scatter(std::span<const T> values, std::span<const std::size_t> block_sizes,
               std::span<T> own) const {
    std::vector<T> all(values.begin(), values.end());
    fold(std::span(all), std::plus<>());
    std::size_t begin = 0;
    for (int r = 0; r < rank_; ++r) begin += block_sizes[static_cast<std::size_t>(r)];
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(begin), own.size(), own.begin());
  }

  std::shared_ptr<MachineTable> table_;
  int rank_;
};

// Calls work(communicator) on `size` machines at once. Throws what the first of them threw that did
// not only wait for another.
template <typename Work>
void on_machines(int size, Work&& work) {
  const auto table = std::make_shared<MachineTable>(size);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  std::vector<std::thread> machines;
  for (int rank = 0; rank < size; ++rank) {
    machines.emplace_back([&, rank] {
      try {
        // A machine alone may call from several threads, which a table of one would mix up.
        work(size == 1 ? Communicator::alone() : std::make_shared<const Machine>(table, rank));
      } catch (...) {
        errors[static_cast<std::size_t>(rank)] = std::current_exception();
      }
      table->leave();
    });
  }
  for (std::thread& machine : machines) machine.join();
  const auto only_waited = [](const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const Error& e) {
      return e.message() == "another machine has left";
    } catch (...) {
      return false;
    }
  };
  std::ranges::stable_sort(errors, {}, [&](const auto& e) { return !e ? 2 : only_waited(e); });
  if (errors[0]) std::rethrow_exception(errors[0]);
}

}  // namespace glassrank::testing
