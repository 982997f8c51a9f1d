#include "glassrank/methods/training/cleaned_method.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/grade_noise.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/lambdamart/staged_training.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/random_search.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::Cleaned;
using testing::train_cleaned;

// Documents of the lowest grade called perfect with probability 0.1.
struct NoisyShop {
  Dataset train;
  Dataset valid;
  std::set<std::uint32_t> flipped;
};

NoisyShop noisy_shop(int queries = 80) {
  const Bookshop shop = make_bookshop({.queries = queries}, 3);
  NoisyDataset noisy =
      add_grade_noise(shop.train, {.probability = 0.1, .mode = NoiseMode::kLowestToHighest}, 3);
  NoisyShop result{.train = noisy.data, .valid = shop.valid, .flipped = {}};
  for (const GradeFlip& flip : noisy.flips) {
    result.flipped.insert(static_cast<std::uint32_t>(flip.row));
  }
  return result;
}

CleanParams cleaning_by(CleanMethod method = CleanMethod::kSour) {
  CleanParams clean{.method = method};
  clean.start = 5;
  clean.stages = {5, 12, 20};
  return clean;
}

LambdamartParams quick() {
  LambdamartParams params;
  params.boosting.num_trees = 30;
  params.boosting.num_leaves = 8;
  params.boosting.min_leaf_rows = 5;
  params.patience = 10;
  params.watch.metric = {"ndcg@5"};
  return params;
}

bool same(const Forest& a, const Forest& b) {
  return a.base_score() == b.base_score() && std::ranges::equal(a.trees(), b.trees());
}

std::vector<std::uint32_t> rows_of(const Cleaning& cleaning) {
  std::vector<std::uint32_t> rows;
  for (const DroppedRow& row : cleaning.dropped) rows.push_back(row.row);
  return rows;
}

// The slow way: every prefix of the base forest, scored and ranked.
std::vector<std::uint32_t> consistent_outliers(const Dataset& data, const Forest& base,
                                               std::size_t start, std::size_t end) {
  std::vector<std::uint32_t> found;
  std::vector<std::size_t> counts(data.num_rows());
  for (std::size_t trees = start; trees <= end; ++trees) {
    std::vector<double> scores(data.num_rows());
    ForestScorer(base.first_trees(trees)).score(data.features(), scores, Context{});
    for (std::size_t q = 0; q < data.num_queries(); ++q) {
      const RowRange rows = data.queries().rows(q);
      for (const std::uint32_t slot : find_outliers(
               data.grades().subspan(rows.begin, rows.size()),
               std::span<const double>(scores).subspan(rows.begin, rows.size()), {.cutoff = 5})) {
        ++counts[rows.begin + slot];
      }
    }
  }
  for (std::uint32_t row = 0; row < counts.size(); ++row) {
    if (counts[row] == end - start + 1) found.push_back(row);
  }
  return found;
}

TEST(CleanedMethod, DropsTheOutliersOfEveryPrefixOfTheBaseForest) {
  const NoisyShop shop = noisy_shop();
  const LambdamartParams params = quick();
  const Cleaned cleaned = train_cleaned(shop.train, &shop.valid, params, cleaning_by());

  LambdamartParams base = params;
  base.patience = 0;
  const Forest forest = train_lambdamart(shop.train, nullptr, base, Context{}).forest;
  ASSERT_EQ(forest.trees().size(), 30U);
  const std::vector<std::uint32_t> expected = consistent_outliers(shop.train, forest, 5, 30);
  EXPECT_GT(expected.size(), 10U);
  EXPECT_EQ(rows_of(cleaned.cleaning), expected);

  LambdamartData data = prepare_lambdamart(shop.train, &shop.valid, params, Context{});
  data.train = select_rows(data.train, rows_without(expected, shop.train.num_rows()), Context{});
  EXPECT_TRUE(same(cleaned.forest, train_lambdamart(data, params, {}, Context{}).forest));
}

TEST(CleanedMethod, OutliersAreToldByTheCutoffOfTheStopMetric) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick();
  const Cleaned five = train_cleaned(shop.train, &shop.valid, params, cleaning_by());
  params.watch = {.metric = {"ndcg@20", "ndcg@5"}, .stop_metric = "ndcg@5"};
  const Cleaned second = train_cleaned(shop.train, &shop.valid, params, cleaning_by());
  EXPECT_EQ(second.cleaning.dropped, five.cleaning.dropped);
  params.watch.stop_metric = "ndcg@20";
  const Cleaned twenty = train_cleaned(shop.train, &shop.valid, params, cleaning_by());
  EXPECT_NE(twenty.cleaning.dropped, five.cleaning.dropped);
}

