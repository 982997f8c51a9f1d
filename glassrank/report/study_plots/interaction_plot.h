#pragma once
// Quality of the glass box against the number of its pairs, beside the black box.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/interaction_study.h"

namespace glassrank {

Picture study_picture(const InteractionStudy& study);

}  // namespace glassrank
