#include "glassrank/methods/rankgam/rankgam.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/methods/rankgam/network.h"
#include "glassrank/methods/rankgam/trainer.h"
#include "glassrank/metrics/evaluate.h"
#include "testing/boosting_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::make_data;
using testing::with_threads;

RankgamParams quick() {
  RankgamParams params;
  params.max_epochs = 25;
  params.batch_queries = 16;
  return params;
}

double ndcg(const Gam& gam, const Dataset& data) {
  std::vector<double> scores;
  for (std::size_t r = 0; r < data.num_rows(); ++r) scores.push_back(gam.score(data.row(r)));
  return evaluate(DatasetLists(data, scores), std::vector{parse_metric("ndcg@10")}, Convention{},
                  Context{})
      .metrics.front()
      .mean;
}

TEST(Rankgam, LearnsToRank) {
  const Dataset train = make_data({.seed = 1});
  const Dataset valid = make_data({.seed = 2});
  const Dataset test = make_data({.seed = 3});
  const RankgamResult result = train_rankgam(train, &valid, quick(), Context{});
  EXPECT_GT(ndcg(result.gam, test), ndcg(Gam(), test) + 0.2);  // the order of the file
  EXPECT_LT(result.epochs.back().loss, result.epochs.front().loss);
}

TEST(Rankgam, KeepsTheBestEpochAndStopsAfterPatience) {
  const Dataset train = make_data({.num_queries = 20, .seed = 1});
  const Dataset valid = make_data({.num_queries = 20, .seed = 2});
  RankgamParams params = quick();
  params.max_epochs = 500;
  params.patience = 5;
  const RankgamResult result = train_rankgam(train, &valid, params, Context{});
  ASSERT_LT(result.epochs.size(), 500U);
  EXPECT_EQ(result.epochs.size(), result.best_epoch + 5);
  for (const RankgamEpoch& epoch : result.epochs) EXPECT_LE(epoch.metric, result.best_metric);
  EXPECT_EQ(result.epochs[result.best_epoch - 1].metric, result.best_metric);
}

TEST(Rankgam, TablesAreTheTowersWhereEveryValueHasACell) {
  const Dataset train = make_data({.num_queries = 12, .query_size = 20});
  RankgamParams params = quick();
  params.max_bins = 2000;
  // Validation data of the same values: the tables lose nothing.
  const RankgamResult result = train_rankgam(train, &train, params, Context{});
  EXPECT_NEAR(result.table_metric, result.best_metric, 1e-6);
  params.max_bins = 6;
  const RankgamResult coarse = train_rankgam(train, &train, params, Context{});
  EXPECT_EQ(coarse.best_metric, result.best_metric);
  EXPECT_NE(coarse.table_metric, result.table_metric);
}

TEST(Rankgam, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = make_data({.num_queries = 20});
  RankgamParams params = quick();
  params.max_epochs = 3;
  const RankgamResult one = train_rankgam(data, nullptr, params, with_threads(1));
  for (const int threads : {2, 4}) {
    const RankgamResult many = train_rankgam(data, nullptr, params, with_threads(threads));
    EXPECT_EQ(one.gam.parts(), many.gam.parts());
    EXPECT_EQ(one.best_metric, many.best_metric);
  }
  const RankgamResult other = train_rankgam(data, nullptr, params, with_threads(1, 9));
  EXPECT_NE(one.gam.parts(), other.gam.parts());
}

TEST(Rankgam, TrainsTheSameWhetherPassesAreKeptOrNot) {
  const Dataset data = make_data({.num_queries = 30});
  const RankgamParams params = quick();
  const FeatureColumns columns(data, ValueTransform{}, Context{});
  const auto scores = [&](std::size_t most_kept) {
    RankgamNetwork network(data.num_features(), TowerShape{}, 1);
    const DatasetView view(data);
    RankgamTrainer trainer(view, columns, network, params, most_kept);
    for (std::size_t epoch = 0; epoch < 2; ++epoch) trainer.train_epoch(epoch, Context{});
    return network.score(columns, Context{});
  };
  const std::vector<double> kept = scores(std::size_t{1} << 30U);
  EXPECT_EQ(scores(0), kept);
  // Room for the last batch of 14 queries (of 25 rows, 8 features, 76 bytes), not for that of 16.
  EXPECT_EQ(scores(std::size_t{15} * 25 * 8 * 76), kept);
}

TEST(Rankgam, LearnsWhatAMissingValueMeans) {
  // Missing values of feature 5 raise the grade (boosting_fixture.h).
  const RankgamResult result =
      train_rankgam(make_data({.num_queries = 60}), nullptr, quick(), Context{});
  for (const GamEffect& effect : result.gam.effects()) {
    const double missing = effect.values[effect.axes[0].missing_cell()];
    if (effect.axes[0].feature == 5) {
      EXPECT_GT(missing, 0.1);
    } else {
      EXPECT_EQ(missing, 0);
    }
    EXPECT_TRUE(effect.errors.empty());
  }
}

