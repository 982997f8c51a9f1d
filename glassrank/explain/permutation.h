#pragma once
// Permutation importance (Breiman 2001, Fisher, Rudin and Dominici 2019): how much a metric falls
// when a feature's values are dealt out anew among the documents, so that the feature says nothing
// and all else stays.
//
//   drop[f][q] = metric[q] - mean over repeats of metric[q] with column f permuted
//   importance of f = mean of drop[f][q] over the queries, with a bootstrap interval over queries
//
// Permuted over all documents a feature loses everything it says; within queries it keeps what it
// says about the query and loses only what it says about the documents of one query. A feature the
// model does not use (Scorer::used_features) has drop 0 without being tried. Correlated features
// share: each may seem to matter little because the other one stays.
//
// Repeat r of feature f deals with the stream "permutation importance", lane f * 2^32 + r: the same
// answer for any number of threads and whatever else is asked. A query counts when the metric has
// a value for it in every ranking. Cost: used features x repeats x scoring and ranking all rows;
// memory per thread a score for each row and the block of rows that is scored. A scorer that takes
// turns (a function, a command) gets all rows in one call: memory a copy of the data.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/paired.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

enum class PermuteOver { kAll, kQuery };
template <>
struct EnumNames<PermuteOver> {
  static std::span<const std::pair<std::string_view, PermuteOver>> table();
};

struct PermutationParams {
  std::string metric = "ndcg@10";
  PermuteOver permute = PermuteOver::kAll;
  int repeats = 5;
  std::uint64_t resamples = 2000;
  double level = 0.95;

  void visit(ParamVisitor& visitor);
};

struct FeatureDrop {
  double mean = 0;         // over queries; what the metric loses without the feature
  Interval interval = {};  // bootstrap over queries
  double spread = 0;       // standard deviation of the mean drop from repeat to repeat
};

struct PermutationResult {
  PermutationParams params;
  double value = 0;             // the metric of the model as it is
  std::size_t num_queries = 0;  // that count
  std::size_t num_skipped = 0;
  std::vector<FeatureDrop> features;  // one per feature of the scorer
};

// Throws Error{kUsage} when the data has fewer features than the scorer or the metric is not one,
// Error{kInput} when no query counts.
PermutationResult permutation_importance(const Scorer& scorer, const Dataset& data,
                                         const PermutationParams& params,
                                         const Convention& convention, const Context& context);

// Column `feature` of the data as repeat `repeat` deals it out.
std::vector<float> permuted_column(const Dataset& data, std::size_t feature, std::size_t repeat,
                                   PermuteOver permute, std::uint64_t seed);

}  // namespace glassrank
