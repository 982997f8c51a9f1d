#pragma once
// The study `breakdown`: quality on queries with and without outliers, for several windows
// (studies/breakdown.h).

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/report/studies/study_result.h"
#include "glassrank/studies/breakdown.h"

namespace glassrank {

struct WindowQuality {
  std::size_t start = 0;
  GroupQuality with_outliers;
  GroupQuality without;
};

struct Breakdown {
  std::string metric;
  std::vector<std::string> models;  // the first is what the others are tested against
  std::size_t end = 0;              // of every window
  GroupQuality all;
  std::vector<WindowQuality> windows;
};

StudyResult breakdown_study(const Breakdown& breakdown);

}  // namespace glassrank
