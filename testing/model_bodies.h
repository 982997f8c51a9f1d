#pragma once
// For tests: the forest or the additive model that a Model must be.

#include "glassrank/models/model.h"

namespace glassrank {

inline Forest forest_of(const Model& model) { return require_forest(model, "the test"); }
inline Gam gam_of(const Model& model) { return require_gam(model, "the test"); }

}  // namespace glassrank
