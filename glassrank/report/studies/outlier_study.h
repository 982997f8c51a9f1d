#pragma once
// The study `outliers`: how many documents each window finds (Marcuzzi, Lucchese, Orlando, ICTIR
// 2022, Fig. 2).

#include <cstddef>

#include "glassrank/report/studies/study_result.h"
#include "glassrank/studies/outlier_trace.h"

namespace glassrank {

// Windows [start, last tree] and [1, end] at `steps` places each.
StudyResult outlier_count_study(const OutlierTrace& trace, std::size_t num_rows, std::size_t steps);

}  // namespace glassrank