TEST(CleanedMethod, FindsFlippedGradesMoreOftenThanChance) {
  const NoisyShop shop = noisy_shop(200);
  CleanParams clean = cleaning_by();
  clean.start = 3;
  clean.type = DocumentType::kPos;
  const Cleaned cleaned = train_cleaned(shop.train, &shop.valid, quick(), clean);
  std::size_t hits = 0;
  for (const std::uint32_t row : rows_of(cleaned.cleaning)) hits += shop.flipped.count(row);
  const auto precision =
      static_cast<double>(hits) / static_cast<double>(cleaned.cleaning.dropped.size());
  const auto relevant = std::ranges::count_if(shop.train.grades(), [](float g) { return g > 0; });
  const double chance = static_cast<double>(shop.flipped.size()) / static_cast<double>(relevant);
  EXPECT_GE(hits, 8U);
  EXPECT_GT(precision, 2 * chance);
}

TEST(CleanedMethod, LastSourDropsTheOutliersOfTheBestRound) {
  const NoisyShop shop = noisy_shop();
  const Cleaned cleaned =
      train_cleaned(shop.train, &shop.valid, quick(), cleaning_by(CleanMethod::kLastSour));
  const LambdamartResult base = train_lambdamart(shop.train, &shop.valid, quick(), Context{});
  EXPECT_EQ(rows_of(cleaned.cleaning),
            consistent_outliers(shop.train, base.forest, base.best_round, base.best_round));
}

TEST(CleanedMethod, CurrSourGrowsOneEnsembleInStages) {
  const NoisyShop shop = noisy_shop();
  const LambdamartParams params = quick();
  CleanParams clean = cleaning_by(CleanMethod::kCurrSour);
  clean.start = 1;
  const Cleaned cleaned = train_cleaned(shop.train, &shop.valid, params, clean);
  ASSERT_EQ(cleaned.cleaning.stages.size(), 3U);

  LambdamartParams part = params;
  part.patience = 0;
  const LambdamartData all = prepare_lambdamart(shop.train, &shop.valid, params, Context{});
  std::optional<Forest> so_far;
  const Forest base = train_lambdamart(shop.train, nullptr, part, Context{}).forest;
  const std::size_t lengths[] = {5, 7, 8, 10};
  const std::size_t ends[] = {5, 12, 20};
  for (std::size_t s = 0; s < 4; ++s) {
    LambdamartData rows = all;
    if (s < 3) {
      const auto left_out = consistent_outliers(shop.train, base, 1, ends[s]);
      EXPECT_EQ(cleaned.cleaning.stages[s].left_out, left_out);
      rows.train = select_rows(all.train, rows_without(left_out, shop.train.num_rows()), Context{});
    } else {
      part.patience = params.patience;
    }
    part.boosting.num_trees = static_cast<int>(lengths[s]);
    const LambdamartRun run{.warm_start = so_far};
    const LambdamartResult stage = train_lambdamart(rows, part, run, Context{});
    so_far = s < 3 ? stage.all_trees : stage.forest;
  }
  EXPECT_TRUE(same(cleaned.forest, *so_far));
  EXPECT_EQ(cleaned.result.curve.rounds.size(), cleaned.result.report.num_rounds);
  EXPECT_EQ(cleaned.result.report.best_round, cleaned.forest.trees().size());
}

// Three features of two values. Rows 0 to 7 differ in the first only and have its value as their
// grade: one tree of learning rate 1 leaves squared error nothing to do. Rows 8 to 15 need the
// others too, a tree of two leaves for each at least.
Dataset two_lessons() {
  DatasetParts parts;
  parts.features = Buffer<float>(48);
  for (std::size_t row = 0; row < 16; ++row) {
    const auto first = static_cast<float>(row % 2);
    const auto second = row < 8 ? 0.0F : static_cast<float>(row / 2 % 2);
    const auto third = row < 8 ? 0.0F : static_cast<float>(row / 4 % 2);
    parts.features[3 * row] = first;
    parts.features[3 * row + 1] = second;
    parts.features[3 * row + 2] = third;
    parts.grades.push_back(first + 3 * second + 5 * third);
  }
  parts.queries = QueryGroups({"a", "b"}, std::vector<std::size_t>{8, 8});
  parts.schema = Schema::of_features({"first", "second", "third"});
  return Dataset(std::move(parts));
}

