#pragma once
// Partial dependence (Friedman 2001): the mean score when one or two features have given values and
// all others are as they are.
//
//   mean(p) = sum over rows r of w[r] score(row r with the features set to p) / sum of w[r]
//
// Any scorer: rows are copied, changed and scored, points x rows of them. Forests and additive
// models give the same numbers, up to the rounding of a sum, for about one scoring of the rows:
//   forest    a row is walked down each tree that asks the features, both ways at their nodes: its
//             weight arrives at every leaf it would reach for some values. A leaf's total weight
//             times its value then counts at the points that lead there. Trees that do not ask the
//             features add a constant.
//   additive  the mean of an effect at each cell of the features is read off its table, weighted by
//             the rows' cells along the other axis.
// Cost for a forest: rows x nodes met; memory per 1/64 of the rows a number for every leaf.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

// Points at which scores are asked for: every value of the first feature with every one of the
// second, the second fastest. NaN stands for missing.
struct PointGrid {
  std::vector<std::uint32_t> features;     // one or two, different
  std::vector<std::vector<float>> values;  // of each

  std::size_t num_points() const;
  // Writes the point's values into a row.
  void set(std::size_t point, std::span<float> row) const;
};

struct WeightedRows {
  MatrixView<const float> rows;
  std::span<const float> weights;  // empty: all 1; not all 0

  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  double total() const;
};

// One mean per point, the fastest way there is for the subject's ranker.
std::vector<double> mean_scores_at(const Subject& subject, const PointGrid& grid,
                                   const WeightedRows& data, const Context& context);

// By scoring changed rows, for any scorer: the oracle of the others.
std::vector<double> plain_mean_scores_at(const Scorer& scorer, const PointGrid& grid,
                                         const WeightedRows& data, const Context& context);

// scores[p * number of rows + r] = score of row r at point p.
std::vector<double> scores_at(const Scorer& scorer, const PointGrid& grid,
                              MatrixView<const float> rows, const Context& context);

// Exact forms (partial_dependence_forest.cpp, partial_dependence_gam.cpp).
std::vector<double> forest_mean_scores_at(const Forest& forest, const PointGrid& grid,
                                          const WeightedRows& data, const Context& context);
std::vector<double> gam_mean_scores_at(const Gam& gam, const PointGrid& grid,
                                       const WeightedRows& data, const Context& context);

}  // namespace glassrank
