#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/grade_noise.h"
#include "glassrank/data/keep_rows.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/random_search.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

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

LambdamartParams quick(CleanMethod method = CleanMethod::kSour) {
  LambdamartParams params;
  params.boosting.num_trees = 30;
  params.boosting.num_leaves = 8;
  params.boosting.min_leaf_rows = 5;
  params.patience = 10;
  params.metric = {"ndcg@5"};
  params.clean.method = method;
  params.clean.start = 5;
  params.clean.stages = {5, 12, 20};
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

TEST(CleanedLambdamart, DropsTheOutliersOfEveryPrefixOfTheBaseForest) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick();
  const CleanedResult cleaned = train_cleaned(shop.train, &shop.valid, params, Context{});

  LambdamartParams base = params;
  base.patience = 0;
  const Forest forest = train_lambdamart(shop.train, nullptr, base, Context{}).forest;
  ASSERT_EQ(forest.trees().size(), 30U);
  const std::vector<std::uint32_t> expected = consistent_outliers(shop.train, forest, 5, 30);
  EXPECT_GT(expected.size(), 10U);
  EXPECT_EQ(rows_of(cleaned.cleaning), expected);

  LambdamartData data = prepare_lambdamart(shop.train, &shop.valid, params, Context{});
  data.train = keep_rows(data.train, rows_without(expected, shop.train.num_rows()), Context{});
  EXPECT_TRUE(same(cleaned.result.forest, train_lambdamart(data, params, {}, Context{}).forest));
}

TEST(CleanedLambdamart, FindsFlippedGradesMoreOftenThanChance) {
  const NoisyShop shop = noisy_shop(200);
  LambdamartParams params = quick();
  params.clean.start = 3;
  params.clean.type = DocumentType::kPos;
  const CleanedResult cleaned = train_cleaned(shop.train, &shop.valid, params, Context{});
  std::size_t hits = 0;
  for (const std::uint32_t row : rows_of(cleaned.cleaning)) hits += shop.flipped.count(row);
  const auto precision =
      static_cast<double>(hits) / static_cast<double>(cleaned.cleaning.dropped.size());
  const auto relevant = std::ranges::count_if(shop.train.grades(), [](float g) { return g > 0; });
  const double chance = static_cast<double>(shop.flipped.size()) / static_cast<double>(relevant);
  EXPECT_GE(hits, 8U);
  EXPECT_GT(precision, 2 * chance);
}

TEST(CleanedLambdamart, LastSourDropsTheOutliersOfTheBestRound) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick(CleanMethod::kLastSour);
  const CleanedResult cleaned = train_cleaned(shop.train, &shop.valid, params, Context{});
  const LambdamartResult base = train_lambdamart(shop.train, &shop.valid, params, Context{});
  EXPECT_EQ(rows_of(cleaned.cleaning),
            consistent_outliers(shop.train, base.forest, base.best_round, base.best_round));
}

TEST(CleanedLambdamart, CurrSourGrowsOneEnsembleInStages) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick(CleanMethod::kCurrSour);
  params.clean.start = 1;
  const CleanedResult cleaned = train_cleaned(shop.train, &shop.valid, params, Context{});
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
      rows.train = keep_rows(all.train, rows_without(left_out, shop.train.num_rows()), Context{});
    } else {
      part.patience = params.patience;
    }
    part.boosting.num_trees = static_cast<int>(lengths[s]);
    const LambdamartRun run{.warm_start = so_far};
    const LambdamartResult stage = train_lambdamart(rows, part, run, Context{});
    so_far = s < 3 ? stage.grown : stage.forest;
  }
  EXPECT_TRUE(same(cleaned.result.forest, *so_far));
  EXPECT_EQ(cleaned.result.curve.size(), cleaned.result.num_rounds);
  EXPECT_EQ(cleaned.result.best_round, cleaned.result.forest.trees().size());
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

