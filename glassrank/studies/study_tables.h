#pragma once
// A study's result as tables: all its numbers, and the few that are read first. A study defines
// study_tables(result) beside its result; the picture is in report/study_plots.
//
// To add a study: 1. glassrank/studies/<name>_study.{h,cpp}: parameters, a result with visit(),
// study_tables(); 2. report/study_plots/<name>_plot.{h,cpp}: study_picture(); 3.
// cli/study/study_<name>.cpp: its options; 4. a line in cli/study/study_registry.cpp. With the
// lists of the three folders' CMakeLists.txt four existing files change.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "glassrank/base/table.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// What stands in a table where nothing was measured.
inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

struct StudyTables {
  Table data;                      // everything, for a TSV file
  Table shown;                     // for people
  std::vector<std::string> notes;  // below it
};

// A forest to look into and what it is called.
struct NamedForest {
  std::string name;
  Forest forest;
};

// 1, then `steps` - 1 rounds evenly up to num_rounds, each once; nothing for 0 rounds.
std::vector<std::size_t> even_rounds(std::size_t num_rounds, std::size_t steps);

}  // namespace glassrank
