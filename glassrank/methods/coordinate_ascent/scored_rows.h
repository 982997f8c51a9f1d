#pragma once
// Rows scored by a linear model of which one weight is being moved: what the metric would be for
// many values of that weight.
//
// A score is s + change * x, and the metric of a query sees nothing but the order of documents of
// different grades. Two of them change places at one change, -(s_i - s_j) / (x_i - x_j). So a query
// is ranked only for the first of the changes, in ascending order, and where some pair has changed
// places since the one before; elsewhere the value is that of the one before. A pair too close to
// its place for rounding to be ruled out is compared at every change, score by score: values are
// those of ranking anew, to the last bit.
// Cost of a feature and query: its pairs of different grades, and a ranking wherever any of them
// changes places. Queries with many more pairs than documents are ranked for every change.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/training/feature_scaling.h"
#include "glassrank/methods/training/watch_params.h"
#include "glassrank/metrics/repeated_evaluation.h"

namespace glassrank {

class ScoredRows {
 public:
  // Of the stop metric. The data must outlive it.
  ScoredRows(const Dataset& data, const FeatureScaling& scaling, const WatchParams& watch);

  void set_weights(std::span<const double> weights, const Context& context);
  // Queries count by the mean weight of their rows; NaN where none counts.
  double mean() const;
  // The mean with the weight of one feature changed by each of `changes`.
  std::vector<double> means_with(std::size_t feature, std::span<const double> changes,
                                 const Context& context);

 private:
  // Changes in ascending order, with room behind them for a search without branches.
  struct Sweep {
    std::vector<double> changes;
    std::vector<double> padded;
    double largest = 0;  // amount
  };
  struct Scratch {
    RepeatedScratch ranking;
    std::vector<double> scores;
    std::vector<std::uint32_t> order;
    std::vector<double> own_scores;  // of documents by grade, as `values`
    std::vector<double> own_values;
    std::vector<std::uint8_t> is_new;  // by change: whether a pair may have changed places
  };

  std::span<const double> column(std::size_t feature, std::size_t query) const;
  bool varies(std::size_t feature, std::size_t query) const {
    return varies_[feature * data_.num_queries() + query] != 0;
  }
  std::span<std::uint32_t> order_of(std::size_t query);
  // NaN: the query does not count.
  double value_at(std::size_t query, std::span<const double> x, double change,
                  std::span<std::uint32_t> order, Scratch& scratch) const;
  void sweep_query(std::size_t query, std::size_t feature, const Sweep& changes, Scratch& scratch,
                   std::span<double> values) const;
  void mark_places(std::size_t query, std::span<const double> x, const Sweep& changes,
                   Scratch& scratch) const;
  void group_by_grade();

  const Dataset& data_;
  std::size_t num_features_;
  std::vector<double> columns_;
  std::vector<std::uint8_t> varies_;  // [feature][query]
  std::vector<double> scores_;
  std::vector<double> values_;  // by query
  std::vector<double> query_weights_;
  RepeatedEvaluation metric_;
  std::vector<std::uint32_t> orders_;  // the first ranks of every query at these weights
  std::size_t order_stride_ = 0;
  std::vector<std::uint32_t> by_grade_;   // slots of every query, lowest grade first
  std::vector<std::uint32_t> group_end_;  // by row, at its place in by_grade_: of its grade's rows
  std::vector<std::uint8_t> has_pairs_;   // by query: worth looking at pairs
  std::vector<Scratch> scratch_;          // by chunk of queries
  std::vector<double> found_;             // [query][change]
};

}  // namespace glassrank
