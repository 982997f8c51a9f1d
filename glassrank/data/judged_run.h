#pragma once
// A run with the grades of its documents: what metrics of TREC files are computed from.
//
// For each query the retrieved documents with score and grade, and the grades of the judged
// documents that were not retrieved, which the ideal DCG and the number of relevant documents R
// need as in trec_eval. Queries are in the order of the qrels.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/data/io/trec.h"

namespace glassrank {

struct JudgedQuery {
  std::string id;
  // Retrieved documents, one entry each, in the order of the run's file (not by score).
  std::vector<std::string> documents;
  std::vector<double> scores;
  std::vector<double> grades;  // 0 if not judged
  std::vector<bool> judged;
  // Judged, not retrieved, in the order of the qrels.
  std::vector<double> missed_grades;
};

struct JudgedRun {
  std::vector<JudgedQuery> queries;
  std::size_t num_not_retrieved = 0;  // queries with judgements that the run does not have
  std::size_t num_not_judged = 0;     // queries of the run without judgements: always left out
};

struct JoinOptions {
  // Queries with judgements that the run does not have: kept, with nothing retrieved (trec_eval's
  // -c), or left out.
  bool complete = false;
};

// One pass over both; a hash table of the judged documents per query.
JudgedRun join_run(const Qrels& qrels, const Run& run, const JoinOptions& options = {});

}  // namespace glassrank
