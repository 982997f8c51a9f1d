#include "glassrank/base/communicator.h"

#include <algorithm>
#include <utility>

namespace glassrank {
namespace {

class Alone final : public Communicator {
 public:
  int size() const override { return 1; }
  int rank() const override { return 0; }
  void sum(std::span<std::int32_t>) const override {}
  void sum(std::span<std::int64_t>) const override {}
  void max(std::span<double>) const override {}
  std::vector<Bytes> gather(std::span<const std::byte> own) const override {
    return {Bytes(own.begin(), own.end())};
  }
  void broadcast(Bytes&, int) const override {}
  void sum_scatter(std::span<const std::int32_t> values, std::span<const std::size_t>,
                   std::span<std::int32_t> own) const override {
    std::ranges::copy(values, own.begin());
  }
  void sum_scatter(std::span<const std::int64_t> values, std::span<const std::size_t>,
                   std::span<std::int64_t> own) const override {
    std::ranges::copy(values, own.begin());
  }
};

}  // namespace

std::shared_ptr<const Communicator> Communicator::alone() {
  static const auto communicator = std::make_shared<const Alone>();
  return communicator;
}

CountingCommunicator::CountingCommunicator(std::shared_ptr<const Communicator> inner)
    : inner_(std::move(inner)) {}

Traffic CountingCommunicator::traffic() const {
  return {.calls = calls_.load(std::memory_order_relaxed),
          .bytes = bytes_.load(std::memory_order_relaxed)};
}

// `share` in units of (p - 1) / p of the bytes.
void CountingCommunicator::count(std::size_t bytes, double share) const {
  const double machines = size();
  calls_.fetch_add(1, std::memory_order_relaxed);
  bytes_.fetch_add(
      static_cast<std::uint64_t>(share * static_cast<double>(bytes) * (machines - 1) / machines),
      std::memory_order_relaxed);
}

void CountingCommunicator::sum(std::span<std::int32_t> values) const {
  count(values.size_bytes(), 2);
  inner_->sum(values);
}

void CountingCommunicator::sum(std::span<std::int64_t> values) const {
  count(values.size_bytes(), 2);
  inner_->sum(values);
}

void CountingCommunicator::max(std::span<double> values) const {
  count(values.size_bytes(), 2);
  inner_->max(values);
}

std::vector<Communicator::Bytes> CountingCommunicator::gather(
    std::span<const std::byte> own) const {
  count(own.size(), size());
  return inner_->gather(own);
}

void CountingCommunicator::broadcast(Bytes& bytes, int root) const {
  inner_->broadcast(bytes, root);
  count(bytes.size(), rank() == root ? size() / std::max(1.0, size() - 1.0) : 0);
}

void CountingCommunicator::sum_scatter(std::span<const std::int32_t> values,
                                       std::span<const std::size_t> block_sizes,
                                       std::span<std::int32_t> own) const {
  count(values.size_bytes(), 1);
  inner_->sum_scatter(values, block_sizes, own);
}

void CountingCommunicator::sum_scatter(std::span<const std::int64_t> values,
                                       std::span<const std::size_t> block_sizes,
                                       std::span<std::int64_t> own) const {
  count(values.size_bytes(), 1);
  inner_->sum_scatter(values, block_sizes, own);
}

}  // namespace glassrank
