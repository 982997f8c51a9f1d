// Explanations of forests with sets of categories are those of their twins of thresholds.

#include <gtest/gtest.h>

#include "glassrank/explain/global/partial_dependence.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/tree_shap/decision_path.h"
#include "glassrank/explain/tree_shap/interventional_shap.h"
#include "glassrank/explain/tree_shap/tree_shap.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "testing/boosting_fixture.h"
#include "testing/category_forests.h"
#include "testing/shap_calls.h"

namespace glassrank {
namespace {

using testing::category_rows;
using testing::category_twins;
using testing::CategoryTwins;
using testing::with_threads;

constexpr std::size_t kFeatures = 4;

TEST(CategoryShap, PathDependentValuesAreThoseOfTheTwin) {
  const CategoryTwins twins = category_twins(1, 12, 14);
  const TreeShap sets(twins.sets);
  const TreeShap thresholds(twins.thresholds);
  const std::vector<float> rows = category_rows(1, 90);
  EXPECT_EQ(sets.base_value(), thresholds.base_value());
  EXPECT_EQ(values_of(sets, rows), values_of(thresholds, twins.twin_rows(rows)));
  const Interactions ours = interactions_of(sets, rows);
  const Interactions theirs = interactions_of(thresholds, twins.twin_rows(rows));
  EXPECT_EQ(ours.matrices, theirs.matrices);
}

TEST(CategoryShap, InterventionalValuesAreThoseOfTheTwin) {
  const CategoryTwins twins = category_twins(2, 8, 10);
  const std::vector<float> background = category_rows(20, 30);
  const std::vector<float> twin_background = twins.twin_rows(background);
  const InterventionalTreeShap sets(twins.sets, {background.data(), 30, kFeatures},
                                    with_threads(1));
  const InterventionalTreeShap thresholds(twins.thresholds, {twin_background.data(), 30, kFeatures},
                                          with_threads(1));
  const std::vector<float> rows = category_rows(2, 40);
  EXPECT_EQ(values_of(sets, rows), values_of(thresholds, twins.twin_rows(rows)));
}

// Masks of any features, the forest's own way and the plain one.
TEST(CategoryShap, MaskedScoresAreThoseOfMaskedRows) {
  const CategoryTwins twins = category_twins(3, 9, 12);
  const ForestScorer scorer(twins.sets);
  const Model model{.body = twins.sets, .provenance = {}};
  const std::vector<float> documents = category_rows(3, 70);
  const std::vector<float> references = category_rows(4, 5);
  const MatrixView<const float> documents_view(documents.data(), 70, kFeatures);
  const MatrixView<const float> references_view(references.data(), 5, kFeatures);
  const Dataset nothing;
  const Subject subject{.scorer = scorer, .model = &model, .background = nothing};
  const auto fast = make_perturbation(subject, documents_view, references_view, with_threads(1));
  const auto plain = make_plain_perturbation(scorer, documents_view, references_view);
  std::vector<std::uint8_t> masks;
  for (unsigned m = 0; m < 16; ++m) {
    for (unsigned f = 0; f < kFeatures; ++f) masks.push_back(m >> f & 1);
  }
  std::vector<double> ours(16 * 5 * 70);
  std::vector<double> expected(ours.size());
  fast->scores({masks.data(), 16, kFeatures}, ours, with_threads(1));
  plain->scores({masks.data(), 16, kFeatures}, expected, with_threads(1));
  for (std::size_t i = 0; i < ours.size(); ++i) ASSERT_NEAR(ours[i], expected[i], 1e-12) << i;
  std::vector<double> means(16 * 70);
  std::vector<double> expected_means(means.size());
  fast->mean_scores({masks.data(), 16, kFeatures}, means, with_threads(1));
  plain->mean_scores({masks.data(), 16, kFeatures}, expected_means, with_threads(1));
  for (std::size_t i = 0; i < means.size(); ++i) ASSERT_NEAR(means[i], expected_means[i], 1e-12);
}

TEST(CategoryShap, MeansAtPointsAreThoseOfChangedRows) {
  const CategoryTwins twins = category_twins(5, 9, 12);
  const ForestScorer scorer(twins.sets);
  const std::vector<float> rows = category_rows(6, 200);
  const WeightedRows data{.rows = {rows.data(), 200, kFeatures}, .weights = {}};
  PointGrid grid;
  grid.features = {1};
  grid.values.resize(1);
  for (int code = -2; code < 55; ++code) grid.values[0].push_back(static_cast<float>(code));
  const std::vector<double> ours = forest_mean_scores_at(twins.sets, grid, data, with_threads(1));
  const std::vector<double> expected = plain_mean_scores_at(scorer, grid, data, with_threads(1));
  ASSERT_EQ(ours.size(), expected.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], expected[i], 1e-12);
}

}  // namespace
}  // namespace glassrank
