#pragma once
// The small files beside a data file: FILE.query and FILE.weight (LightGBM), FILE.names (ours).
//
//   FILE.query    rows of each query, one count a line, in order     FILE.weight   one per row
//   FILE.names    one feature name a line
// Read when they are there; "-" has none. Counts are checked against the data by the functions
// below, which throw Error{kInput} "file:line:col: ..." or "file: ...".

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

struct SideFiles {
  std::string path;  // of the data file

  bool has_queries() const;
  // Queries "1", "2", ... or none (num_queries() == 0) when there is no such file.
  QueryGroups queries(std::size_t num_rows, const Context& context) const;
  // Empty when there is no such file.
  std::vector<float> weights(std::size_t num_rows, const Context& context) const;
  std::vector<std::string> feature_names(std::size_t num_features, const Context& context) const;

 private:
  // The lines, trimmed, without empty ones at the end; false when there is no such file.
  bool read_lines(const char* suffix, const Context& context,
                  std::vector<std::string>& lines) const;
};

}  // namespace glassrank
