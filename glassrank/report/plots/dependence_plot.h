#pragma once
// Pictures of how a score depends on a feature (explain/global/dependence.h).
//
// A step function is drawn as the curve of an additive model is (effect_plot.h), with the share of
// documents below it; two features as a surface of effects, its mean taken off. What is known at
// points only is a line, or a matrix of coloured cells. Curves of single documents are thin and
// pale behind their mean; the x axis shows the cells that hold documents. Missing values have a
// place in step curves and in matrices, not on lines.

#include "glassrank/explain/global/dependence.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

Picture draw(const Dependence& dependence);

}  // namespace glassrank
