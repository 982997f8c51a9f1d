#include "glassrank/studies/interaction_study.h"

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/ilmart/ilmart.h"
#include "testing/message_of.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

using Counts = std::vector<double>;

IlmartParams quick() {
  IlmartParams params;
  params.trees.boosting.num_trees = 15;
  params.trees.boosting.num_leaves = 6;
  params.trees.patience = 8;
  params.pair_selection.max_rounds = 30;
  return params;
}

TEST(InteractionStudy, PointsAreModelsOfTheFirstPairs) {
  const Bookshop shop = make_bookshop({.queries = 150}, 0);
  const InteractionStudy study = study_interactions(shop.train, shop.valid, shop.test, quick(),
                                                    {.counts = Counts{0, 1, 4}}, Context{});
  ASSERT_EQ(study.points.size(), 3U);
  EXPECT_EQ(study.points[0].num_used, 0U);
  EXPECT_EQ(study.points[0].added, "");
  for (const InteractionPoint& point : study.points) EXPECT_LE(point.num_used, point.num_pairs);
  // The trees that show pairs stop at the last one wanted, so fewer pairs are the first of more.
  for (const std::size_t at : {0U, 1U, 2U}) {
    IlmartParams params = quick();
    params.num_interactions = static_cast<int>(study.points[at].num_pairs);
    const IlmartResult alone = train_ilmart(shop.train, &shop.valid, params, Context{});
    EXPECT_EQ(alone.forest.trees().size(), study.points[at].num_trees);
    EXPECT_NEAR(alone.best_metric, study.points[at].valid, 1e-12);
  }
  EXPECT_GT(study.black_box_test, 0);
}

// Four features, of which the first `num_useful` tell the grade.
Dataset plain_data(std::size_t num_useful) {
  std::vector<std::vector<float>> rows;
  std::vector<float> grades;
  RandomSequence random(CounterRandom(1, "plain"));
  for (int row = 0; row < 400; ++row) {
    std::vector<float> values;
    float sum = 0;
    for (std::size_t f = 0; f < 4; ++f) {
      values.push_back(f < num_useful ? static_cast<float>(random.below(5)) : 0);
      sum += values.back();
    }
    grades.push_back(sum > 2.0F * static_cast<float>(num_useful) ? 1 : 0);
    rows.push_back(std::move(values));
  }
  return testing::documents_of(std::vector<std::size_t>(40, 10), grades, rows);
}

std::vector<std::size_t> pairs_of(const InteractionStudy& study) {
  std::vector<std::size_t> pairs;
  for (const InteractionPoint& point : study.points) pairs.push_back(point.num_pairs);
  return pairs;
}

TEST(InteractionStudy, CutsDefaultCountsToThePairsOfTheData) {
  const Dataset data = plain_data(4);
  IlmartParams params = quick();
  params.pair_selection.method = PairSelection::kFast;  // finds every pair
  const InteractionStudy study = study_interactions(data, data, data, params, {}, Context{});
  EXPECT_EQ(pairs_of(study), (std::vector<std::size_t>{0, 1, 2, 3, 5, 6}));
  EXPECT_EQ(message_of([&] {
              study_interactions(data, data, data, quick(), {.counts = Counts{0, 7}}, Context{});
            }),
            "num_interactions 7: data with 4 features has 6 pairs");
}

TEST(InteractionStudy, EndsWithTheLargestModelThereIs) {
  const auto pairs = [](std::size_t num_useful, const Counts& counts) {
    const Dataset data = plain_data(num_useful);
    return pairs_of(study_interactions(data, data, data, quick(), {.counts = counts}, Context{}));
  };
  EXPECT_EQ(pairs(3, {0, 1, 5, 6}), (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(pairs(2, {3}), std::vector<std::size_t>{1});
  EXPECT_EQ(pairs(1, {3}), std::vector<std::size_t>{0});
}

TEST(InteractionStudy, SaysWhatIsWrong) {
  const Bookshop shop = make_bookshop({.queries = 30}, 0);
  const auto message = [&](const Counts& counts) {
    return message_of([&] {
      study_interactions(shop.train, shop.valid, shop.test, quick(), {.counts = counts}, Context{});
    });
  };
  EXPECT_EQ(message({}), "counts: at least one is needed");
  EXPECT_EQ(message({2, 1}), "counts: 1 is not a whole number larger than the one before");
  EXPECT_EQ(message({1.5}), "counts: 1.5 is not a whole number larger than the one before");
  EXPECT_EQ(message({100000}), "num_interactions 100000: data with 40 features has 780 pairs");
}

TEST(InteractionStudy, RefusesBags) {
  const Bookshop shop = make_bookshop({.queries = 30}, 0);
  IlmartParams params = quick();
  params.bagging.bags = 3;
  EXPECT_EQ(message_of([&] {
              study_interactions(shop.train, shop.valid, shop.test, params,
                                 {.counts = Counts{0, 1}}, Context{});
            }),
            "this study trains no bags; leave bags and stop_on out");
}

}  // namespace
}  // namespace glassrank
