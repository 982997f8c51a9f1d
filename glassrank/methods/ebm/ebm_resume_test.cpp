// EBM goes on from its checkpoints to the model of an uninterrupted run.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/methods/ebm/ebm.h"
#include "testing/boosting_fixture.h"
#include "testing/ebm_fixture.h"
#include "testing/machines.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::make_data;
using testing::quick;
using testing::same_bytes;
using testing::with_threads;

// Five bags with surfaces: under squared error a group of four and one of one.
EbmParams small(const std::string& objective) {
  EbmParams params = quick();
  params.objective.objective = objective;
  params.bagging.bags = 5;
  params.max_rounds = 6;
  params.num_interactions = 2;
  return params;
}

EbmResult train(const EbmParams& params, Checkpoints& checkpoints, Context context = {},
                const std::string& until = "never") {
  const auto sink = std::make_shared<testing::StopAt>(until);
  context.log_sink = sink;
  context.stop = &sink->stop;
  return train_ebm(make_data({}), nullptr, params, context,
                   {.log_every = 1, .checkpoints = &checkpoints});
}

void expect_same(const EbmResult& found, const EbmResult& whole) {
  EXPECT_FALSE(found.is_interrupted);
  EXPECT_TRUE(
      same_bytes({.body = found.gam, .provenance = {}}, {.body = whole.gam, .provenance = {}}));
  EXPECT_EQ(found.pairs, whole.pairs);
  ASSERT_EQ(found.bags.size(), whole.bags.size());
  for (std::size_t b = 0; b < whole.bags.size(); ++b) {
    EXPECT_EQ(found.bags[b].losses, whole.bags[b].losses) << b;
    EXPECT_EQ(found.bags[b].num_train_rows, whole.bags[b].num_train_rows);
    EXPECT_EQ(found.bags[b].num_held_out_rows, whole.bags[b].num_held_out_rows);
    EXPECT_EQ(found.bags[b].curves.num_rounds, whole.bags[b].curves.num_rounds);
    EXPECT_EQ(found.bags[b].curves.best_loss, whole.bags[b].curves.best_loss);
    EXPECT_EQ(found.bags[b].surfaces.num_rounds, whole.bags[b].surfaces.num_rounds);
    EXPECT_EQ(found.bags[b].surfaces.best_loss, whole.bags[b].surfaces.best_loss);
  }
}

TEST(EbmResume, EndsInTheModelOfAnUninterruptedRun) {
  for (const char* objective : {"squared_error", "lambdarank"}) {
    const EbmParams params = small(objective);
    const EbmResult whole = train_ebm(make_data({}), nullptr, params, with_threads(1));
    for (const char* line :
         {"[1] bag 1 curves", "[4] bag 2 curves", "[6] bag 4 curves", "[2] bag 5 curves",
          "[6] bag 5 curves", "[1] bag 1 surfaces", "[3] bag 2 surfaces", "[2] bag 5 surfaces"}) {
      SCOPED_TRACE(fmt::format("{} {}", objective, line));
      MemoryCheckpoints checkpoints;
      EXPECT_TRUE(train(params, checkpoints, with_threads(1), line).is_interrupted);
      expect_same(train(params, checkpoints, with_threads(2)), whole);
      expect_same(train(params, checkpoints, with_threads(1)), whole);  // nothing left to do
    }
  }
}

TEST(EbmResume, CanBeStoppedAgainAndAgain) {
  const EbmParams params = small("lambdarank");
  const EbmResult whole = train_ebm(make_data({}), nullptr, params, with_threads(1));
  MemoryCheckpoints checkpoints;
  for (const char* line : {"[2] bag 2 curves", "[2] bag 2 curves", "[5] bag 4 curves",
                           "[1] bag 2 surfaces", "[6] bag 4 surfaces"}) {
    EXPECT_TRUE(train(params, checkpoints, with_threads(1), line).is_interrupted) << line;
  }
  expect_same(train(params, checkpoints, with_threads(1)), whole);
}

TEST(EbmResume, DoesNotRepeatWhatWasDone) {
  const EbmParams params = small("lambdarank");
  MemoryCheckpoints checkpoints;
  train(params, checkpoints, with_threads(1), "[1] bag 3 surfaces");
  const auto lines = std::make_shared<testing::Lines>();
  Context context = with_threads(1);
  context.log_sink = lines;
  train_ebm(make_data({}), nullptr, params, context, {.log_every = 1, .checkpoints = &checkpoints});
  ASSERT_EQ(lines->all.size(), 18U);  // six rounds of the surfaces of three bags
  EXPECT_TRUE(lines->all.front().starts_with("[1] bag 3 surfaces")) << lines->all.front();
}

