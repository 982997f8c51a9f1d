#pragma once
// The study `ranks`: how the documents of one query move from tree to tree under one or more
// models, and how steady those at the bottom are (rank_trace.h).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/studies/rank_trace.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

struct RankStudyParams {
  std::string query = {};  // by name; none: the first
  double low = 0.4;        // share of the ranks that are the bottom
  int from = 10;           // tree from which on they must stay there
  double negative_grade = 0;

  void visit(ParamVisitor& visitor);
};

struct RankedDocument {
  std::string document;
  float grade = 0;
  bool is_low = false;  // the first model always keeps it at the bottom

  void visit(ResultVisitor& visitor) const;
};

struct ModelRanks {
  std::string model;
  RankTrace trace;
  // Mean number of ranks a document moves from one tree to the next: all, those that are low.
  double moves = 0;
  double low_moves = 0;   // NaN if none is
  double low_at_end = 0;  // share of the bottom they fill after the last tree

  void visit(ResultVisitor& visitor) const;
};

struct RankStudy {
  std::string query;
  double low = 0;
  int from = 0;
  std::size_t num_low = 0;
  std::vector<RankedDocument> documents;
  std::vector<ModelRanks> models;

  void visit(ResultVisitor& visitor) const;
};

// The documents that count as always low are those of the first model. Throws Error{kUsage} when no
// query has the name.
RankStudy study_ranks(std::span<const NamedForest> models, const Dataset& data,
                      const RankStudyParams& params);
StudyTables study_tables(const RankStudy& study);

// Mean number of ranks a document moves from one tree to the next; over `documents` only, unless
// empty. NaN with fewer than two trees or no document.
double mean_move(const RankTrace& trace, const std::vector<bool>& documents);

}  // namespace glassrank
