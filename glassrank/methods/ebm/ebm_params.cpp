#include "glassrank/methods/ebm/ebm.h"

namespace glassrank {

void EbmParams::visit(ParamVisitor& visitor) {
  objective.visit(visitor);
  visitor.section("model");
  visitor.field("max_bins", max_bins,
                "maximum number of cells of a curve, including the one for missing values",
                Range{3, 256});
  visitor.field("pair_bins", pair_bins, "maximum number of cells of each axis of a surface",
                Range{3, 128});
  visitor.field("num_interactions", num_interactions, "number of surfaces, chosen by FAST",
                kNotNegative);
  visitor.section("training");
  bagging.visit(visitor);
  visitor.section("advanced");
  visitor.field("split", split, "bags hold out whole queries, or single rows as interpret does");
  visitor.section("model");
  visitor.field("learning_rate", learning_rate, "factor for every step", kPositive);
  visitor.field("num_leaves", num_leaves, "number of leaves of a step of a curve", Range{2, 256});
  visitor.field("min_leaf_rows", min_leaf_rows, "minimum number of rows in a leaf", Range{1, 1e9});
  visitor.field("min_leaf_hessian", min_leaf_hessian, "minimum sum of hessians in a leaf",
                kNotNegative);
  visitor.section("training");
  visitor.field("max_rounds", max_rounds, "maximum number of visits of every effect",
                Range{0, 1e9});
  visitor.field("patience", patience,
                "stop after this many rounds that are not better by `tolerance`; 0 never stops",
                kNotNegative);
  visitor.section("advanced");
  visitor.field("tolerance", tolerance,
                "a round counts as better only if it improves by more than this", kNotNegative);
  visitor.field("gradients_every", gradients_every,
                "for objectives other than squared_error: take new gradients after this many "
                "visits; 0 is once per round",
                kNotNegative);
  watch.visit(visitor);
}

}  // namespace glassrank
