#include "glassrank/math/matrix_product.h"

#include <cstddef>

// Highway compiles the rest of this file once per instruction set.
#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/math/matrix_product.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, kProductColumns>;

// kRows x kVectors vectors of the sum stay in registers while the inner index runs.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void add_to_tile(const MatrixProduct& p, std::size_t row, std::size_t column) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Doubles> sums[kRows][kVectors];
  double* const out = p.sum + row * p.sum_row + column;
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[r][v] = hn::LoadU(d, out + r * p.sum_row + v * lanes);
    }
  }
  const double* left = p.left + row * p.left_row;
  const double* right = p.right + column;
  for (std::size_t k = 0; k < p.num_inner; ++k) {
    hn::Vec<Doubles> values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = hn::LoadU(d, right + v * lanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto factor = hn::Set(d, left[r * p.left_row]);
      // Multiplied, then added: a fused step would round differently where there is none.
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = hn::Add(sums[r][v], hn::Mul(factor, values[v]));
      }
    }
    left += p.left_step;
    right += p.right_row;
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[r][v], d, out + r * p.sum_row + v * lanes);
    }
  }
}

template <std::size_t kVectors>
HWY_INLINE void add_to_columns(const MatrixProduct& p, std::size_t column) {
  constexpr std::size_t kRows = 4;
  std::size_t row = 0;
  for (; row + kRows <= p.num_rows; row += kRows) add_to_tile<kRows, kVectors>(p, row, column);
  for (; row < p.num_rows; ++row) add_to_tile<1, kVectors>(p, row, column);
}

HWY_ATTR void add_all(const MatrixProduct& p) {
  const std::size_t lanes = hn::Lanes(Doubles());
  std::size_t column = 0;
  for (; column + 2 * lanes <= p.num_columns; column += 2 * lanes) add_to_columns<2>(p, column);
  for (; column < p.num_columns; column += lanes) add_to_columns<1>(p, column);
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(add_all);

void add_product(const MatrixProduct& product) { HWY_DYNAMIC_DISPATCH(add_all)(product); }

}  // namespace glassrank
#endif
