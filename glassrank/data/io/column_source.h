#pragma once
// Rows whose values lie in columns that somebody else owns: float64 arrays, columns of Arrow,
// frames of several types. A pass converts blocks of rows to float32 as they are asked for, so that
// bins are made, rows scored and digests taken without a matrix.
//
// Cost of a pass: every value read and converted once; blocks are as small as a cache.

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "glassrank/data/io/row_source.h"

namespace glassrank {

// Puts the values of rows [first_row, first_row + num_rows), as float32, `stride` places apart.
// Keeps alive what it reads; called from several threads at once.
using ReadColumn = std::function<void(std::size_t first_row, std::size_t num_rows, float* out,
                                      std::size_t stride)>;

class ColumnSource final : public RowSource {
 public:
  // One column per feature of the table, whose first row is row `begin` of the columns.
  ColumnSource(std::shared_ptr<const RowTable> table, std::vector<ReadColumn> columns,
               std::size_t begin = 0);

  std::shared_ptr<const RowTable> shared_table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override;

  // Rows [first_row, first_row + num_rows) as a matrix of their own.
  void read(std::size_t first_row, std::size_t num_rows, float* out, const Context& context) const;
  // Other rows of the same columns, from row `first_row` of this on, as many as the table has.
  ColumnSource with_rows(std::shared_ptr<const RowTable> table, std::size_t first_row) const {
    return {std::move(table), columns_, begin_ + first_row};
  }

 private:
  void read_block(std::size_t first_row, std::size_t num_rows, float* out) const;
  std::size_t rows_per_block() const;

  std::shared_ptr<const RowTable> table_;
  std::vector<ReadColumn> columns_;
  std::size_t begin_;
};

}  // namespace glassrank
