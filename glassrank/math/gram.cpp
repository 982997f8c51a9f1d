#include "glassrank/math/gram.h"

#include <algorithm>
#include <cstddef>

#include "glassrank/base/parallel.h"

// Highway compiles the rest of this file once per instruction set.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/math/gram.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#ifndef GLASSRANK_MATH_GRAM_TILE
#define GLASSRANK_MATH_GRAM_TILE
namespace glassrank {

// Rows of the result that are worked on together: a loaded value serves all of them.
inline constexpr std::size_t kTileRows = 4;
// Columns are filled up with zeros to a multiple of this, the widest vector's lanes.
inline constexpr std::size_t kColumnStep = 8;
// Data rows at a time: their products with the weights stay in the first-level cache.
inline constexpr std::size_t kBlockRows = 256;

struct GramTile {
  const double* rows = nullptr;     // of the data, one block
  std::size_t num_rows = 0;         // of the block
  std::size_t stride = 0;           // of the data and of the result
  const double* weights = nullptr;  // of the block
  std::size_t first = 0;            // of kTileRows rows of the result
  double* gram = nullptr;
};

}  // namespace glassrank
#endif

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Adds one block of rows to the tile, from its diagonal to the right.
HWY_ATTR void add_to_tile(const GramTile& tile) {
  const hn::CappedTag<double, kColumnStep> d;
  const std::size_t stride = tile.stride;
  double factors[kBlockRows * kTileRows];
  for (std::size_t r = 0; r < tile.num_rows; ++r) {
    for (std::size_t i = 0; i < kTileRows; ++i) {
      factors[r * kTileRows + i] = tile.weights[r] * tile.rows[r * stride + tile.first + i];
    }
  }
  const std::size_t first_column = tile.first / kColumnStep * kColumnStep;
  for (std::size_t column = first_column; column < stride; column += hn::Lanes(d)) {
    double* const out = tile.gram + tile.first * stride + column;
    auto sum0 = hn::LoadU(d, out);
    auto sum1 = hn::LoadU(d, out + stride);
    auto sum2 = hn::LoadU(d, out + 2 * stride);
    auto sum3 = hn::LoadU(d, out + 3 * stride);
    for (std::size_t r = 0; r < tile.num_rows; ++r) {
      const auto x = hn::LoadU(d, tile.rows + r * stride + column);
      const double* const factor = factors + r * kTileRows;
      // Multiplied, then added: a fused step would round differently where there is none.
      sum0 = hn::Add(sum0, hn::Mul(hn::Set(d, factor[0]), x));
      sum1 = hn::Add(sum1, hn::Mul(hn::Set(d, factor[1]), x));
      sum2 = hn::Add(sum2, hn::Mul(hn::Set(d, factor[2]), x));
      sum3 = hn::Add(sum3, hn::Mul(hn::Set(d, factor[3]), x));
    }
    hn::StoreU(sum0, d, out);
    hn::StoreU(sum1, d, out + stride);
    hn::StoreU(sum2, d, out + 2 * stride);
    hn::StoreU(sum3, d, out + 3 * stride);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(add_to_tile);

std::vector<double> weighted_gram(MatrixView<const double> rows, std::span<const double> weights,
                                  const Context& context) {
  const std::size_t size = rows.num_columns();
  const std::size_t stride = (size + kColumnStep - 1) / kColumnStep * kColumnStep;
  std::vector<double> padded(rows.num_rows() * stride);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    std::ranges::copy(rows.row(r), &padded[r * stride]);
  }
  std::vector<double> sums(stride * stride);
  parallel_for(context, stride, kTileRows, [&](std::size_t begin, std::size_t) {
    for (std::size_t r = 0; r < rows.num_rows(); r += kBlockRows) {
      HWY_DYNAMIC_DISPATCH(add_to_tile)
      ({.rows = &padded[r * stride],
        .num_rows = std::min(kBlockRows, rows.num_rows() - r),
        .stride = stride,
        .weights = weights.data() + r,
        .first = begin,
        .gram = sums.data()});
    }
  });
  std::vector<double> gram(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i; j < size; ++j) {
      gram[i * size + j] = gram[j * size + i] = sums[i * stride + j];
    }
  }
  return gram;
}

std::vector<double> weighted_moments(MatrixView<const double> rows, std::span<const double> weights,
                                     std::span<const double> targets) {
  std::vector<double> moments(rows.num_columns());
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const double factor = weights[r] * targets[r];
    const auto row = rows.row(r);
    for (std::size_t j = 0; j < row.size(); ++j) moments[j] += factor * row[j];
  }
  return moments;
}

}  // namespace glassrank
#endif
