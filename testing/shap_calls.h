#pragma once
// For tests: what an engine of Shapley values says about rows, as vectors.

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/tree_shap/shap_engine.h"
#include "testing/boosting_fixture.h"
#include "testing/shapley_oracle.h"

namespace glassrank {

inline std::vector<double> values_of(const ShapEngine& engine, const std::vector<float>& rows,
                                     const Context& context = testing::with_threads(1)) {
  const std::size_t width = engine.num_features();
  const std::size_t num_rows = rows.size() / width;
  std::vector<double> values(rows.size());
  engine.values({rows.data(), num_rows, width}, {values.data(), num_rows, width}, context);
  return values;
}

struct Interactions {
  std::vector<double> values;
  std::vector<double> sparse;
  std::vector<double> matrices;
};

inline Interactions interactions_of(const ShapEngine& engine, const std::vector<float>& rows,
                                    const Context& context = testing::with_threads(1)) {
  const std::size_t width = engine.num_features();
  const std::size_t num_rows = rows.size() / width;
  const std::size_t num_pairs = engine.pairs().size();
  Interactions all{.values = std::vector<double>(num_rows * width),
                   .sparse = std::vector<double>(num_rows * num_pairs),
                   .matrices = std::vector<double>(num_rows * width * width)};
  const MatrixView<const float> view(rows.data(), num_rows, width);
  engine.interactions(view, {all.values.data(), num_rows, width},
                      {all.sparse.data(), num_rows, num_pairs}, context);
  engine.interaction_matrices(view, {all.matrices.data(), num_rows, width * width}, context);
  return all;
}

// Everything an engine says about a row against the definition, and that it adds up to the score.
inline void expect_plays(const ShapEngine& engine, const std::vector<float>& row,
                         const std::vector<double>& game, double tolerance = 1e-12) {
  const std::size_t n = row.size();
  EXPECT_NEAR(engine.base_value(), game.front(), tolerance);
  const Interactions ours = interactions_of(engine, row);
  EXPECT_EQ(ours.values, values_of(engine, row));
  const std::vector<double> values = brute_shapley(n, game);
  const std::vector<double> interactions = brute_interactions(n, game);
  double sum = engine.base_value();
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(ours.values[i], values[i], tolerance) << "feature " << i;
    sum += ours.values[i];
    double row_sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      row_sum += ours.matrices[i * n + j];
      EXPECT_EQ(ours.matrices[i * n + j], ours.matrices[j * n + i]);
      if (i >= j) continue;
      EXPECT_NEAR(2 * ours.matrices[i * n + j], interactions[i * n + j], tolerance)
          << "features " << i << " and " << j;
    }
    EXPECT_NEAR(row_sum, ours.values[i], tolerance);
  }
  EXPECT_NEAR(sum, game.back(), tolerance);
}

}  // namespace glassrank
