#pragma once
// Scores many rows with a forest, fast: bit-identical to Forest::score.
//
// Made once per forest, shared by threads. Batches are evaluated bit-sliced (one bit per row, every
// distinct condition of the forest computed once per block of rows), a handful of rows by
// interleaved traversal; instructions are chosen at run time for the processor at hand.
// Keeps one workspace per thread that ever scored at the same time (a mask of 32 bytes for every
// distinct condition, 0.6 MB for 1000 trees of 64 leaves).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

class ForestScorer final : public Scorer {
 public:
  explicit ForestScorer(const Forest& forest);
  ~ForestScorer() override;

  std::size_t num_features() const override;
  std::span<const std::string> feature_names() const override;
  std::vector<std::uint32_t> used_features() const override;

 private:
  void score_checked(MatrixView<const float> rows, std::span<double> scores,
                     const Context& context) const override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glassrank
