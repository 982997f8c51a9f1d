#include "glassrank/data/dataset.h"

#include <algorithm>
#include <limits>

#include "glassrank/base/error.h"
#include "glassrank/data/document_name.h"
#include "glassrank/data/feature_index.h"

namespace glassrank {
namespace {

void check_size(std::string_view what, std::size_t size, std::size_t expected) {
  if (size != expected) {
    fail(ErrorKind::kInput, "{} {} for {} rows; there must be one per row", size, what, expected);
  }
}

}  // namespace

Dataset::Dataset() : Dataset(DatasetParts{}) {}

Dataset::Dataset(DatasetParts parts) {
  const std::size_t num_rows = parts.grades.size();
  const std::size_t num_features = parts.feature_names.size();
  check_size("rows in the query groups", parts.queries.num_rows(), num_rows);
  if (parts.features.size() != num_rows * num_features) {
    fail(ErrorKind::kInput, "{} feature values for {} rows of {} features", parts.features.size(),
         num_rows, num_features);
  }
  if (!parts.weights.empty()) check_size("weights", parts.weights.size(), num_rows);
  if (!parts.document_ids.empty()) {
    check_size("document ids", parts.document_ids.size(), num_rows);
  }
  if (!parts.source_rows.empty()) check_size("source rows", parts.source_rows.size(), num_rows);
  struct Storage {
    Buffer<float> features;
    std::vector<float> grades;
    std::vector<float> weights;
  };
  auto storage = std::make_shared<Storage>(std::move(parts.features), std::move(parts.grades),
                                           std::move(parts.weights));
  spans_ = {.features = {storage->features.data(), num_rows, num_features},
            .grades = storage->grades,
            .weights = storage->weights};
  owner_ = std::move(storage);
  tables_ =
      std::make_shared<const Tables>(std::move(parts.queries), std::move(parts.feature_names),
                                     std::move(parts.document_ids), std::move(parts.source_rows));
}

Dataset::Dataset(std::shared_ptr<const void> owner, Spans spans, QueryGroups queries,
                 std::vector<std::string> feature_names, StringColumn document_ids)
    : owner_(std::move(owner)),
      tables_(std::make_shared<const Tables>(std::move(queries), std::move(feature_names),
                                             std::move(document_ids),
                                             std::vector<std::uint32_t>{})),
      spans_(spans) {}

void Dataset::release_rows(std::size_t begin, std::size_t end) const {
  if (spans_.mapped == nullptr) return;
  const auto place = [&](std::size_t row) {
    const float* value = spans_.features.data() + row * num_features();
    return static_cast<std::size_t>(reinterpret_cast<const char*>(value) -
                                    spans_.mapped->bytes().data());
  };
  spans_.mapped->release(place(begin), place(end));
}

std::vector<double> Dataset::from_file_order(std::vector<double> values) const {
  if (source_rows().empty()) return values;
  std::vector<double> moved(values.size());
  for (std::size_t row = 0; row < moved.size(); ++row) moved[row] = values[source_rows()[row]];
  return moved;
}

std::vector<double> Dataset::to_file_order(std::span<const double> values) const {
  std::vector<double> moved(values.begin(), values.end());
  if (source_rows().empty()) return moved;
  for (std::size_t row = 0; row < moved.size(); ++row) moved[source_rows()[row]] = values[row];
  return moved;
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
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::size_t next = 0;
  for (std::size_t q = 0; q < base_.num_queries(); ++q) {
    const std::size_t first = next;
    while (next < rows_.size() && rows_[next] < base_.queries().rows(q).end) ++next;
    if (next == first) continue;
    ids.push_back(base_.queries().id(q));
    sizes.push_back(next - first);
  }
  queries_ = QueryGroups(std::move(ids), sizes);
}

Dataset DatasetView::materialise() const {
  DatasetParts parts;
  const std::size_t width = num_features();
  parts.features = Buffer<float>(num_rows() * width);
  StringColumnBuilder document_ids;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::ranges::copy(row(i), parts.features.data() + i * width);
    parts.grades.push_back(grade(i));
    if (!base_.weights().empty()) parts.weights.push_back(base_.weights()[rows_[i]]);
    if (!base_.document_ids().empty()) document_ids.add(base_.document_ids()[rows_[i]]);
  }
  parts.queries = queries_;
  parts.feature_names.assign(base_.feature_names().begin(), base_.feature_names().end());
  if (document_ids.size() > 0) parts.document_ids = document_ids.finish();
  return Dataset(std::move(parts));
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
