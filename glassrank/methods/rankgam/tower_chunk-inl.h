// What the kernels of both ways share (tower_kernel.h): rows 256 at a time, units 8 at a time.
// Forward and backward passes must draw the same dropout and cut rows the same way, or gradients
// would not be those of the outputs.
// Included once per instruction set.

#if defined(GLASSRANK_METHODS_RANKGAM_TOWER_CHUNK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_METHODS_RANKGAM_TOWER_CHUNK_INL_H_
#undef GLASSRANK_METHODS_RANKGAM_TOWER_CHUNK_INL_H_
#else
#define GLASSRANK_METHODS_RANKGAM_TOWER_CHUNK_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <hwy/highway.h>

#include "glassrank/base/buffer.h"
#include "glassrank/methods/rankgam/tower_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kTowerLanes>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

constexpr std::size_t kChunk = 256;  // rows at a time: what is worked out of them stays in L1
constexpr std::size_t kTile = 8;     // units at a time: their sums stay in registers

struct Chunk {
  std::size_t begin;
  std::size_t count;
};
HWY_INLINE Chunk chunk_at(std::size_t begin, std::size_t num_rows) {
  return {begin, std::min(kChunk, num_rows - begin)};
}

HWY_INLINE void add_to(float* lanes, V sum) {
  hn::StoreU(hn::Add(hn::LoadU(D(), lanes), sum), D(), lanes);
}
// Adds up each quantity's sixteen sums.
inline void add_lanes(const Buffer<float>& lanes, std::span<double> sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < kTowerLanes; ++k) sum += double{lanes[i * kTowerLanes + k]};
    sums[i] = sum;
  }
}
inline Buffer<float> zero_lanes(std::size_t num_sums) {
  Buffer<float> lanes(num_sums * kTowerLanes);
  std::ranges::fill(lanes.span(), 0.0F);
  return lanes;
}

HWY_INLINE M is_kept(const std::uint8_t* draws, int threshold) {
  const hn::Rebind<std::uint8_t, D> bytes;
  const hn::Rebind<std::int32_t, D> words;
  return hn::RebindMask(
      D(), hn::Gt(hn::PromoteTo(words, hn::LoadU(bytes, draws)), hn::Set(words, threshold - 1)));
}

// hidden[r][i] of the chunk's rows; zeros beyond them.
template <bool kDrops>
HWY_INLINE void work_out_hidden(const FoldedTower& tower, const TowerRows& rows, Chunk chunk,
                                float* hidden) {
  const D d;
  const float* x = rows.x + chunk.begin;
  for (std::size_t r = 0; r < tower.slopes.size(); ++r) {
    const V slope = hn::Set(d, tower.slopes[r]);
    const V offset = hn::Set(d, tower.offsets[r]);
    const std::uint8_t* draws =
        kDrops ? rows.first_draws + r * rows.num_rows + chunk.begin : nullptr;
    for (std::size_t i = 0; i < chunk.count; i += hn::Lanes(d)) {
      const V value = hn::Add(hn::Mul(hn::LoadU(d, x + i), slope), offset);
      M is_active = hn::And(hn::Gt(value, hn::Zero(d)), hn::FirstN(d, chunk.count - i));
      if constexpr (kDrops) is_active = hn::And(is_active, is_kept(draws + i, rows.threshold));
      hn::StoreU(hn::IfThenElseZero(is_active, value), d, hidden + r * kChunk + i);
    }
  }
}

// out[o][i] = sum over `in` of weights[o * out_step + in * in_step] * inputs[in][i]
struct Mix {
  const float* weights;
  std::size_t out_step;
  std::size_t in_step;
  std::size_t num_inputs;
  std::size_t num_outputs;
  const float* inputs;  // rows kChunk apart
  float* outputs;
  std::size_t output_stride;
};
template <std::size_t kOutputs>
HWY_INLINE void mix_some(const Mix& mix, std::size_t first, std::size_t count) {
  const D d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    V sums[kOutputs];
    for (V& sum : sums) sum = hn::Zero(d);
    const float* weights = mix.weights + first * mix.out_step;
    for (std::size_t in = 0; in < mix.num_inputs; ++in) {
      const V input = hn::LoadU(d, mix.inputs + in * kChunk + i);
      for (std::size_t o = 0; o < kOutputs; ++o) {
        sums[o] = hn::Add(sums[o], hn::Mul(input, hn::Set(d, weights[o * mix.out_step])));
      }
      weights += mix.in_step;
    }
    for (std::size_t o = 0; o < kOutputs; ++o) {
      hn::StoreU(sums[o], d, mix.outputs + (first + o) * mix.output_stride + i);
    }
  }
}
HWY_INLINE void mix_rows(const Mix& mix, std::size_t count) {
  std::size_t o = 0;
  for (; o + kTile <= mix.num_outputs; o += kTile) mix_some<kTile>(mix, o, count);
  for (; o < mix.num_outputs; ++o) mix_some<1>(mix, o, count);
}
HWY_INLINE void mix_second(const FoldedTower& tower, const float* hidden, std::size_t count,
                           float* z, std::size_t stride) {
  mix_rows({.weights = tower.weights.data(),
            .out_step = tower.slopes.size(),
            .in_step = 1,
            .num_inputs = tower.slopes.size(),
            .num_outputs = tower.last.size(),
            .inputs = hidden,
            .outputs = z,
            .output_stride = stride},
           count);
}

// A unit of the second layer.
struct Unit {
  V mean, inverse, gamma, beta;

  HWY_INLINE Unit(const FoldedTower& tower, std::size_t s)
      : mean(hn::Set(D(), tower.means[s])),
        inverse(hn::Set(D(), tower.inverses[s])),
        gamma(hn::Set(D(), tower.gammas[s])),
        beta(hn::Set(D(), tower.betas[s])) {}
  HWY_INLINE V normal(V z) const { return hn::Mul(hn::Sub(z, mean), inverse); }
  HWY_INLINE V value(V normal_z) const { return hn::Add(hn::Mul(normal_z, gamma), beta); }
};

}  // namespace
}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
