#pragma once
// Columns of feature values that Python holds, each where it lies: numpy arrays of float32 or
// float64 with any distance between values, and columns of Arrow.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <utility>
#include <vector>

#include "glassrank/data/io/column_source.h"

namespace nb = nanobind;

namespace glassrank::python {

// What keeps an array alive and may be let go by any thread.
template <typename Array>
std::shared_ptr<const void> keep_array(const Array& array) {
  return std::shared_ptr<const Array>(new Array(array), [](const Array* kept) {
    if (!nb::is_alive()) return;
    const nb::gil_scoped_acquire held;
    delete kept;
  });
}

class Columns {
 public:
  explicit Columns(std::size_t num_rows) : num_rows_(num_rows) {}

  using Vector = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
  using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
  void add(const Vector& column);
  void add_matrix(const Matrix& columns);
  // Keeps alive what it reads.
  void add_reader(ReadColumn reader) { readers_.push_back(std::move(reader)); }

  std::size_t num_rows() const { return num_rows_; }
  const std::vector<ReadColumn>& readers() const { return readers_; }
  // A new float32 matrix of all values.
  nb::object to_matrix() const;

 private:
  void add_values(nb::dlpack::dtype type, const void* values, std::int64_t stride,
                  const std::shared_ptr<const void>& owner);

  std::size_t num_rows_;
  std::vector<ReadColumn> readers_;
};

}  // namespace glassrank::python
