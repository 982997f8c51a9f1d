// What EBM says while it trains, and what is left when it is stopped.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "glassrank/methods/ebm/ebm.h"
#include "testing/boosting_fixture.h"
#include "testing/ebm_fixture.h"
#include "testing/machines.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::Lines;
using testing::make_data;
using testing::quick;
using testing::with_threads;

TEST(Ebm, StopsWhenAsked) {
  std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_EQ(message_of([&] { train_ebm(make_data({}), nullptr, quick(), context); }),
            "stopped at the user's request");
}

// Asks to stop when a line that begins with `text` is logged.
class StopAt final : public LogSink {
 public:
  explicit StopAt(std::string text) : text_(std::move(text)) {}
  void log(LogLevel, std::string_view message) override {
    if (message.starts_with(text_)) stop = true;
  }
  std::atomic<bool> stop = false;

 private:
  std::string text_;
};

EbmResult train_until(const std::string& line, const EbmParams& params) {
  const auto sink = std::make_shared<StopAt>(line);
  Context context = with_threads(1);
  context.log_sink = sink;
  context.stop = &sink->stop;
  return train_ebm(make_data({}), nullptr, params, context, {.log_every = 1});
}

TEST(Ebm, KeepsWhatBagsHaveWhenStopped) {
  const Dataset data = make_data({});
  EbmParams params = quick();
  params.objective.objective = "lambdarank";  // a bag after the other
  params.max_rounds = 6;
  params.num_interactions = 2;
  const EbmResult whole = train_ebm(data, nullptr, params, with_threads(1));
  EXPECT_FALSE(whole.is_interrupted);
  EXPECT_EQ(whole.bags.size(), 3U);

  // In the first bag: a model of four of its rounds, without surfaces.
  const EbmResult first = train_until("[4] bag 1 curves", params);
  EXPECT_TRUE(first.is_interrupted);
  ASSERT_EQ(first.bags.size(), 1U);
  EXPECT_EQ(first.bags[0].curves.num_rounds, 4U);
  EXPECT_TRUE(first.pairs.empty());
  EbmParams short_params = params;
  short_params.max_rounds = 4;
  short_params.bagging.bags = 1;
  short_params.num_interactions = 0;
  EXPECT_EQ(first.gam.parts(), train_ebm(data, nullptr, short_params, with_threads(1)).gam.parts());

  // In the surfaces of the second bag: two bags with surfaces.
  const EbmResult second = train_until("[2] bag 2 surfaces", params);
  EXPECT_TRUE(second.is_interrupted);
  ASSERT_EQ(second.bags.size(), 2U);
  EXPECT_EQ(second.bags[0].surfaces.num_rounds, 6U);
  EXPECT_EQ(second.bags[1].surfaces.num_rounds, 2U);
  EXPECT_EQ(second.pairs, whole.pairs);
  EXPECT_EQ(second.gam.effects().size(), whole.gam.effects().size());
}

TEST(Ebm, BagsSideBySideStopTogether) {
  // Five bags under squared error: a group of four and one of one.
  const Dataset data = make_data({});
  EbmParams params = quick();
  params.bagging.bags = 5;
  params.max_rounds = 6;
  params.num_interactions = 2;
  const EbmResult whole = train_ebm(data, nullptr, params, with_threads(1));
  EXPECT_EQ(whole.bags.size(), 5U);

  // The flag is set in round 4 of the first bag; all of its group end with that round.
  const EbmResult first = train_until("[4] bag 1 curves", params);
  EXPECT_TRUE(first.is_interrupted);
  ASSERT_EQ(first.bags.size(), 4U);
  for (const EbmBag& bag : first.bags) EXPECT_EQ(bag.curves.num_rounds, 4U);
  EXPECT_TRUE(first.pairs.empty());
  EbmParams short_params = params;
  short_params.max_rounds = 4;
  short_params.bagging.bags = 4;
  short_params.num_interactions = 0;
  EXPECT_EQ(first.gam.parts(), train_ebm(data, nullptr, short_params, with_threads(1)).gam.parts());

  const EbmResult second = train_until("[2] bag 5 surfaces", params);
  EXPECT_TRUE(second.is_interrupted);
  ASSERT_EQ(second.bags.size(), 5U);
  EXPECT_EQ(second.bags[3].surfaces.num_rounds, 6U);
  EXPECT_EQ(second.bags[4].surfaces.num_rounds, 2U);
  EXPECT_EQ(second.pairs, whole.pairs);
}

TEST(Ebm, KeepsAllCurvesWhenStoppedBeforeTheSurfaces) {
  // The flag is set in the last round of the last bag: pairs are ranked no more.
  for (const char* objective : {"squared_error", "lambdarank"}) {
    EbmParams params = quick();
    params.objective.objective = objective;
    params.max_rounds = 6;
    params.num_interactions = 2;
    const EbmResult result = train_until("[6] bag 3 curves", params);
    EXPECT_TRUE(result.is_interrupted);
    EXPECT_EQ(result.bags.size(), 3U);
    EXPECT_TRUE(result.pairs.empty());
    params.num_interactions = 0;
    EXPECT_EQ(result.gam.parts(),
              train_ebm(make_data({}), nullptr, params, with_threads(1)).gam.parts());
  }
}

