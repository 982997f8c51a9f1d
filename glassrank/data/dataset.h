#pragma once
// Ranking data in memory: a dense float32 matrix and the table of its rows (row_table.h: grades,
// query groups, names, ids, weights).
//
// Immutable and cheap to copy: copies share both, and values may lie in a mapped cache file. Rows
// of one query are consecutive. A value is missing when it is NaN; a feature absent from
// a sparse row is 0 (or NaN, if the reader was told so), which is a different thing.
// Memory: 4 bytes a value; grades and weights 4 bytes a row each.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/mapped_file.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/data/row_table.h"

namespace glassrank {

// What a reader or generator hands over; becomes a Dataset by move.
struct DatasetParts : RowTable {
  Buffer<float> features;  // row-major, num_rows x num_features
};

class Dataset {
 public:
  // An empty one.
  Dataset();
  // Throws Error{kInput} if the parts' sizes do not fit together.
  explicit Dataset(DatasetParts parts);
  // Over values that `owner` keeps alive.
  struct Values {
    std::shared_ptr<const void> owner;
    MatrixView<const float> features;
    const MappedFile* mapped = nullptr;  // part of the owner, if it is a mapped file
  };
  Dataset(std::shared_ptr<const RowTable> table, Values values);

  std::size_t num_rows() const { return table_->num_rows(); }
  std::size_t num_features() const { return table_->num_features(); }
  std::size_t num_queries() const { return table_->queries.num_queries(); }

  MatrixView<const float> features() const { return values_.features; }
  std::span<const float> row(std::size_t r) const { return values_.features.row(r); }
  // Says that the values of these rows are not needed for now: those of a mapped file give their
  // memory back. They stay readable.
  void release_rows(std::size_t begin, std::size_t end) const;
  // Everything but the values, and the parts of it.
  const RowTable& table() const { return *table_; }
  const std::shared_ptr<const RowTable>& shared_table() const { return table_; }
  const Schema& schema() const { return table_->schema; }
  std::span<const float> grades() const { return table_->grades; }
  std::span<const float> weights() const { return table_->weights; }  // empty: all 1
  double weight(std::size_t row) const { return weights().empty() ? 1.0 : weights()[row]; }
  const QueryGroups& queries() const { return table_->queries; }
  std::span<const std::string> feature_names() const { return table_->feature_names(); }
  const StringColumn& document_ids() const { return table_->document_ids; }
  // Empty: rows are in the order of their file.
  std::span<const std::uint32_t> source_rows() const { return table_->source_rows; }
  // The same values with another table. Throws Error{kInput} if it does not fit them.
  Dataset with_table(std::shared_ptr<const RowTable> table) const;
  // The values of consecutive rows from `begin` on, as many as the table has.
  Dataset with_rows(std::shared_ptr<const RowTable> table, std::size_t begin) const;
  // One value per line of the file -> one per row, and back.
  std::vector<double> from_file_order(std::vector<double> values) const;
  std::vector<double> to_file_order(std::span<const double> values) const;
  // The document's own id, or its 1-based place within the query ("3") when it has none.
  std::string document_name(std::size_t row) const;
  // Index by name, or by 1-based number; throws Error{kUsage} with the nearest name.
  std::size_t feature_index(std::string_view name) const;

 private:
  std::shared_ptr<const RowTable> table_;
  Values values_;
};

// Some rows of a dataset, in order, without copying the matrix: what cleaners, splits and folds
// hand on. Queries that lose every row disappear.
class DatasetView {
 public:
  // Every row.
  explicit DatasetView(Dataset base);
  // `rows` ascend strictly; throws Error{kUsage} otherwise.
  DatasetView(Dataset base, std::vector<std::uint32_t> rows);

  const Dataset& base() const { return base_; }
  std::size_t num_rows() const { return rows_.size(); }
  std::size_t num_features() const { return base_.num_features(); }
  std::span<const std::uint32_t> rows() const { return rows_; }
  const QueryGroups& queries() const { return queries_; }
  float grade(std::size_t i) const { return base_.grades()[rows_[i]]; }
  std::span<const float> row(std::size_t i) const { return base_.row(rows_[i]); }
  // A dataset of its own, copied.
  Dataset materialise() const;

 private:
  Dataset base_;
  std::vector<std::uint32_t> rows_;
  QueryGroups queries_;
};

// Queries [first, last) over the same values: copies everything but them.
Dataset slice_queries(const Dataset& data, std::size_t first, std::size_t last);

// The rows of the given queries, in the dataset's order.
DatasetView select_queries(const Dataset& data, std::span<const std::size_t> queries);

}  // namespace glassrank
