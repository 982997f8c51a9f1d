#pragma once
// exp for float with the same bits on every machine: the C library's differs between processors
// with and without fused multiply-add. Relative error below 3e-7 for |x| <= 80; vectorises.

#include <bit>
#include <cmath>
#include <cstdint>

namespace glassrank {

// x = n ln 2 + r with |r| <= ln 2 / 2; e^x = 2^n P(r), P the Taylor polynomial of degree 7.
inline float portable_exp(float x) {
  constexpr float kLog2E = 1.44269504F;
  constexpr float kLn2High = 0.693145752F;
  constexpr float kLn2Low = 1.42860677e-6F;
  x = x > 80.0F ? 80.0F : x < -80.0F ? -80.0F : x;
  const float shifted = x * kLog2E + 0.5F;
  auto n = static_cast<std::int32_t>(shifted);
  n -= static_cast<float>(n) > shifted ? 1 : 0;  // floor without a library call
  const auto whole = static_cast<float>(n);
  const float r = (x - whole * kLn2High) - whole * kLn2Low;
  float p = 1.0F / 5040;
  p = p * r + 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  return p * std::bit_cast<float>((n + 127) << 23);
}

}  // namespace glassrank
