#pragma once
// Values of a model as 64-bit whole numbers, so that sums are exact whatever their order.
//
//   number = round(value * scale),  scale = a power of two
// It is the largest for which every sum that is read fits 52 bits, so that it is also a double: two
// sums are equal, or in order, as numbers exactly when they are as scores. Where many scores are
// averaged, which nobody compares before, the sum of them may have 61 bits.
//
// Masked scores are made from differences (a tree's other leaf less its first one) in whatever
// order is fastest. In floating point two documents that end in the same leaves would get scores
// that differ in the last bit, and a true tie would become an order. Here they stay tied. A value
// is off by at most 2^-53 of the largest score there can be, as in a plain sum of doubles.
// Sums on the way may pass 2^63: unsigned arithmetic wraps, and the result is right again.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

// Added and multiplied modulo 2^64; read as signed.
using Fixed = std::uint64_t;

struct FixedPoint {
  double scale = 1;

  // For scores up to `bound`, of which `num_summed` are added up.
  static FixedPoint for_scores_up_to(double bound, std::size_t num_summed);

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
