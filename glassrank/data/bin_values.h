#pragma once
// A value for every bin: what stands in for feature values where only bins are known.

#include <cmath>
#include <cstddef>
#include <limits>

#include "glassrank/data/bin_edges.h"

namespace glassrank {

// The largest value of the bin, infinity for the last one, NaN for the missing one. Every rule that
// compares with cuts only (x <= cut) answers for it as for the values it stands for.
inline float value_of_bin(const BinEdges& edges, std::size_t feature, std::size_t bin) {
  if (bin == edges.missing_bin(feature)) return std::numeric_limits<float>::quiet_NaN();
  const auto cuts = edges.cuts(feature);
  return bin < cuts.size() ? cuts[bin] : std::numeric_limits<float>::infinity();
}

}  // namespace glassrank
