#include "glassrank/base/parallel.h"

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

Context with_threads(int count) {
  Context context;
  context.threads = std::make_shared<Threads>(count);
  return context;
}

TEST(ParallelFor, VisitsEveryItemOnce) {
  for (const int threads : {1, 2, 4}) {
    std::vector<std::atomic<int>> visits(1003);
    parallel_for(with_threads(threads), visits.size(), 10, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& count : visits) ASSERT_EQ(count, 1);
  }
}

TEST(ParallelFor, CarriesExceptionsToTheCaller) {
  EXPECT_THROW(parallel_for(with_threads(2), 100, 1,
                            [](std::size_t begin, std::size_t) {
                              if (begin == 57) throw std::runtime_error("57");
                            }),
               std::runtime_error);
}

TEST(Awake, SharesOutManyShortStepsAndVisitsEveryItemOnce) {
  for (const int threads : {1, 2, 4}) {
    const Threads workers(threads);
    const Threads::Awake awake(workers);
    std::vector<std::atomic<int>> visits(50);
    for (int step = 0; step < 2000; ++step) {
      workers.run(visits.size(), [&](std::size_t i) { ++visits[i]; });
      // What a step wrote is there when it is over.
      for (const auto& count : visits) ASSERT_EQ(count, step + 1);
    }
  }
}

TEST(Awake, CarriesExceptionsToTheCallerAndGoesOn) {
  const Threads workers(3);
  const Threads::Awake awake(workers);
  for (int step = 0; step < 100; ++step) {
    EXPECT_THROW(workers.run(100,
                             [](std::size_t i) {
                               if (i == 57) throw std::runtime_error("57");
                             }),
                 std::runtime_error);
    std::atomic<int> count = 0;
    workers.run(100, [&](std::size_t) { ++count; });
    EXPECT_EQ(count, 100);
  }
}

TEST(Awake, LeavesNestedStepsAndOtherThreadsAlone) {
  const Threads workers(2);
  const Threads::Awake awake(workers);
  const Threads::Awake second(workers);  // does nothing
  std::atomic<int> count = 0;
  std::thread other([&] { workers.run(10, [&](std::size_t) { ++count; }); });
  workers.run(10, [&](std::size_t) { workers.run(10, [&](std::size_t) { ++count; }); });
  other.join();
  EXPECT_EQ(count, 110);
}

TEST(OrderedReduce, GivesTheSameBitsForAnyNumberOfThreads) {
  std::vector<double> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<double>(i)) * std::exp(static_cast<double>(i % 60));
  }
  const auto sum = [&](int threads) {
    return ordered_reduce(
        with_threads(threads), values.size(), 1000, 0.0,
        [&](std::size_t begin, std::size_t end) {
          double part = 0;
          for (std::size_t i = begin; i < end; ++i) part += values[i];
          return part;
        },
        [](double& total, double part) { total += part; });
  };
  const double one = sum(1);
  EXPECT_NE(one, 0.0);
  EXPECT_EQ(sum(2), one);
  EXPECT_EQ(sum(4), one);
}

TEST(Context, StopsWhenAsked) {
  std::atomic<bool> stop = false;
  Context context;
  context.stop = &stop;
  context.check_stop();
  stop = true;
  EXPECT_THROW(context.check_stop(), Error);
  EXPECT_NO_THROW(context.finishing().check_stop());
}

}  // namespace
}  // namespace glassrank
