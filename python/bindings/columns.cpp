#include "python/bindings/columns.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "glassrank/base/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

template <typename T>
ReadColumn reader_of(const T* values, std::int64_t step, std::shared_ptr<const void> owner) {
  return [values, step, owner = std::move(owner)](std::size_t first_row, std::size_t num_rows,
                                                  float* out, std::size_t stride) {
    const T* next = values + static_cast<std::int64_t>(first_row) * step;
    for (std::size_t i = 0; i < num_rows; ++i, next += step) {
      out[i * stride] = static_cast<float>(*next);
    }
  };
}

}  // namespace

void Columns::add_values(nb::dlpack::dtype type, const void* values, std::int64_t stride,
                         const std::shared_ptr<const void>& owner) {
  if (type == nb::dtype<float>()) {
    add_reader(reader_of(static_cast<const float*>(values), stride, owner));
  } else if (type == nb::dtype<double>()) {
    add_reader(reader_of(static_cast<const double*>(values), stride, owner));
  } else {
    fail(ErrorKind::kUsage, "columns are float32 or float64");
  }
}

void Columns::add(const Vector& column) {
  if (column.shape(0) != num_rows_) {
    fail(ErrorKind::kUsage, "a column of {} values for {} rows", column.shape(0), num_rows_);
  }
  add_values(column.dtype(), column.data(), column.stride(0), keep_array(column));
}

void Columns::add_matrix(const Matrix& columns) {
  if (columns.shape(0) != num_rows_) {
    fail(ErrorKind::kUsage, "a matrix of {} rows for {} rows", columns.shape(0), num_rows_);
  }
  const std::shared_ptr<const void> owner = keep_array(columns);
  const auto* bytes = static_cast<const char*>(columns.data());
  const std::int64_t size = columns.dtype().bits / 8;
  for (std::size_t c = 0; c < columns.shape(1); ++c) {
    add_values(columns.dtype(), bytes + static_cast<std::int64_t>(c) * columns.stride(1) * size,
               columns.stride(0), owner);
  }
}

nb::object Columns::to_matrix() const {
  std::vector<float> values(num_rows_ * readers_.size());
  for (std::size_t c = 0; c < readers_.size(); ++c) {
    readers_[c](0, num_rows_, values.data() + c, readers_.size());
  }
  return matrix_of(std::move(values), num_rows_, readers_.size());
}

void bind_columns(nb::module_& core) {
  nb::class_<Columns>(core, "Columns", "Columns of feature values, each where it lies.")
      .def(nb::init<std::size_t>(), nb::arg("num_rows"))
      .def("add", &Columns::add)
      .def("add_matrix", &Columns::add_matrix)
      .def("to_matrix", &Columns::to_matrix)
      .def_prop_ro(
          "shape",
          [](const Columns& c) { return nb::make_tuple(c.num_rows(), c.readers().size()); })
      .def_prop_ro("ndim", [](const Columns&) { return 2; });
}

}  // namespace glassrank::python
