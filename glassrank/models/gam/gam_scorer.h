#pragma once
// Scores many rows with an additive model, fast: bit-identical to Gam::score.
//
// Made once per model, shared by threads. Per block of rows every feature is searched once, among
// the edges of all its effects together (vectorised, see gam_kernel.h); an effect is then one
// look-up per row in a table that stays in cache for the whole block.
// Memory: the tables, and 2 bytes per row of a block and feature used while scoring.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "glassrank/models/gam/gam.h"
#include "glassrank/models/scorer.h"

namespace glassrank {

class GamScorer final : public Scorer {
 public:
  explicit GamScorer(const Gam& gam);
  ~GamScorer() override;

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
