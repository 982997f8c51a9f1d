#pragma once
// How much better than the first model, on queries with and without outliers.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/breakdown_study.h"

namespace glassrank {

Picture study_picture(const Breakdown& study);

}  // namespace glassrank
