// Every method with everything that is done with all of them: files, folds, searches, cleaning,
// going on.

#include "glassrank/methods/training/train_run.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/data/io/formats.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/check_training.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/models/io/formats.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::same_bytes;
using testing::set;
using testing::temporary_path;

// Every method, small enough to train in no time.
std::unique_ptr<Method> tiny(std::string_view name) {
  auto method = make_pipeline(name);
  const auto try_set = [&](const char* param, const char* value) {
    if (!param_value(*method, param).empty()) set(*method, param, value);
  };
  for (const char* rounds :
       {"num_trees", "num_rounds", "epochs", "restarts", "max_rounds", "max_epochs"})
    try_set(rounds, "8");
  try_set("num_leaves", "4");
  try_set("num_interactions", "2");
  try_set("pair_selection.max_rounds", "8");
  try_set("batch_queries", "8");
  try_set("first_units", "4");
  try_set("second_units", "3");
  if (name == "ebm") set(*method, "bags", "2");
  return method;
}

struct Files {
  Bookshop shop = make_bookshop({.queries = 40}, 5);
  TrainFiles files;

  explicit Files(const std::string& name) {
    files = {.train = temporary_path(name + ".train.txt"),
             .valid = temporary_path(name + ".valid.txt"),
             .test = temporary_path(name + ".test.txt"),
             .out = temporary_path(name + ".glass")};
    write_svmlight(files.train, DatasetView(shop.train), {}, Context{});
    write_svmlight(files.valid, DatasetView(shop.valid), {}, Context{});
    write_svmlight(files.test, DatasetView(shop.test), {}, Context{});
  }
};

// A parameter of the method that a search may try, with a range.
struct SearchedParam {
  const char* name;
  const char* range;
  const char* choices;
};

SearchedParam searched_param(const Method& method) {
  // Least squares of `linear` take no steps, so l2 comes before the rate of the steps.
  constexpr SearchedParam kKnown[] = {{"l2", "0.01..1:log", "0.1|1"},
                                      {"learning_rate", "0.02..0.3:log", "0.05|0.2"},
                                      {"feature_fraction", "0.2..0.9", "0.3|0.6"},
                                      {"thresholds", "2..40", "5|10"},
                                      {"tolerance", "0.0001..0.1:log", "0.001|0.1"},
                                      {"min_leaf", "0.01..0.2", "0.05|0.1"}};
  for (const SearchedParam& known : kKnown) {
    if (!param_value(method, known.name).empty()) return known;
  }
  return kKnown[0];
}

std::string searched(const Method& method) {
  const SearchedParam param = searched_param(method);
  return std::string(param.name) + "=" + param.range;
}

std::string two_choices(const Method& method) {
  const SearchedParam param = searched_param(method);
  return std::string(param.name) + "=" + param.choices;
}

TEST(EveryMethod, TrainsToAFile) {
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    Files data("every_file");
    data.files.curve = temporary_path("every_file.tsv");
    data.files.record = temporary_path("every_file.json");
    const auto method = tiny(info.name);
    check_training(*method, data.files, {});
    const TrainReport report = train_to_file(*method, data.files, {}, Context{});
    EXPECT_EQ(report.method, info.name);
    for (const NamedValues* values : {&report.train, &report.valid, &report.test}) {
      ASSERT_EQ(values->size(), 1U);
      EXPECT_EQ(values->front().first, "ndcg@10");
      EXPECT_GT(values->front().second, 0.2);
    }
    EXPECT_TRUE(std::filesystem::exists(data.files.curve));
    EXPECT_TRUE(std::filesystem::exists(data.files.record));
    EXPECT_FALSE(std::filesystem::exists(data.files.out + ".checkpoint"));
    EXPECT_FALSE(train_text(report).empty());
    const Model model = load_model(data.files.out, Context{});
    EXPECT_EQ(kind_of(model) == Gam::kKind, method->traits().is_additive);
  }
}

TEST(EveryMethod, TrainsInFolds) {
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    Files data("every_fold");
    data.files.valid.clear();
    const auto method = tiny(info.name);
    check_training(*method, data.files, {.num_folds = 3});
    const FoldsReport report = train_folds(*method, data.files, 3, Context{});
    ASSERT_EQ(report.found.folds.size(), 3U);
    EXPECT_GT(report.found.test.metrics.front().spread.mean, 0.2);
    ASSERT_TRUE(report.model);
    EXPECT_GT(report.model->test.front().second, 0.2);
    EXPECT_FALSE(folds_text(report).empty());
    EXPECT_TRUE(std::filesystem::exists(data.files.out));
    // The model on all data is as long as the folds say.
    const auto fixed = method->clone();
    fixed->fix_length(report.found.length);
    const TrainingData all(load_dataset(data.files.train, {}, Context{}));
    Model model = load_model(data.files.out, Context{});
    model.provenance.clear();
    EXPECT_TRUE(same_bytes(fixed->train({.data = all}, Context{}).model, model));
  }
}

