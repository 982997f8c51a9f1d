#include "glassrank/methods/studies/interaction_study.h"

#include <gtest/gtest.h>

#include "glassrank/base/message_of.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/ilmart.h"

namespace glassrank {
namespace {

LambdamartParams quick() {
  LambdamartParams params;
  params.boosting.num_trees = 15;
  params.boosting.num_leaves = 6;
  params.patience = 8;
  params.ilmart = IlmartParams{};
  params.ilmart->pair_selection.max_rounds = 30;
  return params;
}

TEST(InteractionStudy, PointsAreModelsOfTheFirstPairs) {
  const Bookshop shop = make_bookshop({.queries = 150}, 0);
  const InteractionStudy study = study_interactions(shop.train, shop.valid, shop.test, quick(),
                                                    {.counts = {0, 1, 4}}, Context{});
  ASSERT_EQ(study.points.size(), 3U);
  EXPECT_EQ(study.points[0].num_used, 0U);
  EXPECT_EQ(study.points[0].added, "");
  for (const InteractionPoint& point : study.points) EXPECT_LE(point.num_used, point.num_pairs);
  // The trees that show pairs stop at the last one wanted, so fewer pairs are the first of more.
  for (const std::size_t at : {0U, 1U, 2U}) {
    LambdamartParams params = quick();
    params.ilmart->num_interactions = static_cast<int>(study.points[at].num_pairs);
    const LambdamartResult alone = train_ilmart(shop.train, &shop.valid, params, Context{});
    EXPECT_EQ(alone.forest.trees().size(), study.points[at].num_trees);
    EXPECT_NEAR(alone.best_metric, study.points[at].valid, 1e-12);
  }
  EXPECT_GT(study.black_box_test, 0);
}

TEST(InteractionStudy, SaysWhatIsWrong) {
  const Bookshop shop = make_bookshop({.queries = 30}, 0);
  const auto message = [&](std::vector<double> counts) {
    return message_of([&] {
      study_interactions(shop.train, shop.valid, shop.test, quick(), {.counts = counts}, Context{});
    });
  };
  EXPECT_EQ(message({}), "counts: at least one is needed");
  EXPECT_EQ(message({2, 1}), "counts: 1 is not a whole number larger than the one before");
  EXPECT_EQ(message({1.5}), "counts: 1.5 is not a whole number larger than the one before");
  EXPECT_EQ(message({100000}), "num_interactions 100000: data with 40 features has 780 pairs");
  LambdamartParams params = quick();
  params.clean.method = CleanMethod::kSour;
  EXPECT_EQ(message_of([&] {
              study_interactions(shop.train, shop.valid, shop.test, params, {}, Context{});
            }),
            "this study cleans no data; leave clean.method out");
}

}  // namespace
}  // namespace glassrank
