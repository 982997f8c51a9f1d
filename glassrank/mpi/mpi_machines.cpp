#include "glassrank/mpi/mpi_machines.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
// The C functions only.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <numeric>
#include <thread>

#include <climits>

namespace glassrank {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // MPI counts in int

// Errors of MPI itself end the program on all machines with its message (MPI_ERRORS_ARE_FATAL).
class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_size(comm_, &size_);
    MPI_Comm_rank(comm_, &rank_);
  }

  int size() const override { return size_; }
  int rank() const override { return rank_; }
  using Communicator::sum;
  void sum(std::span<std::int32_t> values) const override { fold(values, MPI_INT32_T, MPI_SUM); }
  void sum(std::span<std::int64_t> values) const override { fold(values, MPI_INT64_T, MPI_SUM); }
  void max(std::span<double> values) const override { fold(values, MPI_DOUBLE, MPI_MAX); }

  std::vector<Bytes> gather(std::span<const std::byte> own) const override {
    const std::uint64_t own_size = own.size();
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
    MPI_Allgather(&own_size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, comm_);
    std::vector<Bytes> all;
    for (const std::uint64_t size : sizes) all.emplace_back(size);
    const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    if (total <= kMostAtOnce) {
      gather_at_once(own, sizes, all);
      return all;
    }
    std::ranges::copy(own, all[static_cast<std::size_t>(rank_)].begin());
    for (int machine = 0; machine < size_; ++machine) {
      send(all[static_cast<std::size_t>(machine)], machine);
    }
    return all;
  }

  void broadcast(Bytes& bytes, int root) const override {
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, root, comm_);
    bytes.resize(size);
    send(bytes, root);
  }

  void sum_scatter(std::span<const std::int32_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int32_t> own) const override {
    scatter(values, block_sizes, own, MPI_INT32_T);
  }
  void sum_scatter(std::span<const std::int64_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int64_t> own) const override {
    scatter(values, block_sizes, own, MPI_INT64_T);
  }

 private:
  template <typename T>
  void fold(std::span<T> values, MPI_Datatype type, MPI_Op operation) const {
    for (std::size_t begin = 0; begin < values.size(); begin += kMostAtOnce) {
      const std::size_t count = std::min(kMostAtOnce, values.size() - begin);
      MPI_Allreduce(MPI_IN_PLACE, values.data() + begin, static_cast<int>(count), type, operation,
                    comm_);
    }
  }

  void gather_at_once(std::span<const std::byte> own, std::span<const std::uint64_t> sizes,
                      std::vector<Bytes>& all) const {
    std::vector<int> counts(sizes.begin(), sizes.end());
    std::vector<int> begins(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    Bytes together(static_cast<std::size_t>(begins.back() + counts.back()));
    MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_BYTE, together.data(),
                   counts.data(), begins.data(), MPI_BYTE, comm_);
    for (std::size_t machine = 0; machine < all.size(); ++machine) {
      std::copy_n(together.begin() + begins[machine], counts[machine], all[machine].begin());
    }
  }

  void send(Bytes& bytes, int root) const {
    for (std::size_t begin = 0; begin < bytes.size(); begin += kMostAtOnce) {
      const std::size_t count = std::min(kMostAtOnce, bytes.size() - begin);
      MPI_Bcast(bytes.data() + begin, static_cast<int>(count), MPI_BYTE, root, comm_);
    }
  }

  template <typename T>
  void scatter(std::span<const T> values, std::span<const std::size_t> block_sizes,
               std::span<T> own, MPI_Datatype type) const {
    if (values.size() > INT_MAX) {  // far beyond any histogram
      std::vector<T> all(values.begin(), values.end());
      fold(std::span(all), type, MPI_SUM);
      const auto begin =
          std::accumulate(block_sizes.begin(), block_sizes.begin() + rank_, std::ptrdiff_t{0});
      std::copy_n(all.begin() + begin, own.size(), own.begin());
      return;
    }
    const std::vector<int> counts(block_sizes.begin(), block_sizes.end());
    MPI_Reduce_scatter(values.data(), own.data(), counts.data(), type, MPI_SUM, comm_);
  }

  MPI_Comm comm_;
  int size_ = 1;
  int rank_ = 0;
};

}  // namespace

struct MpiMachines::State {
  MPI_Comm work = MPI_COMM_NULL;
  MPI_Comm ends = MPI_COMM_NULL;  // of its own: others may be in the middle of a sum
};

MpiMachines::MpiMachines() : state_(std::make_unique<State>()) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &state_->work);
  MPI_Comm_dup(MPI_COMM_WORLD, &state_->ends);
  communicator_ = std::make_shared<const MpiCommunicator>(state_->work);
  ends_ = std::make_shared<const MpiCommunicator>(state_->ends);
}

MpiMachines::~MpiMachines() {
  MPI_Comm_free(&state_->ends);
  MPI_Comm_free(&state_->work);
  MPI_Finalize();
}

bool MpiMachines::end(double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto last = Clock::now() + std::chrono::duration<double>(seconds);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(state_->ends, &request);
  int is_done = 0;
  MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
  while (is_done == 0 && Clock::now() < last) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
  }
  return is_done != 0;
}

void MpiMachines::abort(int exit_code) const {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();  // not reached
}

}  // namespace glassrank
