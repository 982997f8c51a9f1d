#pragma once
// Ranking data whose float32 matrix is made when somebody asks for it, once: until then the values
// stay where the caller has them (column_source.h), and whoever can do with blocks of rows, as bins
// and scores can, never needs it.

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/column_source.h"

namespace glassrank {

class LateValues {
 public:
  // Values that are there.
  explicit LateValues(Dataset data);
  explicit LateValues(ColumnSource source);

  const std::shared_ptr<const RowTable>& shared_table() const { return table_; }
  const RowTable& table() const { return *table_; }
  // Null: the values are there, or have been made.
  const ColumnSource* source() const;
  // All values. Any thread may be the first to ask.
  const Dataset& get(const Context& context) const;
  // As dataset_digest gives it, without making the matrix. Collective, as that is.
  std::string digest(const Context& context) const;
  // The same values with another table of as many rows.
  std::shared_ptr<const LateValues> with_table(std::shared_ptr<const RowTable> table) const;
  // Queries [first, last): values that are not there yet are not made.
  std::shared_ptr<const LateValues> slice(std::size_t first, std::size_t last) const;

 private:
  std::shared_ptr<const RowTable> table_;
  std::optional<ColumnSource> source_;
  mutable std::mutex mutex_;  // of all below
  mutable std::optional<Dataset> data_;
};

}  // namespace glassrank
