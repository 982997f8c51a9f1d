#pragma once
// A row-major matrix somebody else owns.

#include <cstddef>
#include <span>

namespace glassrank {

template <typename T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t num_rows, std::size_t num_columns)
      : data_(data), num_rows_(num_rows), num_columns_(num_columns) {}

  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_columns() const { return num_columns_; }
  T* data() const { return data_; }
  std::span<T> row(std::size_t r) const { return {data_ + r * num_columns_, num_columns_}; }
  T& operator()(std::size_t r, std::size_t c) const { return data_[r * num_columns_ + c]; }

 private:
  T* data_ = nullptr;
  std::size_t num_rows_ = 0;
  std::size_t num_columns_ = 0;
};

}  // namespace glassrank
