#pragma once
// The set of k features, k at most 3, that keeps an order best: every set is tried.
//
// Forests and additive models give the scores of all sets by Moebius terms (subset_terms.h), other
// rankers by masked scoring of every set. Among equally good sets the lexicographically first wins.
// Sets are lanes: the documents of each pair are compared for eight sets at a time.
// Cost: sets x (documents + pairs) / 8, and the terms.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/greedy/document_pairs.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct BestSubsetTask {
  const Subject& subject;
  MatrixView<const float> documents;
  std::span<const float> typical;
  std::span<const std::uint32_t> candidates;  // features, ascending; at least k of them
  std::size_t k = 3;
  std::span<const DocumentPair> pairs;  // whose order is to be kept; at least one
  // What sets are compared by; empty: kept pairs less turned ones, much faster.
  std::function<double(std::span<const double>)> agreement;
  std::size_t max_rows = 0;  // most masked rows a black box is asked for
};

// Throws Error{kUsage} when the sets and documents are more rows than max_rows allows a ranker
// that has no terms.
std::vector<std::uint32_t> best_subset(const BestSubsetTask& task, const Context& context);

// Sets of k out of n.
std::size_t count_subsets(std::size_t n, std::size_t k);

}  // namespace glassrank
