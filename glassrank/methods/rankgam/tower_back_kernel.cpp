#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/methods/rankgam/tower_back_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <algorithm>
#include <array>

#include <hwy/highway.h>

#include "glassrank/base/buffer.h"
#include "glassrank/methods/rankgam/tower_chunk-inl.h"
#include "glassrank/methods/rankgam/tower_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace {

// A unit of the second layer in a chunk: its normal values, and what comes to it from the output.
struct Active {
  Unit unit;
  const float* z;
  const std::uint8_t* draws;
  int threshold;

  HWY_INLINE Active(const FoldedTower& tower, const TowerRows& rows, std::size_t s,
                    std::size_t begin)
      : unit(tower, s),
        z(rows.z + s * padded_rows(rows.num_rows) + begin),
        draws(rows.second_draws + s * rows.num_rows + begin),
        threshold(rows.threshold) {}
  HWY_INLINE V gradient(V given, V normal, std::size_t i) const {
    const M is_active =
        hn::And(hn::Gt(unit.value(normal), hn::Zero(D())), is_kept(draws + i, threshold));
    return hn::IfThenElseZero(is_active, given);
  }
  HWY_INLINE V normal(std::size_t i) const { return unit.normal(hn::LoadU(D(), z + i)); }
};

// A chunk's gradients, zeros beyond its rows.
using Given = std::array<float, kChunk>;
HWY_INLINE void copy_chunk(std::span<const float> gradient, Chunk chunk, Given& given) {
  std::copy_n(gradient.data() + chunk.begin, chunk.count, given.data());
  std::fill(given.begin() + chunk.count, given.end(), 0.0F);
}

void active(const FoldedTower& tower, const TowerRows& rows, std::span<const float> gradient,
            ActiveSums& sums) {
  const D d;
  const std::size_t num_units = tower.last.size();
  Buffer<float> plain = zero_lanes(num_units);
  Buffer<float> with_normal = zero_lanes(num_units);
  alignas(64) Given given;
  for (std::size_t begin = 0; begin < rows.num_rows; begin += kChunk) {
    const Chunk chunk = chunk_at(begin, rows.num_rows);
    copy_chunk(gradient, chunk, given);
    for (std::size_t s = 0; s < num_units; ++s) {
      const Active unit(tower, rows, s, begin);
      for (std::size_t k = 0; k < kTowerLanes; k += hn::Lanes(d)) {
        V sum = hn::Zero(d);
        V normal_sum = hn::Zero(d);
        for (std::size_t i = k; i < chunk.count; i += kTowerLanes) {
          const V normal = unit.normal(i);
          const V g = unit.gradient(hn::LoadU(d, &given[i]), normal, i);
          sum = hn::Add(sum, g);
          normal_sum = hn::Add(normal_sum, hn::Mul(g, normal));
        }
        add_to(&plain[s * kTowerLanes + k], sum);
        add_to(&with_normal[s * kTowerLanes + k], normal_sum);
      }
    }
  }
  sums.plain.resize(num_units);
  sums.normal.resize(num_units);
  add_lanes(plain, sums.plain);
  add_lanes(with_normal, sums.normal);
}

// d loss / d z of the chunk's rows, [unit][row]; zeros beyond them.
HWY_INLINE void work_out_second(const FoldedTower& tower, const TowerRows& rows, Chunk chunk,
                                const SecondGradient& second, const Given& given, float* by_z) {
  const D d;
  for (std::size_t s = 0; s < tower.last.size(); ++s) {
    const Active unit(tower, rows, s, chunk.begin);
    const V scale = hn::Set(d, second.scales[s]);
    const V slope = hn::Set(d, second.slopes[s]);
    const V shift = hn::Set(d, second.shifts[s]);
    for (std::size_t i = 0; i < chunk.count; i += hn::Lanes(d)) {
      const V normal = unit.normal(i);
      const V g = unit.gradient(hn::LoadU(d, &given[i]), normal, i);
      const V found = hn::Sub(hn::Mul(g, scale), hn::Add(hn::Mul(normal, slope), shift));
      hn::StoreU(hn::IfThenElseZero(hn::FirstN(d, chunk.count - i), found), d,
                 by_z + s * kChunk + i);
    }
  }
}

