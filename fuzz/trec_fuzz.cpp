// Any bytes as qrels and as a run: the readers either throw Error or give tables that fit together
// and can be joined.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/data/judged_run.h"

namespace glassrank {
namespace {

void require(bool fact) {
  if (!fact) std::abort();
}

void check_table(const QueryGroups& queries, const StringColumn& documents,
                 const std::vector<double>& values) {
  require(!values.empty());
  require(queries.num_rows() == values.size() && documents.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(!documents[i].empty() && !std::isnan(values[i]));
  }
}

// The text before the first NUL byte is the qrels, the rest is the run.
void fuzz(std::string_view bytes) {
  const std::size_t border = std::min(bytes.find('\0'), bytes.size());
  std::optional<Qrels> qrels;
  std::optional<Run> run;
  try {
    qrels = parse_qrels(bytes.substr(0, border), "q");
    check_table(qrels->queries, qrels->documents, qrels->grades);
  } catch (const Error&) {
  }
  try {
    run = parse_run(bytes.substr(std::min(border + 1, bytes.size())), "r");
    check_table(run->queries, run->documents, run->scores);
  } catch (const Error&) {
  }
  if (!qrels || !run) return;
  const JudgedRun joined = join_run(*qrels, *run, {.complete = true});
  require(joined.queries.size() == qrels->queries.num_queries());
  for (std::size_t q = 0; q < joined.queries.size(); ++q) {
    const JudgedQuery& query = joined.queries[q];
    std::size_t num_judged = query.missed_grades.size();
    for (const bool judged : query.judged) num_judged += judged ? 1 : 0;
    require(num_judged == qrels->queries.rows(q).size());
    require(query.documents.size() == query.grades.size());
  }
}

}  // namespace
}  // namespace glassrank

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  glassrank::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
