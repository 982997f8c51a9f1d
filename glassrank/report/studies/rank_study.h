#pragma once
// The study `ranks`: how the documents of one query move from tree to tree under one or more
// models, and how steady those at the bottom are (studies/rank_trace.h).

#include <string>
#include <vector>

#include "glassrank/report/studies/study_result.h"
#include "glassrank/studies/rank_trace.h"

namespace glassrank {

struct RankStudyParams {
  std::string query;
  double low = 0.4;  // share of the ranks that are the bottom
  int from = 10;     // tree from which on they must stay there
  double negative_grade = 0;
};

struct ModelRanks {
  std::string model;
  RankTrace trace;
};

// The documents that count as always low are those of the first model. `grades` and `names` are
// those of the query's documents.
StudyResult rank_study(const std::vector<ModelRanks>& models, const std::vector<float>& grades,
                       const std::vector<std::string>& names, const RankStudyParams& params);

// Mean number of ranks a document moves from one tree to the next; over `documents` only, unless
// empty. NaN with fewer than two trees or no document.
double mean_move(const RankTrace& trace, const std::vector<bool>& documents);

}  // namespace glassrank
