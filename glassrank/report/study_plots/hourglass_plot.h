#pragma once
// Documents against trees: which are outliers when, and how many at once. Large maps are shown in
// at most 200 x 200 cells, each the share of its documents and trees.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/hourglass_study.h"

namespace glassrank {

Picture study_picture(const Hourglass& study);

}  // namespace glassrank
