#pragma once
// Several files as one data set: the rows of the first file first. Files have the same columns, and
// whole queries.

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// All tables, one after the other.
class TableJoiner {
 public:
  // The first table stays until all are added. Throws Error{kInput} for a table that is not like
  // it, and for a query that two tables have.
  void add(const RowTable& table, const std::string& path);
  RowTable finish();

 private:
  RowTable joined_;
  const RowTable* first_ = nullptr;
  bool has_documents_ = false;
  std::vector<std::string> paths_;
  std::vector<std::string> ids_;
  std::vector<std::size_t> sizes_;
  StringColumnBuilder documents_;
  std::unordered_map<std::string, std::size_t> file_of_;
};

// The rows of all files, of each format that has sources. Throws Error{kInput} when files do not
// have the same columns (features at the end of LETOR text may be missing), and for a query that
// two files have. Texts of categories have the codes that they would have in one file of all rows
// (merged_categories.h).
std::unique_ptr<RowSource> join_sources(const std::vector<std::string>& paths,
                                        const ReadParams& params, const Context& context,
                                        Unpack unpack);

}  // namespace glassrank
