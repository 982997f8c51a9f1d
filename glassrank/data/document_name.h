#pragma once
// What a document is called.

#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "glassrank/data/query_groups.h"
#include "glassrank/data/string_column.h"

namespace glassrank {

// The document's own id, or its 1-based place within the query ("3") when it has none. `ids` are
// empty or one per row.
inline std::string document_name(const StringColumn& ids, const QueryGroups& queries,
                                 std::size_t row) {
  if (!ids.empty() && !ids[row].empty()) return std::string(ids[row]);
  const auto after = std::ranges::upper_bound(queries.offsets(), row);
  return fmt::format("{}", row - *(after - 1) + 1);
}

}  // namespace glassrank
