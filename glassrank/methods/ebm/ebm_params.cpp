#include "glassrank/methods/ebm/ebm.h"

namespace glassrank {

void EbmParams::visit(ParamVisitor& visitor) {
  objective.visit(visitor);
  visitor.field("max_bins", max_bins, "cells of a curve, the one of missing values among them",
                Range{3, 256});
  visitor.field("pair_bins", pair_bins, "the same for each axis of a surface", Range{3, 128});
  visitor.field("num_interactions", num_interactions, "surfaces, chosen by FAST", kNotNegative);
  visitor.field("outer_bags", outer_bags, "models that are averaged", Range{1, 10000});
  visitor.field("valid_share", valid_share, "share of the queries that each bag holds out",
                Range{.low = 0, .high = 1, .open_high = true});
  visitor.field("split", split, "bags hold out whole queries, or single rows as interpret does");
  visitor.field("stop_on", stop_on,
                "what stops a bag: the rows it holds out, or the validation data");
  visitor.field("learning_rate", learning_rate, "what every step is multiplied by", kPositive);
  visitor.field("max_leaves", max_leaves, "leaves of a curve's step", Range{2, 256});
  visitor.field("min_leaf_rows", min_leaf_rows, "fewest rows of a leaf", Range{1, 1e9});
  visitor.field("min_leaf_hessian", min_leaf_hessian, "least sum of hessians of a leaf",
                kNotNegative);
  visitor.field("max_rounds", max_rounds, "visits of every effect, at most", Range{0, 1e9});
  visitor.field("patience", patience,
                "stop after so many rounds that are not better by `tolerance`; 0 never stops",
                kNotNegative);
  visitor.field("tolerance", tolerance, "how much better a round must be to count", kNotNegative);
  visitor.field("gradients_every", gradients_every,
                "visits until an objective other than squared_error is asked again; 0 is a round",
                kNotNegative);
  visitor.field("metric", metric, "what stops bags of an objective other than squared_error");
}

}  // namespace glassrank
