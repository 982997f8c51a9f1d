#include "glassrank/base/agree.h"

#include <new>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/machines.h"

namespace glassrank {
namespace {

using testing::on_machines;
using Machines = std::shared_ptr<const Communicator>;

TEST(Communicator, SumsAndMaximaAreOfAllMachines) {
  on_machines(3, [](const Machines& machines) {
    const int rank = machines->rank();
    std::vector<std::int32_t> small = {rank, 10};
    machines->sum(std::span(small));
    EXPECT_EQ(small, (std::vector<std::int32_t>{3, 30}));
    std::vector<std::uint64_t> large = {std::uint64_t{1} << 63, 1};
    machines->sum(std::span(large));
    EXPECT_EQ(large, (std::vector<std::uint64_t>{std::uint64_t{1} << 63, 3}));
    std::vector<double> values = {-1.0 * rank - 1, 0.5 * rank};
    machines->max(values);
    EXPECT_EQ(values, (std::vector<double>{-1, 1}));
  });
}

TEST(Communicator, GathersInTheOrderOfRanksAndBroadcasts) {
  on_machines(3, [](const Machines& machines) {
    const std::vector<std::int64_t> own(static_cast<std::size_t>(machines->rank()),
                                        machines->rank());
    EXPECT_EQ(gather_values<std::int64_t>(*machines, own), (std::vector<std::int64_t>{1, 2, 2}));
    Communicator::Bytes bytes(static_cast<std::size_t>(machines->rank() + 1),
                              static_cast<std::byte>(machines->rank()));
    machines->broadcast(bytes, 1);
    EXPECT_EQ(bytes, Communicator::Bytes(2, std::byte{1}));
  });
}

TEST(Communicator, SumScatterGivesEachMachineItsBlock) {
  on_machines(3, [](const Machines& machines) {
    const std::vector<std::int32_t> values = {1, 2, 3, 4, 5, 6};
    const std::vector<std::size_t> sizes = {2, 0, 4};
    std::vector<std::int32_t> own(sizes[static_cast<std::size_t>(machines->rank())]);
    machines->sum_scatter(values, sizes, own);
    const std::vector<std::int32_t> expected[] = {{3, 6}, {}, {9, 12, 15, 18}};
    EXPECT_EQ(own, expected[machines->rank()]);
  });
}

// 100 values of 4 bytes on 4 machines: a sum moves 2 * 3 / 4 of 400 bytes.
TEST(CountingCommunicator, CountsWhatTheBestAlgorithmSends) {
  on_machines(4, [](const Machines& machines) {
    const CountingCommunicator counting(machines);
    std::vector<std::int32_t> values(100);
    counting.sum(std::span(values));
    EXPECT_EQ(counting.traffic().bytes, 600);
    const std::vector<std::size_t> sizes(4, 25);
    std::vector<std::int32_t> own(25);
    counting.sum_scatter(std::span<const std::int32_t>(values), sizes, std::span(own));
    EXPECT_EQ(counting.traffic().bytes, 900);
    counting.gather(std::as_bytes(std::span(own)));
    EXPECT_EQ(counting.traffic().bytes, 1200);
    Communicator::Bytes bytes(80);
    counting.broadcast(bytes, 2);
    EXPECT_EQ(counting.traffic().bytes, counting.rank() == 2 ? 1280 : 1200);
    EXPECT_EQ(counting.traffic().calls, 4);
  });
}

TEST(Agree, EveryMachineThrowsTheErrorOfTheLowestRank) {
  on_machines(4, [](const Machines& machines) {
    const auto step = [&]() -> int {
      if (machines->rank() == 1 || machines->rank() == 3) {
        throw Error(ErrorKind::kIo, "bad line of " + std::to_string(machines->rank()))
            .add_context("inner")
            .add_context("outer");
      }
      return machines->rank();
    };
    try {
      agree(*machines, step);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo);
      EXPECT_STREQ(error.what(), "outer: inner: bad line of 1 (on machine 2 of 4)");
    }
  });
}

TEST(Agree, TooLittleMemoryOnOneIsSoOnAll) {
  on_machines(2, [](const Machines& machines) {
    EXPECT_THROW(agree(*machines,
                       [&] {
                         if (machines->rank() == 1) throw std::bad_alloc();
                       }),
                 std::bad_alloc);
  });
}

TEST(Agree, GivesTheResultOfTheStepWhereNoneFails) {
  on_machines(2, [](const Machines& machines) {
    EXPECT_EQ(agree(*machines, [&] { return machines->rank() + 5; }), machines->rank() + 5);
  });
}

TEST(Context, MachinesStopWhereTheyAskEachOther) {
  on_machines(2, [](const Machines& machines) {
    const std::atomic<bool> stop = machines->rank() == 1;
    Context context;
    context.stop = &stop;
    context.communicator = machines;
    EXPECT_FALSE(context.is_stopped());
    context.check_stop();
    EXPECT_TRUE(context.is_stopped_anywhere());
    EXPECT_THROW(context.check_stop_anywhere(), Error);
  });
}

TEST(Machines, OneThatThrowsAloneLeavesNobodyWaiting) {
  const auto run = [] {
    on_machines(3, [](const Machines& machines) {
      if (machines->rank() == 2) throw Error(ErrorKind::kInput, "alone");
      std::int64_t one = 1;
      machines->sum(std::span(&one, 1));
    });
  };
  try {
    run();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "alone");
  }
}

}  // namespace
}  // namespace glassrank
