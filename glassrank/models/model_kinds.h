#pragma once
// One kind of model as another, where the two can say the same.
//
// A forest whose trees use at most two features each is additive (distil.h); an additive model is a
// forest of one tree per effect (gam_forest.h).

#include "glassrank/models/model.h"

namespace glassrank {

Forest as_forest(const Model& model);
// Throws Error{kInput} for a forest that is not additive.
Gam as_gam(const Model& model);

}  // namespace glassrank