// Adds a chunk's products of kUnits units of the second layer, from s on, and every one of the
// first.
template <std::size_t kUnits>
HWY_INLINE void add_products(const float* by_z, const float* hidden, std::size_t num_first,
                             std::size_t s, std::size_t count, float* lanes) {
  const D d;
  for (std::size_t r = 0; r < num_first; ++r) {
    for (std::size_t k = 0; k < kTowerLanes; k += hn::Lanes(d)) {
      V sums[kUnits];
      for (V& sum : sums) sum = hn::Zero(d);
      for (std::size_t i = k; i < count; i += kTowerLanes) {
        const V value = hn::LoadU(d, hidden + r * kChunk + i);
        for (std::size_t u = 0; u < kUnits; ++u) {
          sums[u] = hn::Add(sums[u], hn::Mul(value, hn::LoadU(d, by_z + (s + u) * kChunk + i)));
        }
      }
      for (std::size_t u = 0; u < kUnits; ++u) {
        add_to(lanes + ((s + u) * num_first + r) * kTowerLanes + k, sums[u]);
      }
    }
  }
}

// Adds what comes to the units of the first layer.
HWY_INLINE void add_first(const float* by_hidden, const float* hidden, const float* x,
                          std::size_t count, float* plain, float* with_x) {
  const D d;
  for (std::size_t k = 0; k < kTowerLanes; k += hn::Lanes(d)) {
    V sum = hn::Zero(d);
    V x_sum = hn::Zero(d);
    for (std::size_t i = k; i < count; i += kTowerLanes) {
      const M is_active = hn::Gt(hn::LoadU(d, hidden + i), hn::Zero(d));
      const V g = hn::IfThenElseZero(is_active, hn::LoadU(d, by_hidden + i));
      sum = hn::Add(sum, g);
      x_sum = hn::Add(x_sum, hn::Mul(g, hn::LoadU(d, x + i)));
    }
    add_to(plain + k, sum);
    add_to(with_x + k, x_sum);
  }
}

void first(const FoldedTower& tower, const TowerRows& rows, std::span<const float> gradient,
           const SecondGradient& second, FirstSums& sums) {
  const std::size_t num_first = tower.slopes.size();
  const std::size_t num_second = tower.last.size();
  Buffer<float> hidden(num_first * kChunk);
  Buffer<float> by_hidden(num_first * kChunk);
  Buffer<float> by_z(num_second * kChunk);
  Buffer<float> products = zero_lanes(num_first * num_second);
  Buffer<float> plain = zero_lanes(num_first);
  Buffer<float> with_x = zero_lanes(num_first);
  alignas(64) Given given;
  for (std::size_t begin = 0; begin < rows.num_rows; begin += kChunk) {
    const Chunk chunk = chunk_at(begin, rows.num_rows);
    copy_chunk(gradient, chunk, given);
    work_out_second(tower, rows, chunk, second, given, by_z.data());
    work_out_hidden<true>(tower, rows, chunk, hidden.data());
    std::size_t s = 0;
    for (; s + kTile <= num_second; s += kTile) {
      add_products<kTile>(by_z.data(), hidden.data(), num_first, s, chunk.count, products.data());
    }
    for (; s < num_second; ++s) {
      add_products<1>(by_z.data(), hidden.data(), num_first, s, chunk.count, products.data());
    }
    mix_rows({.weights = tower.weights.data(),
              .out_step = 1,
              .in_step = num_first,
              .num_inputs = num_second,
              .num_outputs = num_first,
              .inputs = by_z.data(),
              .outputs = by_hidden.data(),
              .output_stride = kChunk},
             chunk.count);
    for (std::size_t r = 0; r < num_first; ++r) {
      add_first(&by_hidden[r * kChunk], &hidden[r * kChunk], rows.x + begin, chunk.count,
                &plain[r * kTowerLanes], &with_x[r * kTowerLanes]);
    }
  }
  sums.weights.resize(num_first * num_second);
  sums.plain.resize(num_first);
  sums.x.resize(num_first);
  add_lanes(products, sums.weights);
  add_lanes(plain, sums.plain);
  add_lanes(with_x, sums.x);
}

}  // namespace
}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(active);
HWY_EXPORT(first);

}  // namespace

void sum_active(const FoldedTower& tower, const TowerRows& rows, std::span<const float> gradient,
                ActiveSums& sums) {
  HWY_DYNAMIC_DISPATCH(active)(tower, rows, gradient, sums);
}

void sum_first(const FoldedTower& tower, const TowerRows& rows, std::span<const float> gradient,
               const SecondGradient& second, FirstSums& sums) {
  HWY_DYNAMIC_DISPATCH(first)(tower, rows, gradient, second, sums);
}

}  // namespace glassrank
#endif
