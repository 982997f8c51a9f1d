#pragma once
// Everything of ranking data but the feature values: small next to the matrix, copied freely.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/data/query_groups.h"
#include "glassrank/data/string_column.h"

namespace glassrank {

struct RowTable {
  std::size_t num_rows = 0;
  std::size_t num_features = 0;
  std::vector<float> grades;
  QueryGroups queries;
  std::vector<std::string> feature_names;
  StringColumn document_ids;   // empty, or one per row
  std::vector<float> weights;  // empty, or one per row
};

}  // namespace glassrank
