#pragma once
// The curves of a metric by the number of trees, one line each.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/curve_study.h"

namespace glassrank {

Picture study_picture(const CurveStudy& study);

}  // namespace glassrank
