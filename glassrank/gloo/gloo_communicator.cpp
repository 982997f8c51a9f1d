#include "glassrank/gloo/gloo_communicator.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <gloo/allgather.h>
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/alltoallv.h>
#include <gloo/broadcast.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// Runs a call of Gloo; what it throws is an error of ours.
template <typename Call>
void with_gloo(const char* what, Call&& call) {
  try {
    call();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    fail(ErrorKind::kIo, "{}: a machine is lost or cannot be reached: {}", what, error.what());
  }
}

template <typename T>
void add(void* out, const void* a, const void* b, std::size_t count) {
  auto* sums = static_cast<T*>(out);
  const auto* left = static_cast<const T*>(a);
  const auto* right = static_cast<const T*>(b);
  using Unsigned = std::make_unsigned_t<T>;  // wraps
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = static_cast<T>(static_cast<Unsigned>(left[i]) + static_cast<Unsigned>(right[i]));
  }
}

void take_larger(void* out, const void* a, const void* b, std::size_t count) {
  auto* larger = static_cast<double*>(out);
  const auto* left = static_cast<const double*>(a);
  const auto* right = static_cast<const double*>(b);
  for (std::size_t i = 0; i < count; ++i) larger[i] = std::max(left[i], right[i]);
}

// Gloo looks addresses up in a store that all machines share: here, a table that one exchange
// fills. Addresses go by rank. Names of hosts, under other keys, tell Gloo which machines are one
// computer, which makes no difference over TCP: they are not passed around.
class ExchangedStore final : public gloo::rendezvous::Store {
 public:
  explicit ExchangedStore(const GlooSetup& setup) : setup_(setup) {}

  void set(const std::string& key, const std::vector<char>& data) override {
    if (!is_rank(key)) return;
    all_ = setup_.exchange(std::string(data.begin(), data.end()));
    if (all_.size() != static_cast<std::size_t>(setup_.size)) {
      fail(ErrorKind::kIo, "{} machines gave their addresses; there are {}", all_.size(),
           setup_.size);
    }
  }
  std::vector<char> get(const std::string& key) override {
    if (!is_rank(key)) return {};
    const std::string& text = all_.at(std::stoul(key));
    return {text.begin(), text.end()};
  }
  void wait(const std::vector<std::string>& /*keys*/) override {}
  void wait(const std::vector<std::string>& /*keys*/,
            const std::chrono::milliseconds& /*timeout*/) override {}

 private:
  static bool is_rank(const std::string& key) {
    return key.find_first_not_of("0123456789") == std::string::npos;
  }

  const GlooSetup& setup_;
  std::vector<std::string> all_;
};

class GlooCommunicator final : public Communicator {
 public:
  explicit GlooCommunicator(const GlooSetup& setup)
      : context_(std::make_shared<gloo::rendezvous::Context>(setup.rank, setup.size)) {
    context_->setTimeout(setup.timeout);
    gloo::transport::tcp::attr attributes;
    attributes.hostname = setup.host;
    auto device = gloo::transport::tcp::CreateDevice(attributes);
    ExchangedStore store(setup);
    context_->connectFullMesh(store, device);
    // No machine goes on, and perhaps away, while another is still connecting.
    std::int32_t connected = 1;
    sum(std::span(&connected, 1));
  }

  int size() const override { return context_->size; }
  int rank() const override { return context_->rank; }

  void sum(std::span<std::int32_t> values) const override { reduce(values, add<std::int32_t>); }
  void sum(std::span<std::int64_t> values) const override { reduce(values, add<std::int64_t>); }
  void max(std::span<double> values) const override { reduce(values, take_larger); }

  std::vector<Bytes> gather(std::span<const std::byte> own) const override {
    // Gloo has no use for empty parts: each has one byte more.
    std::vector<char> sent(own.size() + 1);
    if (!own.empty()) std::memcpy(sent.data(), own.data(), own.size());
    const std::vector<std::size_t> sizes = gather_sizes(sent.size());
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += size;
    std::vector<char> all(total);
    with_gloo("gather", [&] {
      gloo::AllgathervOptions options(context_);
      options.setInput(sent.data(), sent.size());
      options.setOutput(all.data(), sizes);
      gloo::allgatherv(options);
    });
    std::vector<Bytes> parts;
    const char* at = all.data();
    for (const std::size_t size : sizes) {
      const auto* bytes = reinterpret_cast<const std::byte*>(at);
      parts.emplace_back(bytes, bytes + size - 1);
      at += size;
    }
    return parts;
  }

  void broadcast(Bytes& bytes, int root) const override {
    std::uint64_t size = bytes.size();
    broadcast(&size, 1, root);
    bytes.resize(size);
    if (size > 0) broadcast(reinterpret_cast<char*>(bytes.data()), size, root);
  }

  void sum_scatter(std::span<const std::int32_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int32_t> own) const override {
    scatter(values, block_sizes, own);
  }
  void sum_scatter(std::span<const std::int64_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int64_t> own) const override {
    scatter(values, block_sizes, own);
  }
  using Communicator::sum;

 private:
  template <typename T>
  void reduce(std::span<T> values,
              void (*function)(void*, const void*, const void*, std::size_t)) const {
    if (values.empty()) return;
    with_gloo("sum", [&] {
      gloo::AllreduceOptions options(context_);
      options.setOutput(values.data(), values.size());  // in place
      options.setReduceFunction(function);
      gloo::allreduce(options);
    });
  }

  std::vector<std::size_t> gather_sizes(std::size_t own) const {
    std::vector<std::size_t> sizes(static_cast<std::size_t>(size()));
    with_gloo("gather", [&] {
      gloo::AllgatherOptions options(context_);
      options.setInput(&own, 1);
      options.setOutput(sizes.data(), sizes.size());
      gloo::allgather(options);
    });
    return sizes;
  }

  template <typename T>
  void broadcast(T* values, std::size_t count, int root) const {
    with_gloo("broadcast", [&] {
      gloo::BroadcastOptions options(context_);
      options.setOutput(values, count);
      options.setRoot(root);
      gloo::broadcast(options);
    });
  }

  // Every machine sends each other one its block; sums are made where they are needed.
  template <typename T>
  void scatter(std::span<const T> values, std::span<const std::size_t> block_sizes,
               std::span<T> own) const {
    const std::size_t total = own.size() * block_sizes.size();
    std::vector<T> received(std::max<std::size_t>(total, 1));
    std::vector<T> sent(values.begin(), values.end());
    sent.resize(std::max<std::size_t>(sent.size(), 1));
    with_gloo("sum_scatter", [&] {
      gloo::AlltoallvOptions options(context_);
      options.setInput(sent.data(), {block_sizes.begin(), block_sizes.end()});
      options.setOutput(
          received.data(),
          std::vector<std::int64_t>(block_sizes.size(), static_cast<std::int64_t>(own.size())));
      gloo::alltoallv(options);
    });
    std::ranges::fill(own, T{0});
    for (std::size_t r = 0; r < block_sizes.size(); ++r) {
      add<T>(own.data(), own.data(), received.data() + r * own.size(), own.size());
    }
  }

  std::shared_ptr<gloo::rendezvous::Context> context_;
};

}  // namespace

std::shared_ptr<const Communicator> connect_with_gloo(const GlooSetup& setup) {
  if (setup.size <= 1) return Communicator::alone();
  std::shared_ptr<const Communicator> communicator;
  with_gloo("connecting", [&] { communicator = std::make_shared<GlooCommunicator>(setup); });
  return communicator;
}

}  // namespace glassrank
