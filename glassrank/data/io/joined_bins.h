#pragma once
// Caches of bins as one data set: the rows of the first file first. All have the same cut points.
//
// The caches stay mapped; only the rows that somebody takes are copied, so that memory does not
// grow with what other machines take.

#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

class JoinedBins {
 public:
  // Throws Error{kInput} for other cut points than those of the first file, and for tables that do
  // not fit together (joined_rows.h).
  JoinedBins(const std::vector<std::string>& paths, const Context& context);

  std::size_t num_files() const { return caches_.size(); }
  const BinnedCache& first() const { return caches_.front(); }
  const RowTable& table() const { return joined_ ? *joined_ : first().data.table(); }
  // These rows of all files, and how many of them are missing.
  BinnedParts take(RowRange rows, const Context& context) const;

 private:
  std::vector<BinnedCache> caches_;
  std::optional<RowTable> joined_;  // of several files
};

}  // namespace glassrank
