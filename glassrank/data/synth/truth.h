#pragma once
// The truth behind a synthetic ranking problem: what every feature is and how it decides the grade.
//
//   base_f    = sum of 3 latent factors of the row + 1 of the query + own noise  (variance 1)
//   x_f       = what the data shows: base_f itself, a count, exp(base_f), or mostly 0
//   s_f       = the part of base_f that x_f still shows ("standardised value"), 0 if missing
//   utility   = sum_k curve_k(s_f) + sum_j pair_j(s_f, s_g) + shift * (a latent of the query)
//   grade     = number of thresholds <= utility + noise, then flipped with label_noise
//
// Each curve and pair has mean 0 and spread `weight` over independent normal inputs; weights fall
// from the first effect to the last and their squares add up to 1. Effects read observed values
// only, so a model that sees the features can recover them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/synth/params.h"
#include "glassrank/data/synth/value_kind.h"

namespace glassrank {

enum class FeatureRole { kMainEffect, kInteractionOnly, kQuery, kCorrelated, kUseless, kRelated };
enum class CurveShape { kLinear, kStep, kSaturating, kHump, kThreshold };
enum class PairKind { kProduct, kBothHigh, kXor };
std::string_view name_of(FeatureRole role);
std::string_view name_of(CurveShape shape);
std::string_view name_of(PairKind kind);

struct Loading {
  std::uint32_t index = 0;  // of a latent factor, or of a source feature if correlated
  float weight = 0;
};

struct SyntheticFeature {
  FeatureRole role = FeatureRole::kRelated;
  ValueKind kind = ValueKind::kPlain;
  std::array<Loading, 3> loadings;  // correlated: the first one or two are source features
  Loading query_loading;
  float own_noise = 1;
  float unit = 1;     // x_f = unit * (what the kind makes of base_f)
  float missing = 0;  // share of missing values
};

struct MainEffect {
  std::uint32_t feature = 0;
  CurveShape shape = CurveShape::kLinear;
  float centre = 0;  // of step, hump and threshold
  float scale = 1;
  float mean = 0;
  float weight = 0;  // spread over a normal input

  float operator()(float standardised) const;
};

struct PairEffect {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  PairKind kind = PairKind::kProduct;
  float centre_first = 0;
  float centre_second = 0;
  float scale = 1;
  float mean = 0;
  float weight = 0;

  float operator()(float first_value, float second_value) const;
};

inline constexpr std::size_t kNumLatents = 16;
inline constexpr std::size_t kNumQueryLatents = 8;

struct SyntheticTruth {
  std::vector<SyntheticFeature> features;
  std::vector<MainEffect> main_effects;
  std::vector<PairEffect> interactions;
  float query_shift = 0.3F;
  float noise = 0;
};

// A pure function of (resolved parameters, seed).
SyntheticTruth make_truth(const SyntheticParams& resolved, std::uint64_t seed);

}  // namespace glassrank
