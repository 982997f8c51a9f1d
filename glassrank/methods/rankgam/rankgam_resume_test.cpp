// RankGAM goes on from its checkpoints to the model of an uninterrupted run.

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/methods/rankgam/rankgam.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::same_bytes;
using testing::with_threads;

RankgamParams small() {
  RankgamParams params;
  params.first_units = 6;
  params.second_units = 4;
  params.batch_queries = 8;
  params.max_epochs = 12;
  params.patience = 0;
  return params;
}

const Dataset& rows() {
  static const Dataset kRows = testing::make_data({.num_queries = 30, .num_features = 6});
  return kRows;
}

RankgamResult train(const RankgamParams& params, Checkpoints* checkpoints, Context context = {},
                    const std::string& until = "never") {
  const auto sink = std::make_shared<testing::StopAt>(until);
  context.log_sink = sink;
  context.stop = &sink->stop;
  return train_rankgam(rows(), nullptr, params, context,
                       {.log_every = 1, .checkpoints = checkpoints});
}

void expect_same(const RankgamResult& found, const RankgamResult& whole) {
  EXPECT_FALSE(found.is_interrupted);
  EXPECT_TRUE(
      same_bytes({.body = found.gam, .provenance = {}}, {.body = whole.gam, .provenance = {}}));
  EXPECT_EQ(found.best_epoch, whole.best_epoch);
  EXPECT_EQ(found.best_metric, whole.best_metric);
  EXPECT_EQ(found.table_metric, whole.table_metric);
  ASSERT_EQ(found.epochs.size(), whole.epochs.size());
  for (std::size_t e = 0; e < whole.epochs.size(); ++e) {
    EXPECT_EQ(found.epochs[e].loss, whole.epochs[e].loss) << e;
    EXPECT_EQ(found.epochs[e].metric, whole.epochs[e].metric) << e;
  }
}

TEST(RankgamResume, EndsInTheModelOfAnUninterruptedRun) {
  const RankgamResult whole = train(small(), nullptr, with_threads(1));
  EXPECT_EQ(whole.epochs.size(), 12U);
  for (const int epoch : {1, 2, 7, 11}) {
    SCOPED_TRACE(epoch);
    MemoryCheckpoints checkpoints;
    const RankgamResult part =
        train(small(), &checkpoints, with_threads(1), fmt::format("[{}] loss", epoch));
    EXPECT_TRUE(part.is_interrupted);
    EXPECT_EQ(part.epochs.size(), static_cast<std::size_t>(epoch));
    expect_same(train(small(), &checkpoints, with_threads(2)), whole);
    expect_same(train(small(), &checkpoints, with_threads(1)), whole);  // nothing left to do
  }
}

TEST(RankgamResume, StopsWithPatienceWhereItWouldHave) {
  RankgamParams params = small();
  params.max_epochs = 60;
  params.patience = 4;
  params.learning_rate = 0.3;
  const RankgamResult whole = train(params, nullptr);
  ASSERT_LT(whole.epochs.size(), 60U);
  MemoryCheckpoints checkpoints;
  for (std::size_t epoch = 2; epoch < whole.epochs.size(); epoch += 2) {
    EXPECT_TRUE(train(params, &checkpoints, {}, fmt::format("[{}] loss", epoch)).is_interrupted);
  }
  expect_same(train(params, &checkpoints), whole);
}

// Whenever it is stopped, in the middle of an epoch too: a clock decides.
TEST(RankgamResume, CanBeStoppedInTheMiddleOfAnEpoch) {
  const RankgamResult whole = train(small(), nullptr);
  MemoryCheckpoints checkpoints;
  std::optional<RankgamResult> found;
  for (int turn = 1; !found || found->is_interrupted; ++turn) {
    std::atomic<bool> stop = false;
    std::thread clock([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(700 * turn));
      stop = true;
    });
    Context context;
    context.stop = &stop;
    try {
      found = train_rankgam(rows(), nullptr, small(), context, {.checkpoints = &checkpoints});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    }
    clock.join();
  }
  expect_same(*found, whole);
}

TEST(RankgamResume, MoreEpochsGoOnFromFewer) {
  RankgamParams few = small();
  few.max_epochs = 5;
  MemoryCheckpoints checkpoints;
  EXPECT_EQ(train(few, &checkpoints).epochs.size(), 5U);
  expect_same(train(small(), &checkpoints), train(small(), nullptr));
}

TEST(RankgamResume, RefusesADamagedState) {
  MemoryCheckpoints checkpoints;
  train(small(), &checkpoints);
  const std::string bytes = load_bytes(&checkpoints, {}).value();
  for (const std::size_t size : {std::size_t{4}, bytes.size() / 2, bytes.size() - 1}) {
    MemoryCheckpoints damaged;
    damaged.save({}, bytes.substr(0, size));
    EXPECT_EQ(message_of([&] { train(small(), &damaged); }),
              "the state of the training is damaged");
  }
}

}  // namespace
}  // namespace glassrank
