#pragma once
// What a data set looks like and what is odd about it.
//
// One parallel pass over the matrix gives the per-feature summaries, a hash of every column and a
// hash of every row; equal hashes are then compared value by value, so that "duplicate" is exact.
// Two values are the same when they compare equal or are both missing (0 and -0 are the same).
// Sums are taken in a fixed order: the result does not depend on the threads. Memory: 16 bytes a
// row.

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

struct FeatureStats {
  float min = 0;  // of the values that are there; 0 if none is
  float max = 0;
  double mean = 0;
  std::size_t missing = 0;
  std::size_t zeros = 0;
  std::size_t distinct = 0;      // of the values that are there, exact up to kDistinctCap
  bool distinct_capped = false;  // more than `distinct`
  bool constant = false;         // one value in every row, or missing in every row
};
inline constexpr std::size_t kDistinctCap = 1000;

struct SizeStats {
  std::size_t min = 0;
  double median = 0;
  double mean = 0;
  std::size_t max = 0;
};

// Documents of one query that have the same features but not the same grade.
struct GradeConflict {
  std::size_t query = 0;
  std::vector<std::size_t> rows;  // ascending
};

struct DuplicateStats {
  std::size_t rows = 0;               // equal to an earlier row of the data
  std::size_t rows_within_query = 0;  // equal to an earlier row of the same query
  std::vector<GradeConflict> conflicts;
};

struct DataStats {
  std::size_t num_rows = 0;
  std::size_t num_features = 0;
  std::size_t num_queries = 0;
  bool has_grades = true;  // if not, what is said of grades below is empty or 0
  std::map<float, std::size_t> grades;
  SizeStats documents_per_query;
  std::size_t missing = 0;                                              // values
  std::vector<std::size_t> constant_features;                           // ascending
  std::vector<std::pair<std::size_t, std::size_t>> duplicate_features;  // (copy, first of its kind)
  DuplicateStats duplicates;
  std::size_t queries_without_relevant = 0;  // no grade above 0
  std::size_t queries_with_one_grade = 0;    // nothing to rank, at least two documents
  std::size_t queries_with_one_document = 0;
  std::vector<FeatureStats> features;  // one per feature
};

struct StatsParams {
  bool count_distinct = false;  // fills FeatureStats::distinct; costs a second look at each value
};

DataStats data_stats(const Dataset& data, const StatsParams& params, const Context& context);

}  // namespace glassrank
