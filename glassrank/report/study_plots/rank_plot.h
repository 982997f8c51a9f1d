#pragma once
// The ranks of a query's documents, tree by tree: one chart a model, the low documents marked.

#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/rank_study.h"

namespace glassrank {

Picture study_picture(const RankStudy& study);

}  // namespace glassrank
