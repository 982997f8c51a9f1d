#pragma once
// Quality against the rate of noise, and what cleaning found of it.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/noise_study.h"

namespace glassrank {

Picture study_picture(const NoiseStudy& study);

}  // namespace glassrank
