#pragma once
// RankBoost (Freund, Iyer, Schapire, Singer 2003): a weighted vote of tests "feature above
// threshold", each chosen for the pairs that the votes so far get wrong.
//
//   H(x)    = sum over rounds of alpha * [x_f > threshold]
//   D(i, j) = sqrt(w_i w_j) exp(H(j) - H(i)) / Z   for documents of a query with grade i > grade j
//   r       = sum over pairs of D(i, j) ([i above] - [j above]);  the test with the greatest r wins
//   alpha   = ln((1 + r) / (1 - r)) / 2
// w are row weights, so that a query whose rows all have weight 2 counts twice; Z makes D sum to 1
// over all queries.
//
// No pair is ever written down. With a document's potential
//   p(d) = sum over worse j of D(d, j) - sum over better i of D(i, d)
// r is the sum of p over the documents above the threshold. D is a product, so that p(d) needs sums
// of exp(H) and exp(-H) by grade only. All thresholds of a feature take one pass over its column. A
// test that says the same of all documents of a query changes nothing there, and a query without
// two different grades never counts: both cost nothing.
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

// The documents of one query with pairs.
struct PairedQuery {
  std::span<const std::uint32_t> levels;  // 0 is the query's worst grade, 1 the next one
  std::size_t num_levels = 0;
  std::span<const double> votes;
  std::span<const double> root_weights;  // sqrt(w)
};
// Writes p(d), not yet divided by Z, and returns the query's part of Z.
double find_potentials(const PairedQuery& query, std::span<double> potentials);

// The rows of all queries with pairs, their votes and potentials.
class PairedRows {
 public:
  explicit PairedRows(const Dataset& data);

  // Which rows of the data they are, ascending.
  std::span<const std::uint32_t> rows() const { return rows_; }
  std::span<const double> potentials() const { return potentials_; }
  double z() const;
  // The votes of all rows of the data: 0 in queries without pairs. Votes of a query may lack a
  // number that all of its documents have in common.
  void copy_votes(std::span<double> votes) const;
  // Rows whose cell is above `threshold` get alpha.
  void vote(std::span<const std::uint16_t> cells, std::uint32_t threshold, double alpha,
            const Context& context);

 private:
  struct Query {
    std::size_t begin;  // of its rows
    std::size_t end;
    std::size_t num_levels;
  };
  void update(const Query& query, double& z);

  std::vector<std::uint32_t> rows_;
  std::vector<Query> queries_;
  std::vector<double> z_;  // by query
  // By row:
  std::vector<std::uint32_t> levels_;
  std::vector<double> root_weights_;
  std::vector<double> votes_;
  std::vector<double> potentials_;
};

// The thresholds of one column, ascending; none for a column with one value.
std::vector<float> rankboost_thresholds(std::span<const float> column, int thresholds);

// Cells of all columns: how many thresholds of the feature are below the value; 0 where it is
// missing. A value is above threshold t if its cell is greater than t.
struct ThresholdCells {
  std::vector<std::vector<float>> thresholds;     // by feature
  std::vector<std::vector<std::uint16_t>> cells;  // by feature, then number in `rows`
};
// Thresholds by all rows of the data, cells of some. Throws Error{kInput} for an infinite value and
// for more than 65,535 thresholds of a feature.
ThresholdCells find_cells(const Dataset& data, std::span<const std::uint32_t> rows, int thresholds,
                          const Context& context);

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
