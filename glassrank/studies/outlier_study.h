#pragma once
// The study `outliers`: how many documents each window finds (Marcuzzi, Lucchese, Orlando, ICTIR
// 2022, Fig. 2): windows [start, last tree] and [1, end].

#include <cstddef>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/studies/outlier_trace.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct WindowOutliers {
  WindowCount count;
  double share = 0;  // of all rows

  void visit(ResultVisitor& visitor) const;
};

struct OutlierStudy {
  std::size_t num_rows = 0;
  std::size_t num_trees = 0;
  std::vector<WindowOutliers> by_start;  // to the last tree
  std::vector<WindowOutliers> by_end;    // from the first tree; the last is by_start's first

  void visit(ResultVisitor& visitor) const;
};

// At `steps` places each.
OutlierStudy study_outliers(const OutlierTrace& trace, std::size_t num_rows, std::size_t steps);
StudyTables study_tables(const OutlierStudy& study);

}  // namespace glassrank