TEST(CleanedLambdamart, AStageWithoutASplitLeftHandsOverToTheNext) {
  const Dataset lessons = two_lessons();
  LambdamartParams params;
  params.boosting = {.num_trees = 8, .learning_rate = 1, .num_leaves = 2, .min_leaf_rows = 1};
  params.boosting.min_leaf_hessian = 0;
  params.boosting.precision = Precision::kFull;
  params.bins.min_bin_rows = 1;
  params.objective.objective = "squared_error";
  params.metric = {"ndcg@5"};
  const LambdamartData data = prepare_lambdamart(lessons, nullptr, params, Context{});
  const Cleaning cleaning{.params = {},
                          .dropped = {},
                          .stages = {{.end = 5, .left_out = {8, 9, 10, 11, 12, 13, 14, 15}},
                                     {.end = 7, .left_out = {8, 9, 10, 11, 12, 13, 14, 15}}}};
  const LambdamartResult whole = train_on_cleaned(data, cleaning, params, {}, Context{});

  // By hand: one tree of the first lesson, the rest of both together.
  LambdamartData first = data;
  first.train =
      keep_rows(data.train, std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}, Context{});
  const LambdamartResult start = train_lambdamart(first, params, {}, Context{});
  ASSERT_EQ(start.end, BoostingEnd::kNoSplitLeft);
  ASSERT_EQ(start.num_rounds, 1U);
  LambdamartParams rest = params;
  rest.boosting.num_trees = 7;
  const LambdamartResult end = train_lambdamart(data, rest, {.warm_start = start.grown}, Context{});
  ASSERT_GT(end.num_rounds, 1U);
  EXPECT_TRUE(same(whole.forest, end.forest));
  EXPECT_EQ(whole.num_rounds, 1 + end.num_rounds);
  EXPECT_EQ(whole.curve.size(), whole.num_rounds);

  // Where the first stage ended is not in a checkpoint, and found again.
  for (std::size_t trees = 1; trees <= whole.num_rounds; ++trees) {
    CleanedRun run;
    run.final.resumed = whole.grown.first_trees(trees);
    const LambdamartResult resumed = train_on_cleaned(data, cleaning, params, run, Context{});
    EXPECT_TRUE(same(resumed.forest, whole.forest)) << trees;
    EXPECT_EQ(resumed.curve, whole.curve) << trees;
  }
}

TEST(CleanedLambdamart, IsTheSameForAnyNumberOfThreads) {
  const NoisyShop shop = noisy_shop();
  for (const CleanMethod method : {CleanMethod::kSour, CleanMethod::kPSour}) {
    LambdamartParams params = quick(method);
    params.clean.p = 0.6;
    Context one;
    one.threads = std::make_shared<const Threads>(1);
    const CleanedResult expected = train_cleaned(shop.train, &shop.valid, params, one);
    for (const int threads : {2, 4}) {
      Context context;
      context.threads = std::make_shared<const Threads>(threads);
      const CleanedResult found = train_cleaned(shop.train, &shop.valid, params, context);
      EXPECT_EQ(found.cleaning.dropped, expected.cleaning.dropped);
      EXPECT_TRUE(same(found.result.forest, expected.result.forest));
    }
  }
}

TEST(CleanedLambdamart, WorksWithEverySamplerAndObjective) {
  const NoisyShop shop = noisy_shop();
  for (const auto& [name, method] : EnumNames<SampleMethod>::table()) {
    LambdamartParams params = quick();
    params.sample.method = method;
    const CleanedResult cleaned = train_cleaned(shop.train, &shop.valid, params, Context{});
    EXPECT_FALSE(cleaned.cleaning.dropped.empty()) << name;
    EXPECT_FALSE(cleaned.result.forest.trees().empty()) << name;
  }
  LambdamartParams adaptive = quick();
  adaptive.sample = {.method = SampleMethod::kSelective, .adaptive = AdaptiveStrategy::kMix};
  adaptive.sample.random = 0.1;
  for (const Dataset* valid : {&shop.valid, static_cast<const Dataset*>(nullptr)}) {
    const CleanedResult cleaned = train_cleaned(shop.train, valid, adaptive, Context{});
    EXPECT_FALSE(cleaned.result.forest.trees().empty());
  }
  LambdamartParams params = quick();
  params.objective.objective = "squared_error";
  EXPECT_FALSE(train_cleaned(shop.train, &shop.valid, params, Context{}).cleaning.dropped.empty());
}

