#pragma once
// RankBoost (Freund, Iyer, Schapire, Singer 2003): a weighted vote of tests "feature above
// threshold", each chosen for the pairs that the votes so far get wrong.
//
//   H(x)    = sum over rounds of alpha * [x_f > threshold]
//   D(i, j) = sqrt(w_i w_j) exp(H(j) - H(i)) / Z     for documents of a query with grade i > grade
//   j r       = sum over pairs of D(i, j) ([i above] - [j above]);  the test with the greatest r
//   wins alpha   = ln((1 + r) / (1 - r)) / 2
// w are row weights, so that a query whose rows all have weight 2 counts twice; Z makes D sum to 1
// over all queries.
//
// No pair is ever written down. With a document's potential
//   p(d) = sum over worse j of D(d, j) - sum over better i of D(i, d)
// r is the sum of p over the documents above the threshold. D is a product, so that p(d) needs sums
// of exp(H) and exp(-H) by grade only: documents x grades a round. All thresholds of a feature take
// one pass over its column.
// A missing value is above no threshold.
//
// Thresholds: `thresholds` equal steps from a feature's greatest value down, as RankLib has them,
// or 0: between all neighbouring values.
// Cost: rounds x rows x features additions. Memory: 2 bytes a value.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

// Where each document stands within one query: grades ascending, equal ones together.
struct PairPotentials {
  std::vector<double> potentials;  // p(d), not yet divided by Z
  double z = 0;
};
// Adds the query's pairs. `offset` is where its documents begin in all of these.
void add_potentials(std::span<const float> grades, std::span<const double> votes,
                    std::span<const double> root_weights, std::size_t offset, PairPotentials& sums);

// The thresholds of one column, ascending; none for a column with one value.
std::vector<float> rankboost_thresholds(std::span<const float> column, int thresholds);

// Cells of all columns: how many thresholds of the feature are below the value; 0 where it is
// missing.
struct ThresholdCells {
  std::vector<std::vector<float>> thresholds;     // by feature
  std::vector<std::vector<std::uint16_t>> cells;  // by feature, then row
};
// Throws Error{kInput} for an infinite value and for more than 65,535 thresholds of a feature.
ThresholdCells find_cells(const Dataset& data, int thresholds, const Context& context);
// Of other rows.
std::vector<std::uint16_t> cells_of(const Dataset& data, std::size_t feature,
                                    std::span<const float> thresholds);

struct WeakRanker {
  std::uint32_t feature = 0;
  std::uint32_t threshold = 0;  // its number among the feature's
  double r = 0;
};
// The test with the greatest r; the first of equals, by feature and then from high thresholds down.
// r 0: no test helps.
WeakRanker best_ranker(const ThresholdCells& cells, std::span<const double> potentials, double z,
                       const Context& context);

}  // namespace glassrank
