#pragma once
// Scores many rows with a forest, fast: bit-identical to Forest::score.
//
// Made once per forest, shared by threads. Batches are evaluated bit-sliced (one bit per row, every
// distinct condition of the forest computed once per block of rows), a handful of rows by
// interleaved traversal; instructions are chosen at run time for the processor at hand.
// Keeps one workspace per thread that ever scored at the same time (a mask of 32 bytes for every
// distinct condition, 0.6 MB for 1000 trees of 64 leaves).

#include <memory>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

class ForestScorer {
 public:
  explicit ForestScorer(const Forest& forest);
  ~ForestScorer();
  ForestScorer(ForestScorer&&) noexcept;
  ForestScorer& operator=(ForestScorer&&) noexcept;

  // scores[i] = forest.score(rows.row(i)). Throws Error{kUsage} when the rows have fewer features
  // than the forest or the sizes differ.
  void score(MatrixView<const float> rows, std::span<double> scores, const Context& context) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glassrank