TEST(Rankgam, ClipsAndTakesLogarithms) {
  EXPECT_EQ((ValueTransform{.clip = 10})(20), 10);
  EXPECT_EQ((ValueTransform{.clip = 10})(-20), -10);
  EXPECT_FLOAT_EQ((ValueTransform{.clip = 10, .log1p = true})(-20), -std::log(11.0F));
  EXPECT_TRUE(std::isnan((ValueTransform{})(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Rankgam, StopsWhenAsked) {
  std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_THROW(train_rankgam(make_data({}), nullptr, quick(), context), Error);
}

// Asks to stop when so many epochs are done.
class StopAfter final : public ProgressSink {
 public:
  explicit StopAfter(std::uint64_t epochs) : epochs_(epochs) {}
  void start(std::string_view, std::string_view, std::uint64_t) override {}
  void update(std::uint64_t done, std::string_view) override { stop = done >= epochs_; }
  void finish() override {}

  std::atomic<bool> stop = false;

 private:
  std::uint64_t epochs_;
};

TEST(Rankgam, KeepsTheBestEpochWhenStopped) {
  const Dataset data = make_data({});
  RankgamParams params = quick();
  params.max_epochs = 5;
  const RankgamResult whole = train_rankgam(data, nullptr, params, Context{});
  EXPECT_FALSE(whole.is_interrupted);
  const auto sink = std::make_shared<StopAfter>(5);
  Context context;
  context.progress_sink = sink;
  context.stop = &sink->stop;
  params.max_epochs = 1000;
  const RankgamResult stopped = train_rankgam(data, nullptr, params, context);
  EXPECT_TRUE(stopped.is_interrupted);
  EXPECT_EQ(stopped.epochs.size(), 5U);
  EXPECT_EQ(stopped.best_epoch, whole.best_epoch);
  EXPECT_EQ(stopped.gam.parts(), whole.gam.parts());
  EXPECT_EQ(stopped.table_metric, whole.table_metric);
}

class Lines final : public LogSink {
 public:
  void log(LogLevel, std::string_view message) override { all.emplace_back(message); }
  std::vector<std::string> all;
};

TEST(Rankgam, LogsEveryFewEpochs) {
  const auto lines = std::make_shared<Lines>();
  Context context;
  context.log_sink = lines;
  RankgamParams params = quick();
  params.max_epochs = 5;
  const RankgamResult result =
      train_rankgam(make_data({}), nullptr, params, context, {.log_every = 2});
  ASSERT_EQ(lines->all.size(), 2U);
  EXPECT_EQ(lines->all[1], fmt::format("[4] loss: {:.6f}  valid ndcg@10: {:.6f}",
                                       result.epochs[3].loss, result.epochs[3].metric));
}

TEST(Rankgam, ALearningRateThatBreaksTheTowersIsNamed) {
  RankgamParams params = quick();
  params.learning_rate = 1e30;
  const Dataset data = make_data({.num_queries = 6, .num_features = 3});
  const std::string message = message_of([&] { train_rankgam(data, nullptr, params, Context{}); });
  EXPECT_TRUE(message.starts_with("epoch 1: a score has become ")) << message;
  EXPECT_TRUE(message.ends_with("; scores must be finite: the learning rate is too large"));
}

TEST(Rankgam, SaysWhatIsWrong) {
  const Dataset data = make_data({.num_queries = 4, .num_features = 3});
  RankgamParams params = quick();
  params.dropout = 1;
  EXPECT_NE(message_of([&] { train_rankgam(data, nullptr, params, Context{}); }).find("dropout"),
            std::string::npos);
  const Dataset other = make_data({.num_queries = 4, .num_features = 2});
  EXPECT_EQ(message_of([&] { train_rankgam(data, &other, quick(), Context{}); }),
            "the validation data has 2 features, the training data 3");
  EXPECT_EQ(message_of([&] { train_rankgam(Dataset(), nullptr, quick(), Context{}); }),
            "the training data has no rows");
  DatasetParts bare;
  bare.grades = {1, 0};
  bare.queries = QueryGroups({"q"}, std::vector<std::size_t>{2});
  EXPECT_EQ(
      message_of([&] { train_rankgam(Dataset(std::move(bare)), nullptr, quick(), Context{}); }),
      "the training data has no features");
  EXPECT_EQ(message_of(
                [&] { train_rankgam(make_data({.num_queries = 1}), nullptr, quick(), Context{}); }),
            "the training data has one query; give validation data, or two queries so that one can "
            "be held out");

  const auto two_rows = [](float value, float grade) {
    DatasetParts parts;
    parts.features = Buffer<float>(2);
    parts.features[0] = value;
    parts.features[1] = 1;
    parts.grades = {grade, 0};
    parts.queries = QueryGroups({"q", "p"}, std::vector<std::size_t>{1, 1});
    parts.schema = Schema::of_features({"price"});
    return Dataset(std::move(parts));
  };
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(message_of([&] { train_rankgam(two_rows(infinite, 1), nullptr, quick(), Context{}); }),
            "row 1: feature 'price' is infinite; a network cannot use that");
  EXPECT_EQ(message_of([&] { train_rankgam(two_rows(0, 0), nullptr, quick(), Context{}); }),
            "the training data has no document with a grade above 0");
}

}  // namespace
}  // namespace glassrank
