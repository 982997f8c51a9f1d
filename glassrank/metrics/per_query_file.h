#pragma once
// Per-query values in trec_eval's layout: "measure <blank> query <blank> value", one per line.
//
// The line of the query "all" (the mean) is left out, as are empty lines. Two systems are compared
// on the queries of the first file; all files must have the same queries for a measure.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/metrics/compare.h"
#include "glassrank/metrics/evaluate.h"

namespace glassrank {

struct PerQueryFile {
  std::string name;  // for messages
  // measure -> query -> value, both in the order of the file
  struct Measure {
    std::string name;
    std::vector<std::string> queries;
    std::map<std::string, double, std::less<>> values;
  };
  std::vector<Measure> measures;

  // Throws Error{kUsage} with the nearest name.
  const Measure& measure(std::string_view measure_name) const;
};

// Throws Error{kInput} "file:line: ..." for a line that is not of the layout or repeats a query.
PerQueryFile parse_per_query(std::string_view text, std::string name);
PerQueryFile read_per_query(const std::string& path);

// A line per query and metric, tab-separated, then one per metric for "all". Values have the fewest
// digits that read back to the same double; skipped queries have no line. Throws Error{kInput} when
// a query itself is called "all", or has a blank or no character in its id: the file could not be
// read back.
std::string per_query_text(const ListSource& lists, const Evaluation& evaluation,
                           const std::string& name);  // of the file, for messages
void write_per_query(const std::string& path, const ListSource& lists,
                     const Evaluation& evaluation);

// The values of `measures` (empty: all of the first file) in all files, queries aligned.
// Throws Error{kInput} naming a query that one file has and another has not.
std::vector<SystemValues> align_per_query(std::span<const PerQueryFile> files,
                                          std::span<const std::string> measures);

}  // namespace glassrank
