#include "glassrank/gloo/gloo_communicator.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/machines.h"

namespace glassrank {
namespace {

// Machines that pass their addresses around as threads of one program do.
GlooSetup setup_of(const Communicator& machine) {
  return {.rank = machine.rank(),
          .size = machine.size(),
          .host = "127.0.0.1",
          .exchange =
              [&machine](const std::string& own) {
                std::vector<std::string> all;
                for (const auto& part : machine.gather(std::as_bytes(std::span(own)))) {
                  all.emplace_back(reinterpret_cast<const char*>(part.data()), part.size());
                }
                return all;
              },
          .timeout = std::chrono::seconds(20)};
}

// Calls work(gloo, machine) on each of `size` machines.
template <typename Work>
void on_gloo(int size, Work&& work) {
  testing::on_machines(size, [&](const std::shared_ptr<const Communicator>& machine) {
    const auto gloo = connect_with_gloo(setup_of(*machine));
    work(*gloo, *machine);
    machine->gather({});  // nobody closes its connections before all are done
  });
}

std::vector<std::int32_t> numbers(int rank, std::size_t count) {
  std::vector<std::int32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<std::int32_t>(i * 2654435761U) >> (rank + 3);
  }
  return values;
}

TEST(GlooCommunicator, CallsGiveWhatThoseOfThreadsGive) {
  for (const int size : {1, 2, 3, 4}) {
    on_gloo(size, [](const Communicator& gloo, const Communicator& machine) {
      ASSERT_EQ(gloo.size(), machine.size());
      ASSERT_EQ(gloo.rank(), machine.rank());
      for (const std::size_t count : {1U, 7U, 40'000U}) {
        std::vector<std::int32_t> a = numbers(gloo.rank(), count);
        std::vector<std::int32_t> b = a;
        gloo.sum(std::span(a));
        machine.sum(std::span(b));
        EXPECT_EQ(a, b);
        std::vector<std::int64_t> wide(a.begin(), a.end());
        wide[0] = std::int64_t{1} << (40 + gloo.rank());
        std::vector<std::int64_t> wide_too = wide;
        gloo.sum(std::span(wide));
        machine.sum(std::span(wide_too));
        EXPECT_EQ(wide, wide_too);
      }
      std::vector<double> largest = {-1.5 * gloo.rank(), 0.25 * gloo.rank(), 3};
      gloo.max(largest);
      EXPECT_EQ(largest, (std::vector<double>{0, 0.25 * (gloo.size() - 1), 3}));
    });
  }
}

TEST(GlooCommunicator, GathersPartsOfAnyLength) {
  on_gloo(3, [](const Communicator& gloo, const Communicator& machine) {
    const std::string own(static_cast<std::size_t>(gloo.rank()) * 1000, 'a');
    EXPECT_EQ(gloo.gather(std::as_bytes(std::span(own))),
              machine.gather(std::as_bytes(std::span(own))));
  });
}

TEST(GlooCommunicator, BroadcastsFromAnyRoot) {
  on_gloo(3, [](const Communicator& gloo, const Communicator& /*machine*/) {
    for (int root = 0; root < 3; ++root) {
      for (const std::size_t size : {0U, 5U}) {
        Communicator::Bytes bytes(gloo.rank() == root ? size : 2, std::byte{9});
        gloo.broadcast(bytes, root);
        EXPECT_EQ(bytes, Communicator::Bytes(size, std::byte{9}));
      }
    }
  });
}

TEST(GlooCommunicator, ScattersSumsOfUnequalBlocks) {
  on_gloo(3, [](const Communicator& gloo, const Communicator& machine) {
    const std::vector<std::size_t> sizes = {4, 0, 1000};
    const std::vector<std::int32_t> values = numbers(gloo.rank(), 1004);
    const std::size_t mine = sizes[static_cast<std::size_t>(gloo.rank())];
    std::vector<std::int32_t> a(mine);
    std::vector<std::int32_t> b(mine);
    gloo.sum_scatter(std::span(values), sizes, std::span(a));
    machine.sum_scatter(std::span(values), sizes, std::span(b));
    EXPECT_EQ(a, b);
  });
}

TEST(GlooCommunicator, ALostMachineIsAnErrorAndNoHang) {
  int num_told = 0;
  std::mutex mutex;
  testing::on_machines(3, [&](const std::shared_ptr<const Communicator>& machine) {
    const auto gloo = connect_with_gloo(setup_of(*machine));
    if (gloo->rank() == 1) return;  // its connections close
    std::vector<std::int32_t> values(100'000, 1);
    try {
      for (int i = 0; i < 100; ++i) gloo->sum(std::span(values));
      ADD_FAILURE() << "the sum of a lost machine";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo);
      EXPECT_TRUE(error.message().starts_with("sum: a machine is lost or cannot be reached"))
          << error.message();
      const std::lock_guard lock(mutex);
      ++num_told;
    }
  });
  EXPECT_EQ(num_told, 2);
}

TEST(GlooCommunicator, AddressesAreExchangedOnce) {
  testing::on_machines(3, [&](const std::shared_ptr<const Communicator>& machine) {
    GlooSetup setup = setup_of(*machine);
    int num_calls = 0;
    setup.exchange = [&, exchange = setup.exchange](const std::string& own) {
      ++num_calls;
      return exchange(own);
    };
    const auto gloo = connect_with_gloo(setup);
    EXPECT_EQ(gloo->size(), 3);
    EXPECT_EQ(num_calls, 1);
    machine->gather({});
  });
}

TEST(GlooCommunicator, MissingAddressesAreAnError) {
  GlooSetup setup{
      .rank = 0, .size = 2, .host = "127.0.0.1", .exchange = [](const std::string& own) {
        return std::vector<std::string>{own};
      }};
  try {
    connect_with_gloo(setup);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "1 machines gave their addresses; there are 2");
  }
}

}  // namespace
}  // namespace glassrank
