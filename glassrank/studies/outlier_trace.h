#pragma once
// Which documents a forest takes for outliers (cleaners/outliers.h) after each of its trees: the
// material of the outlier studies of Marcuzzi, Lucchese, Orlando (ICTIR 2022).
//
// Needs a model and data only, whoever trained it. Training keeps the sums of this and not the
// rounds themselves (cleaners/outlier_tracker.h); here every round is kept, a bit each, for the
// documents that are ever outliers.
// Cost: a walk per row and tree, a sort per query and tree; num_trees / 8 bytes a document that is
// ever an outlier. Queries in parallel, the result does not depend on the threads.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/methods/cleaners/outliers.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

struct OutlierHistory {
  std::uint32_t row = 0;
  bool is_negative = false;          // of a grade that does not count as relevant
  std::vector<std::uint64_t> words;  // bit t: outlier after t + 1 trees
  std::size_t num_rounds = 0;        // as an outlier
  // First and last number of trees after which it was no outlier; first: one more than there are
  // trees, last: 0, if it always was.
  std::size_t first_right = 0;
  std::size_t last_right = 0;

  bool after(std::size_t num_trees) const {
    return (words[(num_trees - 1) / 64] >> ((num_trees - 1) % 64) & 1U) != 0;
  }
  // At every round from `start` to `end` trees, both inclusive.
  bool is_consistent(std::size_t start, std::size_t end) const;
};

struct OutlierTrace {
  std::size_t num_rounds = 0;
  std::vector<OutlierHistory> documents;  // ever outliers; ascending rows
};

OutlierTrace trace_outliers(const Forest& forest, const Dataset& data, const OutlierRule& rule,
                            const Context& context);

// How many documents a window finds.
struct WindowCount {
  std::size_t start = 0;
  std::size_t end = 0;
  std::size_t negative = 0;
  std::size_t positive = 0;
  std::size_t all() const { return negative + positive; }
};
WindowCount count_consistent(const OutlierTrace& trace, std::size_t start, std::size_t end);

// Rows, ascending.
std::vector<std::uint32_t> consistent_rows(const OutlierTrace& trace, std::size_t start,
                                           std::size_t end, DocumentType type);

}  // namespace glassrank
