#include "glassrank/methods/random_forest/random_forest.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/methods/registry.h"
#include "glassrank/metrics/evaluate.h"
#include "glassrank/metrics/registry.h"
#include "testing/model_bodies.h"
#include "testing/synthetic_test_data.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

constexpr int kTrees = 40;

// 50 queries of 6 documents; grades follow x0, x1 is noise, rows have weights.
Dataset small_data() {
  RandomSequence random(CounterRandom(5, "random forest"));
  constexpr std::size_t kQueries = 50;
  constexpr std::size_t kDocuments = 6;
  DatasetParts parts;
  parts.features = Buffer<float>(kQueries * kDocuments * 2);
  std::vector<std::string> ids;
  float* x = parts.features.data();
  for (std::size_t q = 0; q < kQueries; ++q) {
    ids.push_back("q" + std::to_string(q));
    for (std::size_t d = 0; d < kDocuments; ++d, x += 2) {
      x[0] = static_cast<float>(random.uniform());
      x[1] = static_cast<float>(random.normal());
      parts.grades.push_back(std::floor(3 * x[0] * static_cast<float>(random.uniform())));
      parts.weights.push_back(static_cast<float>(1 + random.below(3)));
    }
  }
  parts.queries = QueryGroups(ids, std::vector<std::size_t>(kQueries, kDocuments));
  parts.schema.add_feature("x0");
  parts.schema.add_feature("x1");
  return Dataset(std::move(parts));
}

struct Trained {
  Dataset data = small_data();
  Context context = context_with(2, 3);
  RandomForestParams params{.num_trees = kTrees, .num_leaves = 8, .feature_fraction = 1};
  TrainResult result = testing::train(*make_random_forest(params), data, nullptr, context);
  Forest forest = forest_of(result.model);

  // Whether each row was among those a tree was grown on.
  std::vector<bool> seen_by(std::size_t tree) const {
    QueryBagging sampler({.fraction = params.query_fraction, .every = 1});
    const BinnedDataset bins = bin_dataset(data, {}, context);
    std::vector<std::uint32_t> rows;
    sampler.select_documents({.round = tree, .data = bins, .scores = {}, .context = context}, rows);
    std::vector<bool> seen(data.num_rows(), false);
    for (const std::uint32_t r : rows) seen[r] = true;
    return seen;
  }
};

// A leaf holds the mean grade of the rows that its tree has seen, by weight; the forest's trees are
// their share of the mean.
TEST(RandomForest, LeavesAreMeanGradesOfTheRowsDrawn) {
  const Trained trained;
  ASSERT_EQ(trained.forest.trees().size(), static_cast<std::size_t>(kTrees));
  for (std::size_t t = 0; t < kTrees; t += 13) {
    const Tree& tree = trained.forest.trees()[t];
    const std::vector<bool> seen = trained.seen_by(t);
    std::vector<double> sums(tree.num_leaves(), 0.0);
    std::vector<double> weights(tree.num_leaves(), 0.0);
    for (std::size_t r = 0; r < seen.size(); ++r) {
      if (!seen[r]) continue;
      const std::size_t leaf = leaf_of(tree, trained.data.row(r));
      sums[leaf] += trained.data.weight(r) * trained.data.grades()[r];
      weights[leaf] += trained.data.weight(r);
    }
    for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
      EXPECT_NEAR(trained.forest.base_score() + kTrees * tree.leaf_values[leaf],
                  sums[leaf] / weights[leaf], 1e-5)
          << "tree " << t << ", leaf " << leaf;
    }
  }
}

TEST(RandomForest, ScoresAreTheMeanOfItsTrees) {
  Forest one({.trees = {Tree{.nodes = {}, .leaf_values = {1}, .statistics = {}},
                        Tree{.nodes = {}, .leaf_values = {4}, .statistics = {}}},
              .num_features = 1,
              .base_score = 0.5});
  const std::vector<float> row = {0};
  EXPECT_EQ(score_row(Model{.body = averaged(one)}, row), 0.5 + (1 + 4) / 2.0);
}

// Every row scored by the trees that have not seen its query, then ranked.
TEST(RandomForest, OutOfBagMetricsAreThoseOfTheTreesThatLeftAQueryOut) {
  const Trained trained;
  std::vector<double> sums(trained.data.num_rows(), 0.0);
  std::vector<double> counts(trained.data.num_rows(), 0.0);
  for (std::size_t t = 0; t < kTrees; ++t) {
    const std::vector<bool> seen = trained.seen_by(t);
    const Tree& tree = trained.forest.trees()[t];
    for (std::size_t r = 0; r < seen.size(); ++r) {
      if (seen[r]) continue;
      sums[r] += kTrees * tree.leaf_values[leaf_of(tree, trained.data.row(r))];
      ++counts[r];
    }
  }
  std::vector<double> scores;
  for (std::size_t r = 0; r < sums.size(); ++r) {
    ASSERT_GT(counts[r], 0);
    scores.push_back(trained.forest.base_score() + sums[r] / counts[r]);
  }
  const std::vector<MetricSpec> metrics = {parse_metric("ndcg@10")};
  const double wanted =
      evaluate(DatasetLists(trained.data, scores), metrics, {}, {}).metrics.front().mean;
  ASSERT_EQ(trained.result.report.out_of_bag.size(), 1U);
  EXPECT_EQ(trained.result.report.out_of_bag.front().first, "ndcg@10");
  EXPECT_NEAR(trained.result.report.out_of_bag.front().second, wanted, 1e-9);
  EXPECT_LT(wanted, trained.result.report.train.front().second) << "seen rows are ranked better";
}

TEST(RandomForest, HasNoOutOfBagMetricsWhereEveryTreeSeesAll) {
  const TrainResult result = testing::train(
      *make_random_forest({.num_trees = 3, .query_fraction = 1}), small_data(), nullptr);
  EXPECT_TRUE(result.report.out_of_bag.empty());
}

}  // namespace
}  // namespace glassrank
