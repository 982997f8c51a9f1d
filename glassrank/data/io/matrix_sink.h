#pragma once
// Puts the rows of a pass where they belong in a matrix in memory.

#include <cstddef>

#include "glassrank/data/io/row_source.h"

namespace glassrank {

class MatrixSink final : public RowSink {
 public:
  MatrixSink(float* matrix, std::size_t width) : matrix_(matrix), width_(width) {}

  float* begin_block(std::size_t first_row, std::size_t /*num_rows*/) override {
    return matrix_ + first_row * width_;
  }
  void end_block(std::size_t, std::size_t, float*) override {}

 private:
  float* matrix_;
  std::size_t width_;
};

}  // namespace glassrank
