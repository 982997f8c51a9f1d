#include "glassrank/studies/curve_study.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

TEST(CurveStudy, AgreesWithTheShorterForestsEvaluated) {
  const Dataset data = make_bookshop({.queries = 30}, 0).train;
  LambdamartParams params;
  params.boosting.num_trees = 12;
  params.boosting.num_leaves = 6;
  const Forest forest = train_lambdamart(data, nullptr, params, Context{}).forest;
  const std::vector<NamedForest> models = {{.name = "a", .forest = forest}};
  const std::vector<NamedData> sets = {{.name = "train", .data = data}};
  const CurveStudy study = study_curves(models, sets, {.metric = "ndcg@5"}, Context{});
  ASSERT_EQ(study.curves.size(), 1U);
  const MetricCurve& curve = study.curves.front();
  EXPECT_EQ(curve.name, "a");
  ASSERT_EQ(curve.trees.size(), 12U);
  const MetricSpec metric = parse_metric("ndcg@5");
  for (const std::size_t trees : {1, 7, 12}) {
    const std::vector<double> scores =
        score_all(ForestScorer(forest.first_trees(trees)), data, Context{});
    const DatasetLists lists(data, scores);
    EXPECT_EQ(curve.at(trees),
              evaluate(lists, {&metric, 1}, Convention{}, Context{}).metrics.front().mean);
  }
  EXPECT_TRUE(std::isnan(curve.at(13)));
}

TEST(CurveStudy, HasPointsEverySoManyTreesAndWhereTheyArePrinted) {
  const Dataset data = make_bookshop({.queries = 20}, 0).train;
  LambdamartParams params;
  params.boosting.num_trees = 11;
  const Forest forest = train_lambdamart(data, nullptr, params, Context{}).forest;
  const std::vector<NamedForest> models = {{.name = "a", .forest = forest}};
  const std::vector<NamedData> sets = {{.name = "x", .data = data}, {.name = "y", .data = data}};
  const CurveStudy study = study_curves(models, sets, {.at = {7, 3}, .every = 5}, Context{});
  ASSERT_EQ(study.curves.size(), 2U);
  EXPECT_EQ(study.curves[1].name, "a y");
  EXPECT_EQ(study.curves[0].trees, (std::vector<std::size_t>{1, 3, 5, 7, 10, 11}));
  EXPECT_EQ(study.shown_trees, (std::vector<std::size_t>{3, 7}));
  EXPECT_EQ(study_tables(study).shown.rows().size(), 2U);
}

TEST(LearningCurves, AreReadByMetricAndSet) {
  const auto curves = read_learning_curves(
      "round\ttrain ndcg@10\tvalid ndcg@10\tvalid map\n1\t0.5\t0.4\t0.1\n2\t0.7\t0.45\t0.2\n", "f",
      "a", "ndcg@10");
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[1].name, "a valid");
  EXPECT_EQ(curves[1].values, (std::vector<double>{0.4, 0.45}));
  EXPECT_EQ(curves[1].best(), 0.45);
  EXPECT_EQ(curves[1].best_trees(), 2U);
}

TEST(LearningCurves, SayWhatIsWrongWithTheFile) {
  const auto message = [](std::string_view text) {
    try {
      read_learning_curves(text, "c.tsv", "a", "map");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("bag\tround\tvalid map\n"),
            "c.tsv: not a learning curve of one training: its first column is 'bag', not 'round'");
  EXPECT_EQ(message("round\tvalid ndcg@10\n1\t2\n"), "c.tsv: there is no column of map");
  EXPECT_EQ(message("round\tvalid map\n1\tx\n"), "c.tsv:2: 'x' is not a number");
  EXPECT_EQ(message("round\ttrain map\tvalid map\n1\t2\n"), "c.tsv:2: too few columns");
  EXPECT_EQ(message("round\tvalid map\n"), "c.tsv: the learning curve has no rounds");
}

}  // namespace
}  // namespace glassrank
