#pragma once
// How a synthetic feature shows its normal base value b: as it is, as a count (half of them 0), as
// e^b (heavy right tail), or 0 unless it is high (about four fifths of them 0). Inline: they run
// once per value of the matrix.

#include <algorithm>
#include <string_view>

#include "glassrank/data/synth/portable_exp.h"

namespace glassrank {

enum class ValueKind { kPlain, kCount, kHeavyTail, kSparse };
std::string_view name_of(ValueKind kind);

inline constexpr float kCountsPerSpread = 4.0F;
inline constexpr float kSparseFrom = 0.8F;

// What the data shows of a base value, before the unit.
inline float shown_value(ValueKind kind, float base) {
  switch (kind) {
    case ValueKind::kPlain:
      return base;
    case ValueKind::kCount:  // towards 0, like floor: never negative
      return static_cast<float>(static_cast<int>(std::max(base, 0.0F) * kCountsPerSpread));
    case ValueKind::kHeavyTail:
      return portable_exp(base);
    case ValueKind::kSparse:
      return base > kSparseFrom ? base : 0.0F;
  }
  return 0;
}

// The part of the base value that can be read off the shown one, on the base's scale.
inline float standardised_value(ValueKind kind, float base) {
  switch (kind) {
    case ValueKind::kCount:
      return shown_value(kind, base) / kCountsPerSpread;
    case ValueKind::kSparse:
      return shown_value(kind, base);
    default:
      return base;
  }
}

}  // namespace glassrank
