#include "glassrank/methods/cleaners/isolation_cleaner.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/cleaners/isolation_forest.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

using testing::Cleaned;
using testing::train_cleaned;

CleanParams isolation(double contamination) {
  return {.method = CleanMethod::kIsolationForest, .contamination = contamination};
}

TEST(IsolationCleaner, DropsTheHighestScoresOfTheType) {
  const Bookshop shop = make_bookshop({.queries = 60}, 1);
  const Context context{.seed = 9};
  const auto scores = IsolationForest(shop.train.features(), {.height = 8}, context)
                          .scores(shop.train.features(), context);
  CleanParams params = isolation(0.05);
  const Cleaning all = clean_by_isolation(shop.train, params, context);
  const auto count =
      static_cast<std::size_t>(std::llround(0.05 * static_cast<double>(shop.train.num_rows())));
  ASSERT_EQ(all.dropped.size(), count);
  for (const DroppedRow& dropped : all.dropped) EXPECT_EQ(dropped.evidence, scores[dropped.row]);
  for (const DocumentType type : {DocumentType::kNeg, DocumentType::kPos}) {
    params.type = type;
    const Cleaning some = clean_by_isolation(shop.train, params, context);
    // The share is of all documents, and none that is kept and of the type has a higher score.
    ASSERT_EQ(some.dropped.size(), count);
    std::vector<bool> is_dropped(scores.size());
    float lowest = 1;
    for (const DroppedRow& dropped : some.dropped) {
      EXPECT_EQ(shop.train.grades()[dropped.row] > 0, type == DocumentType::kPos);
      is_dropped[dropped.row] = true;
      lowest = std::min(lowest, dropped.evidence);
    }
    for (std::size_t row = 0; row < scores.size(); ++row) {
      const bool is_of_type = (shop.train.grades()[row] > 0) == (type == DocumentType::kPos);
      if (is_of_type && !is_dropped[row]) {
        EXPECT_LE(scores[row], lowest);
      }
    }
  }
}

TEST(IsolationCleaner, SaysWhatItDid) {
  const Bookshop shop = make_bookshop({.queries = 20}, 1);
  CleanParams params = isolation(0);
  params.threshold = 0.99;
  EXPECT_EQ(
      clean_by_isolation(shop.train, params, {}).summary,
      fmt::format("isolation-forest all, score above 0.99: 0 of {} documents (0.00 %) dropped",
                  shop.train.num_rows()));
  params = isolation(0.5);
  params.type = DocumentType::kPos;
  EXPECT_TRUE(clean_by_isolation(shop.train, params, {})
                  .summary.starts_with("isolation-forest pos, highest scores, 0.5 of all: "));
}

TEST(IsolationCleaner, CleansForLambdamartAndIsTuned) {
  const Bookshop shop = make_bookshop({.queries = 60}, 1);
  LambdamartParams params;
  params.boosting.num_trees = 10;
  const CleanParams clean = isolation(0.1);
  const Cleaned cleaned = train_cleaned(shop.train, &shop.valid, params, clean);
  EXPECT_EQ(cleaned.cleaning.dropped, clean_by_isolation(shop.train, clean, {}).dropped);
  EXPECT_GT(cleaned.forest.trees().size(), 0);
  const CleanParams tune{.method = CleanMethod::kIsolationForest, .tune = true};
  const Cleaned tuned = train_cleaned(shop.train, &shop.valid, params, tune);
  const std::vector<CleaningCell>& grid = tuned.result.report.cleaning->grid;
  ASSERT_EQ(grid.size(), 1 + 3 * 5) << "none, and for each type the threshold and 4 shares";
  for (const CleaningCell& cell : grid) EXPECT_LE(cell.value, tuned.result.best_metric);
}

TEST(IsolationCleaner, TheGridKeepsWhatIsGiven) {
  const Bookshop shop = make_bookshop({.queries = 20}, 1);
  const auto shares = [&](const CleanParams& params) {
    std::vector<double> found;
    for (const Cleaning& cleaning : isolation_grid(shop.train, params, {})) {
      found.push_back(cleaning.params.contamination);
    }
    return found;
  };
  CleanParams params = isolation(0.1);
  EXPECT_EQ(shares(params), (std::vector<double>{0.1, 0.1, 0.1}));  // three types
  params.type = DocumentType::kPos;
  EXPECT_EQ(shares(params), (std::vector<double>{0.1}));
  params = {.method = CleanMethod::kIsolationForest, .type = DocumentType::kPos};
  EXPECT_EQ(shares(params).size(), 5U);
  params.threshold = 0.6;
  EXPECT_EQ(shares(params), (std::vector<double>{0}));
}

TEST(IsolationCleaner, RefusesToDropEverything) {
  const Bookshop shop = make_bookshop({.queries = 20}, 1);
  LambdamartParams params;
  params.boosting.num_trees = 2;
  CleanParams clean = isolation(0);
  clean.threshold = 0;
  EXPECT_EQ(message_of([&] { train_cleaned(shop.train, nullptr, params, clean); }),
            fmt::format("isolation-forest would drop all {} documents of the training data",
                        shop.train.num_rows()));
}

}  // namespace
}  // namespace glassrank