TEST(EveryMethod, IsSearched) {
  for (const MethodInfo& info : method_table()) {
    for (const int rungs : {1, 3}) {
      SCOPED_TRACE(std::string(info.name) + " " + std::to_string(rungs));
      const Files data("every_search");
      const auto method = tiny(info.name);
      const SearchParams search{.ranges = {searched(*method)}, .trials = 4, .rungs = rungs};
      check_training(*method, data.files, {.search = search});
      const SearchReport report = train_search(*method, data.files, 0, search, Context{});
      ASSERT_EQ(report.found.trials.size(), 4U);
      const Trial& best = report.found.trials.front();
      EXPECT_EQ(best.rung, static_cast<std::size_t>(rungs));
      EXPECT_GT(report.test.front().second, 0.2);
      EXPECT_FALSE(search_text(report).empty());
      EXPECT_TRUE(std::filesystem::exists(search_config_file(data.files.out)));
      EXPECT_TRUE(std::filesystem::exists(search_trials_file(data.files.out)));
      // The best trial is what its parameters give alone, however it was prolonged.
      const TrainingData parts(load_dataset(data.files.train, {}, Context{}),
                               load_dataset(data.files.valid, {}, Context{}));
      const auto alone = method->clone();
      for (const auto& [name, value] : best.values) set(*alone, name, value);
      const TrainResult expected = alone->train({.data = parts}, Context{});
      EXPECT_TRUE(same_bytes(report.found.best.model, expected.model));
      EXPECT_EQ(best.value, valid_metric(expected, *alone, parts, Context{}));
    }
  }
}

TEST(EveryMethod, IsSearchedInFolds) {
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    Files data("every_both");
    data.files.valid.clear();
    const auto method = tiny(info.name);
    const SearchParams search{.ranges = {two_choices(*method)}};
    check_training(*method, data.files, {.num_folds = 3, .search = search});
    const SearchReport report = train_search(*method, data.files, 3, search, Context{});
    EXPECT_EQ(report.found.trials.size(), 2U);
    EXPECT_TRUE(std::filesystem::exists(data.files.out));
  }
}

TEST(EveryMethod, IsCleanedByValues) {
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    Files data("every_clean");
    data.files.dropped = temporary_path("every_clean.tsv");
    const auto method = tiny(info.name);
    set(*method, "clean.method", "isolation-forest");
    set(*method, "clean.contamination", "0.1");
    check_training(*method, data.files, {});
    const TrainReport report = train_to_file(*method, data.files, {}, Context{});
    const auto num_rows = static_cast<double>(data.shop.train.num_rows());
    ASSERT_TRUE(report.cleaning);
    EXPECT_NEAR(static_cast<double>(report.cleaning->num_dropped), 0.1 * num_rows, 1);
    EXPECT_TRUE(std::filesystem::exists(data.files.dropped));

    // As training on the rows that are left, but that bins are those of all where there are bins.
    const Dataset train = load_dataset(data.files.train, {}, Context{});
    const TrainingData all(train, load_dataset(data.files.valid, {}, Context{}));
    const TrainResult trained = method->train({.data = all}, Context{});
    EXPECT_EQ(trained.cleaning->dropped.size(), report.cleaning->num_dropped);
    const TrainingData left = all.select(kept_rows(*trained.cleaning, train.num_rows()));
    const TrainResult expected = tiny(info.name)->train({.data = left}, Context{});
    EXPECT_TRUE(same_bytes(trained.model, expected.model));

    const auto tuning = tiny(info.name);
    set(*tuning, "clean.method", "isolation-forest");
    set(*tuning, "clean.tune", "true");
    const TrainResult tuned = tuning->train({.data = all}, Context{});
    EXPECT_EQ(tuned.report.cleaning->grid.size(), 16U);
    EXPECT_EQ(std::ranges::count(tuned.report.cleaning->grid, true, &CleaningCell::is_chosen), 1);
    for (const CleaningCell& cell : tuned.report.cleaning->grid) {
      EXPECT_LE(cell.value, valid_metric(tuned, *tuning, all, Context{}));
    }
  }
}

TEST(EveryMethod, GoesOnToTheSameFile) {
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    const Files data("every_resume");
    const auto method = tiny(info.name);
    if (method->rounds().most == 1) continue;  // there is nothing to go on from
    train_to_file(*method, data.files, {}, Context{});
    const Model whole = load_model(data.files.out, Context{});
    const auto sink = std::make_shared<testing::StopAt>("[", 5);
    Context context;
    context.threads = std::make_shared<const Threads>(1);
    context.log_sink = sink;
    context.stop = &sink->stop;
    const RunParams params{.checkpoint_every = 1, .log_every = 1};
    const std::string message =
        message_of([&] { train_to_file(*method, data.files, params, context); });
    EXPECT_TRUE(message.ends_with("; --resume goes on")) << message;
    EXPECT_TRUE(std::filesystem::exists(data.files.out + ".checkpoint") ||
                std::filesystem::exists(data.files.out + ".main.checkpoint"));
    train_to_file(*method, data.files, {.resumes = true}, Context{});
    EXPECT_TRUE(same_bytes(load_model(data.files.out, Context{}), whole));
    EXPECT_FALSE(std::filesystem::exists(data.files.out + ".checkpoint"));
    EXPECT_FALSE(std::filesystem::exists(data.files.out + ".main.checkpoint"));
  }
}

}  // namespace
}  // namespace glassrank