TEST(CleanedMethod, AStageWithoutASplitLeftHandsOverToTheNext) {
  const Dataset lessons = two_lessons();
  LambdamartParams params;
  params.boosting = {.num_trees = 8, .learning_rate = 1, .num_leaves = 2, .min_leaf_rows = 1};
  params.boosting.min_leaf_hessian = 0;
  params.boosting.precision = Precision::kFull;
  params.bins.min_bin_rows = 1;
  params.objective.objective = "squared_error";
  params.watch.metric = {"ndcg@5"};
  const LambdamartData data = prepare_lambdamart(lessons, nullptr, params, Context{});
  const std::vector<CleaningStage> stages = {
      {.end = 5, .left_out = {8, 9, 10, 11, 12, 13, 14, 15}},
      {.end = 7, .left_out = {8, 9, 10, 11, 12, 13, 14, 15}}};
  const LambdamartResult whole = train_in_stages(data, stages, params, {}, Context{});

  // By hand: one tree of the first lesson, the rest of both together.
  LambdamartData first = data;
  first.train =
      select_rows(data.train, std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}, Context{});
  const LambdamartResult start = train_lambdamart(first, params, {}, Context{});
  ASSERT_EQ(start.end, BoostingEnd::kNoSplitLeft);
  ASSERT_EQ(start.num_rounds, 1U);
  LambdamartParams rest = params;
  rest.boosting.num_trees = 7;
  const LambdamartResult end =
      train_lambdamart(data, rest, {.warm_start = start.all_trees}, Context{});
  ASSERT_GT(end.num_rounds, 1U);
  EXPECT_TRUE(same(whole.forest, end.forest));
  EXPECT_EQ(whole.num_rounds, 1 + end.num_rounds);
  EXPECT_EQ(whole.curve.size(), whole.num_rounds);

  // Where the first stage ended is not in a checkpoint, and found again.
  for (std::size_t trees = 1; trees <= whole.num_rounds; ++trees) {
    const LambdamartRun run{.resumed = whole.all_trees.first_trees(trees)};
    const LambdamartResult resumed = train_in_stages(data, stages, params, run, Context{});
    EXPECT_TRUE(same(resumed.forest, whole.forest)) << trees;
    EXPECT_EQ(resumed.curve, whole.curve) << trees;
  }
}

TEST(CleanedMethod, IsTheSameForAnyNumberOfThreads) {
  const NoisyShop shop = noisy_shop();
  for (const CleanMethod method : {CleanMethod::kSour, CleanMethod::kPSour}) {
    CleanParams clean = cleaning_by(method);
    clean.p = 0.6;
    Context one;
    one.threads = std::make_shared<const Threads>(1);
    const Cleaned expected = train_cleaned(shop.train, &shop.valid, quick(), clean, one);
    for (const int threads : {2, 4}) {
      Context context;
      context.threads = std::make_shared<const Threads>(threads);
      const Cleaned found = train_cleaned(shop.train, &shop.valid, quick(), clean, context);
      EXPECT_EQ(found.cleaning.dropped, expected.cleaning.dropped);
      EXPECT_TRUE(same(found.forest, expected.forest));
    }
  }
}

TEST(CleanedMethod, WorksWithEverySamplerAndObjective) {
  const NoisyShop shop = noisy_shop();
  for (const auto& [name, method] : EnumNames<SampleMethod>::table()) {
    LambdamartParams params = quick();
    params.sample.method = method;
    const Cleaned cleaned = train_cleaned(shop.train, &shop.valid, params, cleaning_by());
    EXPECT_FALSE(cleaned.cleaning.dropped.empty()) << name;
    EXPECT_FALSE(cleaned.forest.trees().empty()) << name;
  }
  LambdamartParams adaptive = quick();
  adaptive.sample = {.method = SampleMethod::kSelective, .adaptive = AdaptiveStrategy::kMix};
  adaptive.sample.random = 0.1;
  for (const Dataset* valid : {&shop.valid, static_cast<const Dataset*>(nullptr)}) {
    EXPECT_FALSE(train_cleaned(shop.train, valid, adaptive, cleaning_by()).forest.trees().empty());
  }
  LambdamartParams params = quick();
  params.objective.objective = "squared_error";
  EXPECT_FALSE(
      train_cleaned(shop.train, &shop.valid, params, cleaning_by()).cleaning.dropped.empty());
}

