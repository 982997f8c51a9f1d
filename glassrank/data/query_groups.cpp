#include "glassrank/data/query_groups.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "glassrank/base/error.h"

namespace glassrank {

void check_num_rows(std::size_t num_rows) {
  if (num_rows <= kMostRows) return;
  fail(ErrorKind::kInput, "the data has more than {} rows, which is as many as can be used",
       kMostRows);
}

QueryGroups::QueryGroups(std::vector<std::string> ids, std::span<const std::size_t> sizes)
    : ids_(std::move(ids)) {
  assert(ids_.size() == sizes.size());
  offsets_.reserve(sizes.size() + 1);
  for (const std::size_t size : sizes) {
    check_num_rows(size);  // on its own first: no sum overflows
    check_num_rows(offsets_.back() + size);
    offsets_.push_back(offsets_.back() + size);
  }
}

std::size_t QueryGroups::largest() const {
  std::size_t best = 0;
  for (std::size_t q = 0; q < num_queries(); ++q) best = std::max(best, rows(q).size());
  return best;
}

std::vector<std::uint32_t> QueryGroups::query_of_rows() const {
  std::vector<std::uint32_t> query(num_rows());
  for (std::size_t q = 0; q < num_queries(); ++q) {
    const RowRange range = rows(q);
    std::fill(query.begin() + range.begin, query.begin() + range.end,
              static_cast<std::uint32_t>(q));
  }
  return query;
}

}  // namespace glassrank
