// Curves, pair effects and value kinds: the small formulas of synth/truth.h.

#include <algorithm>
#include <cmath>

#include "glassrank/data/synth/truth.h"

namespace glassrank {
namespace {

float curve(CurveShape shape, float centre, float s) {
  switch (shape) {
    case CurveShape::kLinear:
      return s;
    case CurveShape::kStep:
      return s > centre ? 1.0F : 0.0F;
    case CurveShape::kSaturating:
      return s / (0.5F + std::abs(s));
    case CurveShape::kHump:
      return 1.0F / (1.0F + 2.0F * (s - centre) * (s - centre));
    case CurveShape::kThreshold:
      return std::max(s - centre, 0.0F);
  }
  return 0;
}

float pair(PairKind kind, float a, float b) {
  switch (kind) {
    case PairKind::kProduct:
      return a * b;
    case PairKind::kBothHigh:
      return a > 0 && b > 0 ? 1.0F : 0.0F;
    case PairKind::kXor:
      return (a > 0) != (b > 0) ? 1.0F : 0.0F;
  }
  return 0;
}

}  // namespace

float MainEffect::operator()(float s) const { return scale * (curve(shape, centre, s) - mean); }

float PairEffect::operator()(float a, float b) const {
  return scale * (pair(kind, a - centre_first, b - centre_second) - mean);
}

std::string_view name_of(FeatureRole role) {
  constexpr std::string_view kNames[] = {"main_effect", "interaction_only", "query",
                                         "correlated",  "useless",          "related"};
  return kNames[static_cast<std::size_t>(role)];
}
std::string_view name_of(ValueKind kind) {
  constexpr std::string_view kNames[] = {"plain", "count", "heavy_tail", "sparse"};
  return kNames[static_cast<std::size_t>(kind)];
}
std::string_view name_of(CurveShape shape) {
  constexpr std::string_view kNames[] = {"linear", "step", "saturating", "hump", "threshold"};
  return kNames[static_cast<std::size_t>(shape)];
}
std::string_view name_of(PairKind kind) {
  constexpr std::string_view kNames[] = {"product", "both_high", "xor"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace glassrank
