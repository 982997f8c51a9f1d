#pragma once
// Which rows belong to which query: consecutive rows, one range per query.
//
// Readers bring the rows of a query together (io/group_rows.h) before this is made, so that
// whatever works by query is a loop over ranges. Queries are never torn: splits, folds, bags and
// blocks of work are cut between them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace glassrank {

// Rows are numbered in 32 bits, everywhere.
inline constexpr std::size_t kMostRows = 0xFFFFFFFF;
// Throws Error{kInput} for more. Every table of rows has QueryGroups, which ask this.
void check_num_rows(std::size_t num_rows);

struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

class QueryGroups {
 public:
  QueryGroups() = default;
  // `sizes[q]` rows belong to query `ids[q]`, in order. Both have the same length. Throws
  // Error{kInput} for more than kMostRows rows.
  QueryGroups(std::vector<std::string> ids, std::span<const std::size_t> sizes);

  std::size_t num_queries() const { return ids_.size(); }
  std::size_t num_rows() const { return offsets_.back(); }
  RowRange rows(std::size_t query) const { return {offsets_[query], offsets_[query + 1]}; }
  const std::string& id(std::size_t query) const { return ids_[query]; }
  std::span<const std::string> ids() const { return ids_; }
  // num_queries() + 1 entries; the first is 0.
  std::span<const std::size_t> offsets() const { return offsets_; }
  std::size_t largest() const;
  // The query of every row.
  std::vector<std::uint32_t> query_of_rows() const;

 private:
  std::vector<std::string> ids_;
  std::vector<std::size_t> offsets_ = {0};
};

}  // namespace glassrank
