#pragma once
// Time a tree of each system, and its learning curve.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/sampling_study.h"

namespace glassrank {

Picture study_picture(const SamplingStudy& study);

}  // namespace glassrank
