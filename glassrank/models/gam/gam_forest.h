#pragma once
// An additive model as a forest, for programs that know trees only (LightGBM, XGBoost, RankLib).
//
// One tree per effect, in the effects' order, with the intercept as base score: Forest::score gives
// the same bits as Gam::score. A tree splits in halves over the first feature's cells, then over
// the second's; neighbouring cells of equal values share a leaf, so a table made from small trees
// stays a small tree. A missing value is sent to a cell of the same values (that of 0, where
// possible: formats without missing values then lose nothing); if there is none, one node that
// only tells values from missing ones gives it a leaf of its own.

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

Forest to_forest(const Gam& gam);

}  // namespace glassrank
