#pragma once
// What the tests of synthetic data share.

#include <cmath>
#include <vector>

#include "glassrank/data/synth/synthetic.h"

namespace glassrank {

inline Context context_with(int threads, std::uint64_t seed = 1) {
  Context context;
  context.threads = std::make_shared<Threads>(threads);
  context.seed = seed;
  return context;
}

inline double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sa += a[i];
    sb += b[i];
    saa += a[i] * a[i];
    sbb += b[i] * b[i];
    sab += a[i] * b[i];
  }
  return (sab - sa * sb / n) / std::sqrt((saa - sa * sa / n) * (sbb - sb * sb / n));
}

inline std::vector<double> doubles(std::span<const float> values) {
  return {values.begin(), values.end()};
}

inline SyntheticParams medium() {
  SyntheticParams params;
  params.rows = 20000;
  params.features = 30;
  return params;
}

}  // namespace glassrank
