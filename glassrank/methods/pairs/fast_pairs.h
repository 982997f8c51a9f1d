#pragma once
// FAST: which pairs of features explain what a model of single features leaves over (Lou, Caruana,
// Gehrke, Hooker, KDD 2013; interpret's EBM).
//
// For a pair (a, b) with coarse bins the rows fall into a grid. One cut on each axis makes four
// quadrants q with gradient sums G_q and hessian sums H_q; the pair's gain is
//
//   max over cuts of  sum_q G_q^2 / H_q,  over the total H
//
// (for squared error, gradients are residuals and hessians weights). A cut counts only if every
// quadrant has min_leaf_rows rows and weight. The coarse bins join neighbouring bins of the data so
// that each holds about the same number of rows; missing values are a bin of their own below all
// others. The statistic contains what is left of the main effects: take gradients after training
// them.
// Cost: rows x pairs, pairs in parallel; 26 KB a pair in work. The same bits for any threads.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/binned_dataset.h"

namespace glassrank {

// Two features, first < second, and a number that ranked them: larger is better.
struct RankedFeaturePair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double statistic = 0;

  bool operator==(const RankedFeaturePair&) const = default;
};

struct FastParams {
  int max_bins = 32;  // of a feature in the grid, without the missing one
  std::int64_t min_leaf_rows = 2;
};

struct FastTask {
  const BinnedDataset& data;
  std::span<const float> gradients;              // of every row
  std::span<const float> hessians;               // of every row, not negative; none: all 1
  std::span<const std::uint32_t> features = {};  // ascending; none: all
};

// Every pair of the features, largest gain first, of equal gains the smaller numbers first. Pairs
// without a cut that counts have gain 0. Throws Error{kUsage}: other lengths than the data's, a
// feature the data has not, max_bins outside 2 to 255.
std::vector<RankedFeaturePair> rank_pairs_fast(const FastTask& task, const FastParams& params,
                                               const Context& context);

// The grid of one feature: the coarse bin of every code of the data.
struct CoarseBins {
  std::vector<std::uint8_t> of_code;
  std::size_t num_bins = 0;
};
CoarseBins coarse_bins(const BinnedDataset& data, std::size_t feature, std::size_t max_bins,
                       const Context& context);

}  // namespace glassrank