// Keeps every state, as a file would be written.
class EveryState final : public Checkpoints {
 public:
  std::optional<TrainingState> load(const TrainingPhase& /*phase*/) override {
    return std::nullopt;
  }
  std::size_t every() const override { return 1; }
  void save(const TrainingPhase& phase, const TrainingState& state) override {
    EXPECT_EQ(phase.name, "");
    states.push_back(state);
  }
  void save_end(const TrainingPhase& phase, const TrainingState& state,
                bool is_interrupted) override {
    EXPECT_FALSE(is_interrupted);
    save(phase, state);
  }
  std::vector<TrainingState> states;
};

TEST(EbmResume, GoesOnFromEveryStateSavedOnTheWay) {
  for (const char* objective : {"squared_error", "lambdarank"}) {
    const EbmParams params = small(objective);
    const EbmResult whole = train_ebm(make_data({}), nullptr, params, with_threads(1));
    for (const int threads : {1, 4}) {
      EveryState all;
      expect_same(train(params, all, with_threads(threads)), whole);
      // After each group of each stage, and at the end.
      EXPECT_EQ(all.states.size(), std::string(objective) == "squared_error" ? 5U : 11U);
      for (const TrainingState& state : all.states) {
        MemoryCheckpoints one;
        one.save({}, state);
        expect_same(train(params, one, with_threads(2)), whole);
      }
    }
  }
}

// The last machine is asked to stop at a line of its log; the states are those of the first.
std::vector<EbmResult> train_on(int size, const EbmParams& params, Checkpoints& checkpoints,
                                const std::string& until) {
  const Dataset data = make_data({});
  std::vector<EbmResult> results(static_cast<std::size_t>(size));
  testing::on_machines(size, [&](const std::shared_ptr<const Communicator>& machines) {
    const auto rank = static_cast<std::size_t>(machines->rank());
    const auto sink = std::make_shared<testing::StopAt>(until);
    Context context = with_threads(1);
    context.communicator = machines;
    context.log_sink = sink;
    if (rank + 1 == results.size()) context.stop = &sink->stop;
    SharedCheckpoints shared(checkpoints, context);
    const std::size_t n = data.num_queries();
    results[rank] =
        train_ebm(slice_queries(data, n * rank / results.size(), n * (rank + 1) / results.size()),
                  nullptr, params, context, {.log_every = 1, .checkpoints = &shared});
  });
  return results;
}

TEST(EbmResume, GoesOnWithAnotherNumberOfMachines) {
  for (const char* objective : {"squared_error", "lambdarank"}) {
    const EbmParams params = small(objective);
    const EbmResult whole = train_ebm(make_data({}), nullptr, params, with_threads(1));
    MemoryCheckpoints checkpoints;
    for (const char* line : {"[4] bag 2 curves", "[2] bag 5 surfaces"}) {
      for (const EbmResult& each : train_on(3, params, checkpoints, line)) {
        EXPECT_TRUE(each.is_interrupted);
      }
    }
    MemoryCheckpoints copy = checkpoints;
    for (const EbmResult& each : train_on(2, params, checkpoints, "never")) {
      expect_same(each, whole);
    }
    expect_same(train(params, copy, with_threads(2)), whole);
    for (const EbmResult& each : train_on(4, params, checkpoints, "never")) {
      expect_same(each, whole);  // nothing left to do
    }
  }
}

TEST(EbmResume, BeginsAnewWhenRoundsWereAdded) {
  EbmParams params = small("squared_error");
  MemoryCheckpoints checkpoints;
  train(params, checkpoints);
  params.max_rounds = 9;
  expect_same(train(params, checkpoints), train_ebm(make_data({}), nullptr, params, Context{}));
}

TEST(EbmResume, RefusesADamagedState) {
  const EbmParams params = small("squared_error");
  MemoryCheckpoints checkpoints;
  train(params, checkpoints);
  const std::string bytes = load_bytes(&checkpoints, {}).value();
  for (const std::size_t size : {std::size_t{4}, bytes.size() / 2, bytes.size() - 1}) {
    MemoryCheckpoints damaged;
    damaged.save({}, bytes.substr(0, size));
    EXPECT_EQ(message_of([&] { train(params, damaged); }), "the state of the training is damaged");
  }
}

}  // namespace
}  // namespace glassrank
