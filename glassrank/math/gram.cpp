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
// Columns are filled up with zeros to a multiple of this, two of the widest vectors: a product of
// weight and value, once loaded, serves both.
inline constexpr std::size_t kColumnStep = 16;
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
  const hn::CappedTag<double, kColumnStep / 2> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t stride = tile.stride;
  double factors[kBlockRows * kTileRows];
  for (std::size_t r = 0; r < tile.num_rows; ++r) {
    for (std::size_t i = 0; i < kTileRows; ++i) {
      factors[r * kTileRows + i] = tile.weights[r] * tile.rows[r * stride + tile.first + i];
    }
  }
  for (std::size_t column = tile.first / kColumnStep * kColumnStep; column < stride;
       column += 2 * lanes) {
    double* const out = tile.gram + tile.first * stride + column;
    const auto load = [&](std::size_t i, std::size_t part)
                          HWY_ATTR { return hn::LoadU(d, out + i * stride + part * lanes); };
    auto a0 = load(0, 0), a1 = load(1, 0), a2 = load(2, 0), a3 = load(3, 0);
    auto b0 = load(0, 1), b1 = load(1, 1), b2 = load(2, 1), b3 = load(3, 1);
    for (std::size_t r = 0; r < tile.num_rows; ++r) {
      const auto x = hn::LoadU(d, tile.rows + r * stride + column);
      const auto y = hn::LoadU(d, tile.rows + r * stride + column + lanes);
      const double* const factor = factors + r * kTileRows;
      const auto f0 = hn::Set(d, factor[0]);
      const auto f1 = hn::Set(d, factor[1]);
      const auto f2 = hn::Set(d, factor[2]);
      const auto f3 = hn::Set(d, factor[3]);
      // Multiplied, then added: a fused step would round differently where there is none.
      a0 = hn::Add(a0, hn::Mul(f0, x));
      a1 = hn::Add(a1, hn::Mul(f1, x));
      a2 = hn::Add(a2, hn::Mul(f2, x));
      a3 = hn::Add(a3, hn::Mul(f3, x));
      b0 = hn::Add(b0, hn::Mul(f0, y));
      b1 = hn::Add(b1, hn::Mul(f1, y));
      b2 = hn::Add(b2, hn::Mul(f2, y));
      b3 = hn::Add(b3, hn::Mul(f3, y));
    }
    const auto store = [&](auto value, std::size_t i, std::size_t part)
                           HWY_ATTR { hn::StoreU(value, d, out + i * stride + part * lanes); };
    store(a0, 0, 0), store(a1, 1, 0), store(a2, 2, 0), store(a3, 3, 0);
    store(b0, 0, 1), store(b1, 1, 1), store(b2, 2, 1), store(b3, 3, 1);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(add_to_tile);

GramRows::GramRows(MatrixView<const double> rows)
    : num_rows_(rows.num_rows()),
      num_columns_(rows.num_columns()),
      stride_((num_columns_ + kColumnStep - 1) / kColumnStep * kColumnStep),
      padded_(num_rows_ * stride_) {
  for (std::size_t r = 0; r < num_rows_; ++r) std::ranges::copy(rows.row(r), &padded_[r * stride_]);
}

std::vector<double> GramRows::weighted(std::span<const double> weights,
                                       const Context& context) const {
  std::vector<double> sums(stride_ * stride_);
  parallel_for(context, num_columns_, kTileRows, [&](std::size_t begin, std::size_t) {
    for (std::size_t r = 0; r < num_rows_; r += kBlockRows) {
      HWY_DYNAMIC_DISPATCH(add_to_tile)
      ({.rows = &padded_[r * stride_],
        .num_rows = std::min(kBlockRows, num_rows_ - r),
        .stride = stride_,
        .weights = weights.data() + r,
        .first = begin,
        .gram = sums.data()});
    }
  });
  std::vector<double> gram(num_columns_ * num_columns_);
  for (std::size_t i = 0; i < num_columns_; ++i) {
    for (std::size_t j = i; j < num_columns_; ++j) {
      gram[i * num_columns_ + j] = gram[j * num_columns_ + i] = sums[i * stride_ + j];
    }
  }
  return gram;
}

std::vector<double> weighted_gram(MatrixView<const double> rows, std::span<const double> weights,
                                  const Context& context) {
  return GramRows(rows).weighted(weights, context);
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