// Steps of fifty times the way to go: the scores grow until floats have no number for them.
EbmParams diverging() {
  EbmParams params = quick();
  params.bagging.bags = 2;
  params.learning_rate = 50;
  params.max_rounds = 3000;
  params.patience = 0;
  return params;
}

TEST(Ebm, KeepsTheBestOfABagThatDiverges) {
  for (const int rate : {3, 50}) {  // slowly, or beyond any step of 32 bits
    const auto lines = std::make_shared<Lines>();
    Context context = with_threads(1);
    context.log_sink = lines;
    EbmParams params = diverging();
    params.learning_rate = rate;
    const EbmResult result = train_ebm(make_data({}), nullptr, params, context);
    ASSERT_EQ(result.bags.size(), 2U);
    for (const EbmBag& bag : result.bags) {
      EXPECT_LT(bag.curves.num_rounds, 3000U);
      EXPECT_LE(bag.curves.best_loss, bag.curves.start_loss);  // not NaN
    }
    ASSERT_EQ(lines->all.size(), 2U);
    EXPECT_EQ(lines->all[1], "bag 2: curves grew beyond all numbers in round " +
                                 std::to_string(result.bags[1].curves.num_rounds) +
                                 "; the best before stay. learning_rate " + std::to_string(rate) +
                                 " is too large");
  }
}

TEST(Ebm, SaysThatTheLearningRateIsTooLargeWhereNothingIsLeft) {
  EbmParams params = diverging();
  params.bagging.bags = 1;
  params.learning_rate = 3;
  params.max_rounds = 300;
  params.bagging.valid_share = 0;
  EXPECT_EQ(message_of([&] { train_ebm(make_data({}), nullptr, params, with_threads(1)); }),
            "bag 1: curves grew beyond all numbers in 300 rounds; learning_rate 3 is too large");
}

TEST(Ebm, OneMachineEndsAll) {
  const Dataset data = make_data({});
  EbmParams params = quick();
  params.watch.after_round = [](const WatchedRound& round) { return round.round < 4; };
  const EbmResult whole = train_ebm(data, nullptr, params, with_threads(1));
  testing::on_machines(2, [&](const std::shared_ptr<const Communicator>& machines) {
    Context context = with_threads(1);
    context.communicator = machines;
    EbmParams own = params;
    if (machines->is_first()) own.watch.after_round = {};
    const std::size_t half = data.num_queries() / 2;
    const EbmResult result = train_ebm(
        machines->is_first() ? slice_queries(data, 0, half) : slice_queries(data, half, 2 * half),
        nullptr, own, context);
    EXPECT_EQ(result.bags[0].curves.num_rounds, 4U);
    EXPECT_EQ(result.gam.parts(), whole.gam.parts());
  });
}

TEST(Ebm, WarnsOfABagThatNothingStops) {
  const Dataset data = make_data({});
  DatasetParts parts;
  parts.features = Buffer<float>(data.num_rows() * data.num_features());
  std::copy_n(data.row(0).data(), parts.features.size(), parts.features.data());
  parts.grades.assign(data.grades().begin(), data.grades().end());
  parts.queries = data.queries();
  parts.schema = data.schema();
  parts.weights.assign(data.num_rows(), 1);
  for (const std::uint32_t row : split_bag(data.queries(), {.share = 0.15}, 0, 0).held_out) {
    parts.weights[row] = 0;
  }
  const auto lines = std::make_shared<Lines>();
  Context context = with_threads(1);
  context.log_sink = lines;
  EbmParams params = quick();
  params.bagging.bags = 2;
  params.patience = 2;
  const EbmResult result = train_ebm(Dataset(std::move(parts)), nullptr, params, context);
  EXPECT_EQ(result.bags[0].curves.num_rounds, 60U);
  EXPECT_TRUE(std::isnan(result.bags[0].curves.best_loss));
  EXPECT_FALSE(std::isnan(result.bags[1].curves.best_loss));
  ASSERT_EQ(lines->all.size(), 1U);
  EXPECT_EQ(lines->all[0],
            "bag 1: curves: the rows that should stop them have no loss, as when all of them weigh "
            "nothing; all rounds were done");
}

TEST(Ebm, LogsEveryFewRoundsOfABag) {
  const auto lines = std::make_shared<Lines>();
  Context context = with_threads(1);
  context.log_sink = lines;
  EbmParams params = quick();
  params.bagging.bags = 2;
  params.max_rounds = 5;
  params.tolerance = 0;
  const EbmResult squares = train_ebm(make_data({}), nullptr, params, context, {.log_every = 5});
  ASSERT_EQ(lines->all.size(), 2U);
  const std::string start = "[5] bag 2 curves  held-out squared error: ";
  ASSERT_TRUE(lines->all[1].starts_with(start)) << lines->all[1];
  const double loss = std::stod(lines->all[1].substr(start.size()));  // of the round's last visit
  EXPECT_NEAR(loss, squares.bags[1].curves.best_loss, 0.01);
  lines->all.clear();
  params.objective.objective = "lambdarank";
  params.bagging.bags = 1;
  train_ebm(make_data({}), nullptr, params, context, {.log_every = 2});
  ASSERT_EQ(lines->all.size(), 2U);
  EXPECT_TRUE(lines->all[0].starts_with("[2] bag 1 curves  held-out ndcg@10: 0.")) << lines->all[0];
}

}  // namespace
}  // namespace glassrank
