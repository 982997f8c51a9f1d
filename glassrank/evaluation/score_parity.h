#pragma once
// Whether two models score the same rows alike, and where they differ most: the proof that comes
// with a conversion.

#include <cstddef>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

struct ScoreParity {
  std::size_t num_rows = 0;
  std::size_t num_different = 0;
  double tolerance = 0;
  std::size_t num_beyond = 0;  // differences above the tolerance
  double largest = 0;          // difference of two scores of a row
  // Of the first row with that difference; empty when there is none.
  std::size_t row = 0;
  std::string query;
  std::string document;
  double before = 0;
  double after = 0;

  void visit(ResultVisitor& visitor) const;  // model_results.cpp
};

// A model and the data, with its features in place.
struct ScoredRows {
  const Scorer& scorer;
  const Dataset& data;
};
// The same rows twice. A difference is beyond the tolerance if it is above it times the larger of 1
// and the score before.
ScoreParity compare_scores(const ScoredRows& before, const ScoredRows& after, double tolerance,
                           const Context& context);

}  // namespace glassrank
