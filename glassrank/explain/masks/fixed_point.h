#pragma once
// Values of a model as 64-bit whole numbers, so that sums are exact whatever their order.
//
//   number = round(value * scale),  scale = the largest power of two with bound * scale <= 2^61
// `bound` is at least the amount of every sum that will be read: of a forest, |base score| + the
// sum over trees of the largest |leaf value|, times the number of rows that are averaged.
//
// Masked scores are made from differences (a tree's other leaf less its first one) in whatever
// order is fastest. In floating point two documents that end in the same leaves would get scores
// that differ in the last bit, and a true tie would become an order. Here they stay tied. A value
// is off by at most bound / 2^62, less than the rounding of a plain sum of doubles.
// Sums on the way may pass 2^63: unsigned arithmetic wraps, and the result is right again.

#include <cmath>
#include <cstdint>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

// Added and multiplied modulo 2^64; read as signed.
using Fixed = std::uint64_t;

struct FixedPoint {
  double scale = 1;

  static FixedPoint for_sums_up_to(double bound);

  Fixed from(double value) const { return static_cast<Fixed>(std::llrint(value * scale)); }
  // Equal numbers give equal doubles, and no order is turned.
  double value(Fixed number) const {
    return static_cast<double>(static_cast<std::int64_t>(number)) / scale;
  }
};

// The largest amount that a score can have.
double score_bound(const Forest& forest);
double score_bound(const Gam& gam);

}  // namespace glassrank
