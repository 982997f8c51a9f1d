#include "glassrank/methods/ebm/ebm.h"

namespace glassrank {

void EbmParams::visit(ParamVisitor& visitor) {
  objective.visit(visitor);
  visitor.section("model");
  visitor.field("max_bins", max_bins, "cells of a curve, the one of missing values among them",
                Range{3, 256});
  visitor.field("pair_bins", pair_bins, "the same for each axis of a surface", Range{3, 128});
  visitor.field("num_interactions", num_interactions, "surfaces, chosen by FAST", kNotNegative);
  visitor.section("training");
  bagging.visit(visitor);
  visitor.section("advanced");
  visitor.field("split", split, "bags hold out whole queries, or single rows as interpret does");
  visitor.section("model");
  visitor.field("learning_rate", learning_rate, "what every step is multiplied by", kPositive);
  visitor.field("num_leaves", num_leaves, "leaves of a curve's step", Range{2, 256});
  visitor.field("min_leaf_rows", min_leaf_rows, "fewest rows of a leaf", Range{1, 1e9});
  visitor.field("min_leaf_hessian", min_leaf_hessian, "least sum of hessians of a leaf",
                kNotNegative);
  visitor.section("training");
  visitor.field("max_rounds", max_rounds, "visits of every effect, at most", Range{0, 1e9});
  visitor.field("patience", patience,
                "stop after so many rounds that are not better by `tolerance`; 0 never stops",
                kNotNegative);
  visitor.section("advanced");
  visitor.field("tolerance", tolerance, "how much better a round must be to count", kNotNegative);
  visitor.field("gradients_every", gradients_every,
                "visits until an objective other than squared_error is asked again; 0 is a round",
                kNotNegative);
  watch.visit(visitor);
}

}  // namespace glassrank