// What the command line does: the trees of both trainings are saved and given back.
TEST(CleanedLambdamart, GoesOnFromAnyRoundOfBaseAndFinalTraining) {
  const NoisyShop shop = noisy_shop();
  for (const CleanMethod method : {CleanMethod::kSour, CleanMethod::kCurrSour}) {
    LambdamartParams params = quick(method);
    params.clean.start = 1;
    const LambdamartData data = prepare_lambdamart(shop.train, &shop.valid, params, Context{});
    CleanedRun run;
    Forest base;
    run.base.save_end = [&](const Forest& grown) { base = grown; };
    const CleanedResult whole = train_cleaned(shop.train, data, params, run, Context{});
    const Forest final = whole.result.grown;
    for (const std::size_t trees : {1U, 5U, 6U, 20U, 30U}) {
      CleanedRun resumed;
      resumed.base.resumed = base.first_trees(std::min(trees, base.trees().size()));
      CleanedResult again = train_cleaned(shop.train, data, params, resumed, Context{});
      EXPECT_EQ(again.cleaning.dropped, whole.cleaning.dropped);
      EXPECT_TRUE(same(again.result.forest, whole.result.forest));
      resumed.base.resumed = base;
      resumed.final.resumed = final.first_trees(std::min(trees, final.trees().size()));
      again = train_cleaned(shop.train, data, params, resumed, Context{});
      EXPECT_TRUE(same(again.result.forest, whole.result.forest));
      EXPECT_EQ(again.result.curve, whole.result.curve);
    }
  }
}

TEST(CleanedLambdamart, StoppedInTheBaseTrainingItHasItsTreesSaved) {
  const NoisyShop shop = noisy_shop();
  const LambdamartParams params = quick();
  const LambdamartData data = prepare_lambdamart(shop.train, &shop.valid, params, Context{});
  std::atomic<bool> stop = false;
  Context context;
  context.stop = &stop;
  std::size_t saved = 0;
  CleanedRun run;
  run.base.checkpoint_every = 7;
  run.base.save_checkpoint = [&](const Forest&) { stop = true; };
  run.base.save_end = [&](const Forest& grown) { saved = grown.trees().size(); };
  EXPECT_EQ(message_of([&] { train_cleaned(shop.train, data, params, run, context); }),
            "stopped after 7 rounds of the base model of cleaning");
  EXPECT_EQ(saved, 7U);
}

TEST(CleanedLambdamart, NeedsNoFeatureValuesUnlessTheCleanerLooksAtThem) {
  const NoisyShop shop = noisy_shop();
  for (const CleanMethod method : {CleanMethod::kSour, CleanMethod::kLastSour}) {
    const LambdamartParams params = quick(method);
    const LambdamartData data = prepare_lambdamart(shop.train, &shop.valid, params, Context{});
    const CleanedResult values = train_cleaned(shop.train, data, params, {}, Context{});
    const CleanedResult bins = train_cleaned(Dataset(), data, params, {}, Context{});
    EXPECT_FALSE(bins.cleaning.dropped.empty());
    EXPECT_EQ(bins.cleaning.dropped, values.cleaning.dropped);
    EXPECT_TRUE(same(bins.result.forest, values.result.forest));
  }
  const LambdamartParams params = quick(CleanMethod::kIsolationForest);
  const LambdamartData data = prepare_lambdamart(shop.train, nullptr, params, Context{});
  EXPECT_EQ(message_of([&] { train_cleaned(Dataset(), data, params, {}, Context{}); }),
            "isolation-forest looks at feature values, and the training data has only bins");
}

