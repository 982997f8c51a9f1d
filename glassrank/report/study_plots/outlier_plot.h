#pragma once
// Outliers against the first and against the last tree of the window.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/outlier_study.h"

namespace glassrank {

Picture study_picture(const OutlierStudy& study);

}  // namespace glassrank
