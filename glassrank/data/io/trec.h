#pragma once
// TREC judgements and runs, as trec_eval reads them.
//
//   qrels:  query iteration document grade            301 0 FBIS3-10082 1
//   run:    query Q0 document rank score tag          301 Q0 FBIS3-10082 1 13.25 bm25
//
// Columns are separated by white space; lines may come in any order and are grouped by query, in
// the order of first appearance, documents in the order of the file. Empty lines and lines whose
// first mark is # are skipped. The iteration, the Q0 and the rank are not used. A grade is any
// finite number; negative ones (judged not relevant, or spam) are kept, metrics take them as 0. A
// score is a number, infinities included. A document may come once per query.
// Files may be .gz or .zst; "-" is standard input. Cost: one pass, no allocation per line.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/query_groups.h"
#include "glassrank/data/string_column.h"

namespace glassrank {

// Judged documents; those of query q are rows queries.rows(q) of the columns.
struct Qrels {
  QueryGroups queries;
  StringColumn documents;
  std::vector<double> grades;
};

// Retrieved documents, likewise. The order within a query is not the ranking: that is by score.
struct Run {
  QueryGroups queries;
  StringColumn documents;
  std::vector<double> scores;
  std::string tag;  // of the first line
};

// Throw Error{kIo} when the file cannot be read, Error{kInput} "file:line:col: ..." when its
// content is wrong.
Qrels read_qrels(const std::string& path, const Context& context);
Run read_run(const std::string& path, const Context& context);

// Texts in memory; `name` stands in messages.
Qrels parse_qrels(std::string_view text, const std::string& name);
Run parse_run(std::string_view text, const std::string& name);

// The lines of a run: each query's documents by descending score (ties in the run's order), ranks
// from 1, scores with the fewest digits that read back to the same double. Throws Error{kUsage} for
// ids or a tag that a TREC file cannot hold.
std::string run_text(const Run& run);

}  // namespace glassrank
