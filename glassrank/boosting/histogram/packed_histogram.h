#pragma once
// The histogram of a leaf's quantised gradients: int32 planes of gradients and hessians.
//
// Where 16 bits hold every sum of the leaf, as they do in most leaves of a tree, packed words
// (quantise.h) stand for both planes: half the memory to write, subtract and scan. Sums and
// differences of packed words are those of both halves.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "glassrank/base/buffer.h"
#include "glassrank/base/context.h"
#include "glassrank/boosting/histogram/plane_kernel.h"
#include "glassrank/boosting/histogram/quantise.h"

namespace glassrank {

// What the rows of a leaf sum up to.
struct RowSums {
  std::int64_t gradient = 0;
  std::int64_t gradient_size = 0;  // of absolute values
  std::int64_t hessian = 0;

  // Whether no sum over some of the rows leaves its half of a packed word.
  bool fit_words() const { return gradient_size <= 32'767 && hessian <= 65'535; }
  void add(std::int32_t packed) {
    gradient += packed_gradient(packed);
    gradient_size += std::abs(packed_gradient(packed));
    hessian += packed_hessian(packed);
  }
  RowSums& operator+=(const RowSums& other) {
    gradient += other.gradient;
    gradient_size += other.gradient_size;
    hessian += other.hessian;
    return *this;
  }
  RowSums& operator-=(const RowSums& other) {
    gradient -= other.gradient;
    gradient_size -= other.gradient_size;
    hessian -= other.hessian;
    return *this;
  }
};

// Sums of one histogram: planes as feature_groups() of RowBlocks says.
class PackedHistogram {
 public:
  struct Bin {
    std::int32_t gradient = 0;
    std::int32_t hessian = 0;
  };

  PackedHistogram() = default;
  explicit PackedHistogram(std::size_t plane_size) : gradient(plane_size), hessian(plane_size) {}

  Bin bin(std::size_t at) const {
    if (!is_packed) return {gradient[at], hessian[at]};
    return {packed_gradient(gradient[at]), packed_hessian(gradient[at])};
  }
  Planes planes(std::size_t at = 0) {
    return {gradient.data() + at, is_packed ? nullptr : hessian.data() + at};
  }
  ConstPlanes planes(std::size_t at = 0) const {
    return {gradient.data() + at, is_packed ? nullptr : hessian.data() + at};
  }

  Buffer<std::int32_t> gradient;  // or packed words
  Buffer<std::int32_t> hessian;
  bool is_packed = false;
  RowSums rows;
};

// Values of planes from `begin` on.
struct PlaneRange {
  std::size_t begin = 0;
  std::size_t size = 0;
};

// parent -= child, of whose rows the child's are some. Only in the range.
void subtract(PackedHistogram& parent, const PackedHistogram& child, PlaneRange range,
              const Context& context);

// To and from packed words, which the sums fit.
void pack(PackedHistogram& planes, const Context& context);
void unpack(PackedHistogram& planes, const Context& context);

}  // namespace glassrank
