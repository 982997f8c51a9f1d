#pragma once
// What of a model file is taken.

#include "glassrank/base/params.h"

namespace glassrank {

struct ModelReadParams {
  bool all_trees = false;

  void visit(ParamVisitor& visitor) {
    visitor.field(
        "all_trees", all_trees,
        "use also the trees after the best round of an XGBoost model that was stopped early");
  }
};

}  // namespace glassrank
