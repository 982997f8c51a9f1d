#pragma once
// Tukey's honestly significant difference: all pairs of k systems at once (Tukey 1949; Carterette,
// TOIS 2012, for retrieval). Controls the family-wise error itself; needs no further correction.
//
//   q = |mean_i - mean_j| / sqrt(MSE / n),   p = P(studentized range of k means, v degrees >= q)
//   blocks (default): queries are blocks of a two-way analysis of variance without replication,
//     MSE = sum (x_iq - mean_i - mean_q + mean)^2 / v,  v = (n - 1)(k - 1)
//     so that how hard a query is does not count as noise. With two systems this is the paired t.
//   no blocks: MSE = sum (x_iq - mean_i)^2 / v,  v = k (n - 1), as scipy.stats.tukey_hsd and ranx;
//     far less powerful on the same queries.
//   interval: difference -+ q_{level, k, v} sqrt(MSE / n), simultaneous over all pairs

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/metrics/paired_test.h"

namespace glassrank {

struct TukeyParams {
  bool blocks = true;
  double level = 0.95;
};

struct TukeyPair {
  std::size_t a = 0;
  std::size_t b = 0;
  double mean_difference = 0.0;  // a - b
  double q = 0.0;
  double p = 1.0;  // two-sided by construction
  Interval interval = {};
};

struct TukeyResult {
  double mean_square_error = 0.0;
  double degrees = 0.0;
  std::vector<TukeyPair> pairs;  // (0,1), (0,2), ..., (1,2), ...
};

// `systems[s][q]`: at least two systems over the same two or more queries; Error{kUsage} or
// Error{kInput} otherwise.
TukeyResult tukey_hsd(std::span<const std::vector<double>> systems, const TukeyParams& params = {});

}  // namespace glassrank