TEST(CleanedLambdamart, TuningKeepsTheBestCleaningOnTheValidationData) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick();
  params.clean = {.method = CleanMethod::kSour, .tune = true};
  const CleanedResult tuned = train_cleaned(shop.train, &shop.valid, params, Context{});
  ASSERT_EQ(tuned.grid.size(), 31U);
  EXPECT_EQ(tuned.grid.front().params.method, CleanMethod::kNone);
  for (const TunedCleaning& cell : tuned.grid) EXPECT_LE(cell.metric, tuned.result.best_metric);

  // The chosen cell, and a few others, are what they give alone.
  LambdamartParams alone = params;
  alone.clean = tuned.cleaning.params;
  const CleanedResult again = train_cleaned(shop.train, &shop.valid, alone, Context{});
  EXPECT_EQ(again.cleaning.dropped, tuned.cleaning.dropped);
  EXPECT_TRUE(same(again.result.forest, tuned.result.forest));
  for (const std::size_t i : {0U, 4U, 17U, 30U}) {
    alone.clean = tuned.grid[i].params;
    const CleanedResult cell = train_cleaned(shop.train, &shop.valid, alone, Context{});
    EXPECT_EQ(cell.result.best_metric, tuned.grid[i].metric);
    EXPECT_EQ(cell.result.best_round, tuned.grid[i].num_trees);
    EXPECT_EQ(cell.cleaning.dropped.size(), tuned.grid[i].num_dropped);
  }
}

TEST(CleanedLambdamart, OfEqualCleaningsTheOneThatDropsLessIsKept) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick();
  params.clean.tune = true;
  params.boosting.num_trees = 4;
  params.clean.start = 1;
  // Documents that are all as good: every order is ideal.
  const Dataset valid = with_grades(shop.valid, std::vector<float>(shop.valid.num_rows(), 1));
  const CleanedResult tuned = train_cleaned(shop.train, &valid, params, Context{});
  EXPECT_GT(tuned.grid.back().num_dropped, 0U);
  EXPECT_EQ(tuned.grid.back().metric, 1);
  EXPECT_EQ(tuned.cleaning.params.method, CleanMethod::kNone);
}

TEST(CleanedLambdamart, FoldsAndSearchesCleanTheirOwnTrainingRows) {
  const NoisyShop shop = noisy_shop();
  LambdamartParams params = quick();
  params.boosting.num_trees = 10;
  params.clean.start = 2;
  const CrossValidation cleaned = cross_validate(shop.train, params, 3, Context{});
  LambdamartParams plain = params;
  plain.clean = {};
  EXPECT_NE(cleaned.valid.front().mean,
            cross_validate(shop.train, plain, 3, Context{}).valid.front().mean);

  SearchParams search{
      .ranges = {"clean.start=1..9", "clean.type=neg|pos|all"}, .trials = 4, .rungs = 2};
  const std::vector<SearchSplit> splits = {{.train = shop.train, .valid = shop.valid}};
  const SearchResult found = random_search(splits, params, search, Context{});
  const CleanedResult best =
      train_cleaned(shop.train, &shop.valid, found.trials.front().params, Context{});
  EXPECT_EQ(best.cleaning.summary, found.cleaning);
  EXPECT_TRUE(same(best.result.forest, found.forest));

  params.clean.tune = true;
  EXPECT_EQ(message_of([&] { random_search(splits, params, search, Context{}); }),
            "clean.tune does not go with a search; search for clean.start and clean.type instead");
  params.clean.tune = false;
  search.ranges = {"clean.start=1..99"};
  EXPECT_NE(message_of([&] {
              random_search(splits, params, search, Context{});
            }).find("is after the last round of the window, 10"),
            std::string::npos);
}

}  // namespace
}  // namespace glassrank