// What the command line does: the trees of both trainings are saved and given back.
TEST(CleanedMethod, GoesOnFromAnyRoundOfBaseAndFinalTraining) {
  const NoisyShop shop = noisy_shop();
  const TrainingPhase last;
  for (const CleanMethod method : {CleanMethod::kSour, CleanMethod::kCurrSour}) {
    CleanParams clean = cleaning_by(method);
    clean.start = 1;
    MemoryCheckpoints all;
    const Cleaned whole = train_cleaned(shop.train, &shop.valid, quick(), clean, Context{}, &all);
    const Forest base = load_trees(&all, kBasePhase).value();
    const Forest final = load_trees(&all, last).value();
    EXPECT_EQ(base.trees().size(), method == CleanMethod::kSour ? 30U : 20U);
    EXPECT_EQ(final.trees().size(), whole.result.report.num_rounds);
    for (const std::size_t trees : {1U, 5U, 6U, 20U, 30U}) {
      MemoryCheckpoints some;
      some.save(kBasePhase, base.first_trees(std::min(trees, base.trees().size())));
      Cleaned again = train_cleaned(shop.train, &shop.valid, quick(), clean, Context{}, &some);
      EXPECT_EQ(again.cleaning.dropped, whole.cleaning.dropped);
      EXPECT_TRUE(same(again.forest, whole.forest));
      some.save(kBasePhase, base);
      some.save(last, final.first_trees(std::min(trees, final.trees().size())));
      again = train_cleaned(shop.train, &shop.valid, quick(), clean, Context{}, &some);
      EXPECT_TRUE(same(again.forest, whole.forest));
      EXPECT_EQ(again.result.curve.rounds, whole.result.curve.rounds);
    }
  }
}

// Stops at the first save of a phase.
class StoppingCheckpoints final : public Checkpoints {
 public:
  std::optional<TrainingState> load(const TrainingPhase& phase) override {
    return saved.load(phase);
  }
  std::size_t every() const override { return 7; }
  void save(const TrainingPhase& /*phase*/, const TrainingState& /*state*/) override {
    stop = true;
  }
  void save_end(const TrainingPhase& phase, const TrainingState& state,
                bool is_interrupted) override {
    EXPECT_TRUE(is_interrupted);
    saved.save_end(phase, state, is_interrupted);
  }
  std::atomic<bool> stop = false;
  MemoryCheckpoints saved;
};

TEST(CleanedMethod, StoppedInTheBaseTrainingItHasItsTreesSaved) {
  const NoisyShop shop = noisy_shop();
  StoppingCheckpoints checkpoints;
  Context context;
  context.stop = &checkpoints.stop;
  EXPECT_EQ(message_of([&] {
              train_cleaned(shop.train, &shop.valid, quick(), cleaning_by(), context, &checkpoints);
            }),
            "stopped after 7 rounds of the base model of cleaning");
  EXPECT_EQ(load_trees(&checkpoints.saved, kBasePhase)->trees().size(), 7U);
  EXPECT_FALSE(load_trees(&checkpoints.saved, {}));
}

TEST(CleanedMethod, NeedsNoFeatureValuesUnlessTheCleanerLooksAtThem) {
  const NoisyShop shop = noisy_shop();
  const TrainingData bins =
      testing::bins_only(shop.train, quick().bins, "cleaned_method.bins").with_valid(shop.valid);
  for (const CleanMethod method : {CleanMethod::kSour, CleanMethod::kLastSour}) {
    const CleanParams clean = cleaning_by(method);
    const Cleaned values = train_cleaned(shop.train, &shop.valid, quick(), clean);
    const Cleaned codes{
        .result = make_cleaned(make_lambdamart(quick()), clean)->train({.data = bins}, {})};
    EXPECT_FALSE(codes.cleaning.dropped.empty());
    EXPECT_EQ(codes.cleaning.dropped, values.cleaning.dropped);
    EXPECT_TRUE(same(codes.forest, values.forest));
  }
  const auto looking =
      make_cleaned(make_lambdamart(quick()), cleaning_by(CleanMethod::kIsolationForest));
  EXPECT_EQ(message_of([&] { looking->train({.data = bins}, Context{}); }),
            "isolation-forest looks at feature values, and the training data has only bins");
}

// The cleaning of a cell of the grid, as one would ask for it.
CleanParams params_of(const CleaningCell& cell) {
  CleanParams clean;
  set_param(clean, "method", {cell.cleaner});
  if (cell.type) set_param(clean, "type", {*cell.type});
  if (cell.start) clean.start = *cell.start;
  if (cell.end) clean.end = *cell.end;
  return clean;
}

