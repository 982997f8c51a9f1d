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
// Data rows at a time: their products with the weights stay in the first-level cache, they
// themselves in the second.
inline constexpr std::size_t kBlockRows = 128;

template <typename T>
struct GramTile {
  const T* rows = nullptr;          // of the data, one block
  std::size_t num_rows = 0;         // of the block
  std::size_t stride = 0;           // of the data and of the result
  const double* weights = nullptr;  // of the block
  std::size_t first = 0;            // of kTileRows rows of the result
  double* gram = nullptr;
};

// Partial sums of a product of two vectors, added up in a fixed order.
inline constexpr std::size_t kParts = 8;

// Rows of floats and what they are multiplied with.
struct RowProducts {
  const float* rows = nullptr;
  std::size_t num_rows = 0;
  std::size_t stride = 0;           // a multiple of kColumnStep
  const double* factors = nullptr;  // a number per column, or per row
  double* out = nullptr;            // a number per row, or per column
};

}  // namespace glassrank
#endif

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_ATTR hn::Vec<D> load_values(D d, const double* values) {
  return hn::LoadU(d, values);
}
template <class D>
HWY_ATTR hn::Vec<D> load_values(D d, const float* values) {
  const hn::Rebind<float, D> floats;
  return hn::PromoteTo(d, hn::LoadU(floats, values));
}

// Adds one block of rows to the tile, from its diagonal to the right.
template <typename T>
HWY_ATTR void add_block_to_tile(const GramTile<T>& tile) {
  const hn::CappedTag<double, kColumnStep / 2> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t stride = tile.stride;
  double factors[kBlockRows * kTileRows];
  for (std::size_t r = 0; r < tile.num_rows; ++r) {
    for (std::size_t i = 0; i < kTileRows; ++i) {
      factors[r * kTileRows + i] =
          tile.weights[r] * static_cast<double>(tile.rows[r * stride + tile.first + i]);
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
      const auto x = load_values(d, tile.rows + r * stride + column);
      const auto y = load_values(d, tile.rows + r * stride + column + lanes);
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

HWY_ATTR void add_to_tile(const GramTile<double>& tile) { add_block_to_tile(tile); }
HWY_ATTR void add_floats_to_tile(const GramTile<float>& tile) { add_block_to_tile(tile); }

// One product per row. kParts sums side by side, whatever the width of a vector.
HWY_ATTR void multiply_rows(const RowProducts& task) {
  const hn::CappedTag<double, kParts> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t r = 0; r < task.num_rows; ++r) {
    const float* const row = task.rows + r * task.stride;
    double parts[kParts];
    for (std::size_t part = 0; part < kParts; part += lanes) {
      auto sum = hn::Zero(d);
      for (std::size_t j = part; j < task.stride; j += kParts) {
        sum = hn::Add(sum, hn::Mul(load_values(d, row + j), hn::LoadU(d, task.factors + j)));
      }
      hn::StoreU(sum, d, parts + part);
    }
    task.out[r] = ((parts[0] + parts[4]) + (parts[2] + parts[6])) +
                  ((parts[1] + parts[5]) + (parts[3] + parts[7]));
  }
}

// One sum per column, in the order of the rows.
HWY_ATTR void sum_rows(const RowProducts& task) {
  const hn::CappedTag<double, kParts> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto add_rows = [&](std::size_t first, std::size_t count) HWY_ATTR {
    const float* const row = task.rows + first * task.stride;
    for (std::size_t j = 0; j < task.stride; j += lanes) {
      auto sum = hn::LoadU(d, task.out + j);
      for (std::size_t r = 0; r < count; ++r) {
        sum = hn::Add(sum, hn::Mul(hn::Set(d, task.factors[first + r]),
                                   load_values(d, row + r * task.stride + j)));
      }
      hn::StoreU(sum, d, task.out + j);
    }
  };
  constexpr std::size_t kRowsAtOnce = 8;
  std::size_t r = 0;
  for (; r + kRowsAtOnce <= task.num_rows; r += kRowsAtOnce) add_rows(r, kRowsAtOnce);
  add_rows(r, task.num_rows - r);
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(add_to_tile);
HWY_EXPORT(add_floats_to_tile);
HWY_EXPORT(multiply_rows);
HWY_EXPORT(sum_rows);

namespace {

// Rows of the result that one task works on: the more, the fewer passes over the data.
constexpr std::size_t kTaskRows = 4 * kTileRows;

std::size_t stride_of(std::size_t num_columns) {
  return (num_columns + kColumnStep - 1) / kColumnStep * kColumnStep;
}

template <typename T, typename AddToTile>
std::vector<double> gram_of(std::span<const T> rows, std::size_t num_columns,
                            std::span<const double> weights, const Context& context,
                            AddToTile&& add) {
  const std::size_t stride = stride_of(num_columns);
  std::vector<double> sums(stride * stride);
  parallel_for(context, num_columns, kTaskRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = 0; r < weights.size(); r += kBlockRows) {
      for (std::size_t first = begin; first < end; first += kTileRows) {
        add(GramTile<T>{.rows = rows.data() + r * stride,
                        .num_rows = std::min(kBlockRows, weights.size() - r),
                        .stride = stride,
                        .weights = weights.data() + r,
                        .first = first,
                        .gram = sums.data()});
      }
    }
  });
  std::vector<double> gram(num_columns * num_columns);
  for (std::size_t i = 0; i < num_columns; ++i) {
    for (std::size_t j = i; j < num_columns; ++j) {
      gram[i * num_columns + j] = gram[j * num_columns + i] = sums[i * stride + j];
    }
  }
  return gram;
}

}  // namespace

GramRows::GramRows(std::size_t num_columns)
    : num_columns_(num_columns), stride_(stride_of(num_columns)) {}

void GramRows::add(std::span<const double> row) {
  for (const double value : row) rows_.push_back(static_cast<float>(value));
  rows_.resize(rows_.size() + stride_ - num_columns_);
}

std::vector<double> GramRows::weighted(std::span<const double> weights,
                                       const Context& context) const {
  return gram_of(
      std::span<const float>(rows_), num_columns_, weights, context,
      [](const GramTile<float>& tile) { HWY_DYNAMIC_DISPATCH(add_floats_to_tile)(tile); });
}

std::vector<double> GramRows::times(std::span<const double> vector) const {
  std::vector<double> padded(vector.begin(), vector.end());
  padded.resize(stride_);
  std::vector<double> products(num_rows());
  HWY_DYNAMIC_DISPATCH(multiply_rows)
  ({.rows = rows_.data(),
    .num_rows = num_rows(),
    .stride = stride_,
    .factors = padded.data(),
    .out = products.data()});
  return products;
}

std::vector<double> GramRows::transposed_times(std::span<const double> values) const {
  std::vector<double> sums(stride_);
  HWY_DYNAMIC_DISPATCH(sum_rows)
  ({.rows = rows_.data(),
    .num_rows = num_rows(),
    .stride = stride_,
    .factors = values.data(),
    .out = sums.data()});
  sums.resize(num_columns_);
  return sums;
}

std::vector<double> weighted_gram(MatrixView<const double> rows, std::span<const double> weights,
                                  const Context& context) {
  const std::size_t stride = stride_of(rows.num_columns());
  std::vector<double> padded(rows.num_rows() * stride);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    std::ranges::copy(rows.row(r), &padded[r * stride]);
  }
  return gram_of(std::span<const double>(padded), rows.num_columns(), weights, context,
                 [](const GramTile<double>& tile) { HWY_DYNAMIC_DISPATCH(add_to_tile)(tile); });
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
