#pragma once
// What trees give to each group of documents: a tree's leaves, and the score so far.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/leaf_score_study.h"

namespace glassrank {

Picture study_picture(const LeafScoreStudy& study);

}  // namespace glassrank
