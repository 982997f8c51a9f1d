#pragma once
// Takes rows in the order of a file and hands them on where they belong once queries are grouped:
// a pass over a file whose queries have rows in several places.
//
// A block is parsed into room of its own and then copied, each run of rows that stay together at
// once. Only such files pay for it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/data/io/block_pool.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

class PlacedSink final : public RowSink {
 public:
  // Row r of the file is row places[r] of `sink`; rows have `width` values.
  PlacedSink(RowSink& sink, std::span<const std::uint32_t> places, std::size_t width)
      : sink_(sink), places_(places), width_(width) {}

  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * width_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    const auto places = places_.subspan(first_row, num_rows);
    for (std::size_t begin = 0, end = 0; begin < num_rows; begin = end) {
      for (end = begin + 1; end < num_rows && places[end] == places[end - 1] + 1;) ++end;
      float* const to = sink_.begin_block(places[begin], end - begin);
      std::copy(rows + begin * width_, rows + end * width_, to);
      sink_.end_block(places[begin], end - begin, to);
    }
    pool_.give_back(rows);
  }
  bool wants(std::size_t row) const override { return sink_.wants(places_[row]); }

 private:
  RowSink& sink_;
  std::span<const std::uint32_t> places_;
  std::size_t width_;
  BlockPool pool_;
};

}  // namespace glassrank
