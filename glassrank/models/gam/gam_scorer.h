#pragma once
// Scores many rows with an additive model, fast: bit-identical to Gam::score.
//
// Made once per model, shared by threads. Per block of rows every feature is searched once, among
// the edges of all its effects together (vectorised, see gam_kernel.h); an effect is then one
// look-up per row in a table that stays in cache for the whole block.
// Memory: the tables, and 2 bytes per row of a block and feature used while scoring.

#include <memory>
#include <span>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

class GamScorer {
 public:
  explicit GamScorer(const Gam& gam);
  ~GamScorer();
  GamScorer(GamScorer&&) noexcept;
  GamScorer& operator=(GamScorer&&) noexcept;

  // scores[i] = gam.score(rows.row(i)). Throws Error{kUsage} when the rows have fewer features than
  // the model or the sizes differ.
  void score(MatrixView<const float> rows, std::span<double> scores, const Context& context) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glassrank
