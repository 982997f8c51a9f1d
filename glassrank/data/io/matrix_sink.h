#pragma once
// Puts the rows of a pass where they belong in a matrix in memory.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/data/io/row_source.h"

namespace glassrank {

class MatrixSink final : public RowSink {
 public:
  // Row r of the file goes to row places[r] of the matrix, or to row r if `places` is empty. The
  // rows of a block go to consecutive places.
  MatrixSink(float* matrix, std::size_t width, std::span<const std::uint32_t> places = {})
      : matrix_(matrix), width_(width), places_(places) {}

  float* begin_block(std::size_t first_row, std::size_t /*num_rows*/) override {
    return matrix_ + (places_.empty() ? first_row : places_[first_row]) * width_;
  }
  void end_block(std::size_t, std::size_t, float*) override {}

 private:
  float* matrix_;
  std::size_t width_;
  std::span<const std::uint32_t> places_;
};

}  // namespace glassrank