TEST(CleanedMethod, TuningKeepsTheBestCleaningOnTheValidationData) {
  const NoisyShop shop = noisy_shop();
  const CleanParams tune{.method = CleanMethod::kSour, .tune = true};
  const Cleaned tuned = train_cleaned(shop.train, &shop.valid, quick(), tune);
  const std::vector<CleaningCell>& grid = tuned.result.report.cleaning->grid;
  ASSERT_EQ(grid.size(), 31U);
  EXPECT_EQ(grid.front().cleaner, "none");
  std::size_t num_chosen = 0;
  for (const CleaningCell& cell : grid) {
    EXPECT_LE(cell.value, tuned.result.best_metric);
    if (!cell.is_chosen) continue;
    ++num_chosen;
    EXPECT_EQ(cell.value, tuned.result.best_metric);
    EXPECT_EQ(cell.num_dropped, tuned.cleaning.dropped.size());
  }
  EXPECT_EQ(num_chosen, 1U);

  // The chosen cell, and a few others, are what they give alone.
  const Cleaned again = train_cleaned(shop.train, &shop.valid, quick(), tuned.cleaning.params);
  EXPECT_EQ(again.cleaning.dropped, tuned.cleaning.dropped);
  EXPECT_TRUE(same(again.forest, tuned.forest));
  for (const std::size_t i : {0U, 4U, 17U, 30U}) {
    const Cleaned cell = train_cleaned(shop.train, &shop.valid, quick(), params_of(grid[i]));
    EXPECT_EQ(cell.result.best_metric, grid[i].value);
    EXPECT_EQ(cell.result.report.best_round, grid[i].num_rounds);
    EXPECT_EQ(cell.cleaning.dropped.size(), grid[i].num_dropped);
  }
}

TEST(CleanedMethod, OfEqualCleaningsTheOneThatDropsLessIsKept) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick();
  params.boosting.num_trees = 4;
  CleanParams clean = cleaning_by();
  clean.tune = true;
  clean.start = 1;
  // Documents that are all as good: every order is ideal.
  const Dataset valid = with_grades(shop.valid, std::vector<float>(shop.valid.num_rows(), 1));
  const Cleaned tuned = train_cleaned(shop.train, &valid, params, clean);
  const std::vector<CleaningCell>& grid = tuned.result.report.cleaning->grid;
  EXPECT_GT(grid.back().num_dropped, 0U);
  EXPECT_EQ(grid.back().value, 1);
  EXPECT_EQ(tuned.cleaning.params.method, CleanMethod::kNone);
  EXPECT_TRUE(grid.front().is_chosen);
}

TEST(CleanedMethod, FoldsAndSearchesCleanTheirOwnTrainingRows) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick();
  params.boosting.num_trees = 10;
  CleanParams clean = cleaning_by();
  clean.start = 2;
  const auto method = make_cleaned(make_lambdamart(params), clean);
  const CrossValidation cleaned = cross_validate(shop.train, *method, 3, Context{});
  EXPECT_NE(cleaned.valid.metrics.front().spread.mean,
            cross_validate(shop.train, *make_lambdamart(params), 3, Context{})
                .valid.metrics.front()
                .spread.mean);

  SearchParams search{
      .ranges = {"clean.start=1..9", "clean.type=neg|pos|all"}, .trials = 4, .rungs = 2};
  const std::vector<SearchSplit> splits = {{.train = shop.train, .valid = shop.valid}};
  const SearchResult found = random_search(splits, *method, search, Context{});
  const Trial& best = found.trials.front();
  CleanParams drawn = clean;
  for (const auto& [name, value] : best.values) set_param(drawn, name.substr(6), {value});
  const Cleaned alone = train_cleaned(shop.train, &shop.valid, params, drawn);
  EXPECT_EQ(alone.cleaning.summary, found.best.report.cleaning->summary);
  EXPECT_TRUE(same(alone.forest, require_forest(found.best.model, "the test")));
  EXPECT_EQ(alone.result.best_metric, best.value);

  clean.tune = true;
  const auto tuned = make_cleaned(make_lambdamart(params), clean);
  EXPECT_EQ(message_of([&] { random_search(splits, *tuned, search, Context{}); }),
            "clean.tune does not go with a search; search for clean.start and clean.type instead");
  search.ranges = {"clean.start=1..99"};
  EXPECT_NE(message_of([&] {
              random_search(splits, *method, search, Context{});
            }).find("is after the last round of the window, 10"),
            std::string::npos);
}

}  // namespace
}  // namespace glassrank
