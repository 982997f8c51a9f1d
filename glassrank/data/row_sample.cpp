#include "glassrank/data/row_sample.h"

namespace glassrank {
namespace {

// a * b / divisor without overflow of the product.
std::size_t scale(std::size_t a, std::size_t b, std::size_t divisor) {
  return static_cast<std::size_t>(static_cast<unsigned __int128>(a) * b / divisor);
}

}  // namespace

RowSample::RowSample(std::size_t num_rows, std::int64_t sample_rows, std::uint64_t seed)
    : num_rows_(num_rows), size_(num_rows), random_(seed, "row sample") {
  if (sample_rows > 0 && static_cast<std::size_t>(sample_rows) < num_rows) {
    size_ = static_cast<std::size_t>(sample_rows);
  }
}

std::size_t RowSample::strip_begin(std::size_t i) const { return scale(i, num_rows_, size_); }

std::size_t RowSample::row(std::size_t i) const {
  if (size_ == num_rows_) return i;
  const std::size_t begin = strip_begin(i);
  return begin + random_.below(i, strip_begin(i + 1) - begin);
}

std::size_t RowSample::first_at_or_after(std::size_t wanted) const {
  if (wanted >= num_rows_) return size_;
  // The last strip that begins at or before the row: floor(i N / S) <= r is i N < (r + 1) S.
  const auto limit = static_cast<unsigned __int128>(wanted + 1) * size_ - 1;
  const auto strip = static_cast<std::size_t>(limit / num_rows_);
  return row(strip) < wanted ? strip + 1 : strip;
}

RowRange RowSample::within(std::size_t begin, std::size_t end) const {
  return {first_at_or_after(begin), first_at_or_after(end)};
}

}  // namespace glassrank
