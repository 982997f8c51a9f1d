#pragma once
// The study `hourglass`: which documents are outliers after which tree (Marcuzzi, Lucchese,
// Orlando, ICTIR 2022, Fig. 6), and how many at once.
//
// Large maps are shown in at most 200 x 200 cells, each the share of its documents and trees.

#include "glassrank/data/dataset.h"
#include "glassrank/report/studies/study_result.h"
#include "glassrank/studies/outlier_trace.h"

namespace glassrank {

// Documents of the type by how often they are outliers, against the number of trees.
StudyResult hourglass_study(const OutlierTrace& trace, const Dataset& data, DocumentType type);

}  // namespace glassrank
