#include "glassrank/data/dataset.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/data/document_name.h"
#include "glassrank/data/feature_index.h"

namespace glassrank {

Dataset::Dataset() : Dataset(DatasetParts{}) {}

Dataset::Dataset(DatasetParts parts) {
  const std::size_t num_rows = parts.num_rows();
  const std::size_t num_features = parts.num_features();
  check_sizes(parts);
  if (parts.features.size() != num_rows * num_features) {
    fail(ErrorKind::kInput, "{} feature values for {} rows of {} features", parts.features.size(),
         num_rows, num_features);
  }
  auto storage = std::make_shared<const Buffer<float>>(std::move(parts.features));
  values_.features = {storage->data(), num_rows, num_features};
  values_.owner = std::move(storage);
  table_ = std::make_shared<const RowTable>(std::move(static_cast<RowTable&>(parts)));
}

Dataset::Dataset(std::shared_ptr<const RowTable> table, Values values)
    : table_(std::move(table)), values_(std::move(values)) {
  check_sizes(*table_);
  const MatrixView<const float> matrix = values_.features;
  if (matrix.num_rows() != num_rows() || matrix.num_columns() != num_features()) {
    fail(ErrorKind::kInput, "{} x {} feature values for {} rows of {} features", matrix.num_rows(),
         matrix.num_columns(), num_rows(), num_features());
  }
}

Dataset Dataset::with_table(std::shared_ptr<const RowTable> table) const {
  return {std::move(table), values_};
}

Dataset Dataset::with_rows(std::shared_ptr<const RowTable> table, std::size_t begin) const {
  const MatrixView<const float> all = values_.features;
  Values values = values_;
  values.features = {all.data() + begin * all.num_columns(), table->num_rows(), all.num_columns()};
  return {std::move(table), std::move(values)};
}

void Dataset::release_rows(std::size_t begin, std::size_t end) const {
  if (values_.mapped == nullptr) return;
  const auto place = [&](std::size_t row) {
    const float* value = values_.features.data() + row * num_features();
    return static_cast<std::size_t>(reinterpret_cast<const char*>(value) -
                                    values_.mapped->bytes().data());
  };
  values_.mapped->release(place(begin), place(end));
}

std::vector<double> Dataset::from_file_order(std::vector<double> values) const {
  return glassrank::from_file_order(*table_, std::move(values));
}

std::vector<double> Dataset::to_file_order(std::span<const double> values) const {
  return glassrank::to_file_order(*table_, values);
}

std::string Dataset::document_name(std::size_t row) const {
  return glassrank::document_name(document_ids(), queries(), row);
}

std::size_t Dataset::feature_index(std::string_view name) const {
  return glassrank::feature_index(feature_names(), name);
}

DatasetView::DatasetView(Dataset base) : base_(std::move(base)), queries_(base_.queries()) {
  rows_.resize(base_.num_rows());
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = static_cast<std::uint32_t>(i);
}

DatasetView::DatasetView(Dataset base, std::vector<std::uint32_t> rows)
    : base_(std::move(base)), rows_(std::move(rows)) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i] >= base_.num_rows() || (i > 0 && rows_[i] <= rows_[i - 1])) {
      fail(ErrorKind::kUsage, "row {} of a view is out of order or beyond the {} rows of the data",
           rows_[i], base_.num_rows());
    }
  }
  queries_ = select_rows(base_.queries(), rows_);
}

Dataset DatasetView::materialise() const {
  DatasetParts parts{select_rows(base_.table(), rows_), Buffer<float>(num_rows() * num_features())};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::ranges::copy(row(i), parts.features.data() + i * num_features());
  }
  return Dataset(std::move(parts));
}

Dataset slice_queries(const Dataset& data, std::size_t first, std::size_t last) {
  const std::size_t begin = data.queries().offsets()[first];
  std::vector<std::uint32_t> rows(data.queries().offsets()[last] - begin);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
  return data.with_rows(std::make_shared<const RowTable>(select_rows(data.table(), rows)), begin);
}

DatasetView select_queries(const Dataset& data, std::span<const std::size_t> queries) {
  std::vector<std::size_t> ordered(queries.begin(), queries.end());
  std::ranges::sort(ordered);
  std::vector<std::uint32_t> rows;
  for (const std::size_t q : ordered) {
    const RowRange range = data.queries().rows(q);
    for (std::size_t r = range.begin; r < range.end; ++r) {
      rows.push_back(static_cast<std::uint32_t>(r));
    }
  }
  return DatasetView(data, std::move(rows));
}

}  // namespace glassrank
