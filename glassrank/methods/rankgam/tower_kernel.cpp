#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/methods/rankgam/tower_kernel.cpp"
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

// Eight sums in double precision, row i in sum i mod 8.
using Doubles = hn::CappedTag<double, 8>;
using Floats = hn::Rebind<float, Doubles>;

HWY_INLINE hn::Vec<Doubles> apart_from(hn::Vec<Doubles> mean, const float* x) {
  return hn::Sub(hn::PromoteTo(Doubles(), hn::LoadU(Floats(), x)), mean);
}

// The sum of x - mean, or of its square.
template <bool kSquared>
double sum_apart(std::span<const float> x, double mean) {
  const Doubles d;
  constexpr std::size_t kSums = 8;
  const std::size_t whole = x.size() / kSums * kSums;
  alignas(64) std::array<double, kSums> sums;
  for (std::size_t k = 0; k < kSums; k += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t i = k; i < whole; i += kSums) {
      const auto apart = apart_from(hn::Set(d, mean), x.data() + i);
      sum = hn::Add(sum, kSquared ? hn::Mul(apart, apart) : apart);
    }
    hn::StoreU(sum, d, &sums[k]);
  }
  for (std::size_t i = whole; i < x.size(); ++i) {
    const double apart = double{x[i]} - mean;
    sums[i - whole] += kSquared ? apart * apart : apart;
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

void find_statistics(std::span<const float> x, MeanAndVariance& found) {
  const auto n = static_cast<double>(x.size());
  found.mean = sum_apart<false>(x, 0) / n;
  found.variance = sum_apart<true>(x, found.mean) / n;
}

void normalise(std::span<const float> x, double mean, double scale, float* normal) {
  const Doubles d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= x.size(); i += hn::Lanes(d)) {
    const auto apart = apart_from(hn::Set(d, mean), x.data() + i);
    hn::StoreU(hn::DemoteTo(Floats(), hn::Mul(apart, hn::Set(d, scale))), Floats(), normal + i);
  }
  for (; i < x.size(); ++i) normal[i] = static_cast<float>((double{x[i]} - mean) * scale);
  std::fill(normal + x.size(), normal + padded_rows(x.size()), 0.0F);
}

// `z` is that of the chunk's first row; `outputs` has room for whole vectors.
template <bool kDrops>
HWY_INLINE void work_out_outputs(const FoldedTower& tower, const TowerRows& rows, Chunk chunk,
                                 const float* z, std::size_t stride, float* outputs) {
  const D d;
  std::fill_n(outputs, kChunk, 0.0F);
  for (std::size_t s = 0; s < tower.last.size(); ++s) {
    const Unit unit(tower, s);
    const V last = hn::Set(d, tower.last[s]);
    const std::uint8_t* draws =
        kDrops ? rows.second_draws + s * rows.num_rows + chunk.begin : nullptr;
    for (std::size_t i = 0; i < chunk.count; i += hn::Lanes(d)) {
      const V value = unit.value(unit.normal(hn::LoadU(d, z + s * stride + i)));
      M is_active = hn::Gt(value, hn::Zero(d));
      if constexpr (kDrops) is_active = hn::And(is_active, is_kept(draws + i, rows.threshold));
      add_to(outputs + i, hn::IfThenElseZero(is_active, hn::Mul(value, last)));
    }
  }
}

void second_inputs(const FoldedTower& tower, const TowerRows& rows, float* z,
                   std::span<double> sums) {
  const D d;
  const std::size_t stride = padded_rows(rows.num_rows);
  Buffer<float> hidden(tower.slopes.size() * kChunk);
  Buffer<float> lanes = zero_lanes(sums.size());
  for (std::size_t begin = 0; begin < rows.num_rows; begin += kChunk) {
    const Chunk chunk = chunk_at(begin, rows.num_rows);
    work_out_hidden<true>(tower, rows, chunk, hidden.data());
    mix_second(tower, hidden.data(), chunk.count, z + begin, stride);
    for (std::size_t s = 0; s < sums.size(); ++s) {
      const float* unit = z + s * stride + begin;
      for (std::size_t k = 0; k < kTowerLanes; k += hn::Lanes(d)) {
        V sum = hn::Zero(d);
        for (std::size_t i = k; i < chunk.count; i += kTowerLanes) {
          sum = hn::Add(sum, hn::LoadU(d, unit + i));
        }
        add_to(&lanes[s * kTowerLanes + k], sum);
      }
    }
  }
  add_lanes(lanes, sums);
}

void second_squares(const FoldedTower& tower, const TowerRows& rows, std::span<double> sums) {
  const D d;
  Buffer<float> lanes = zero_lanes(sums.size());
  for (std::size_t s = 0; s < sums.size(); ++s) {
    const float* all = rows.z + s * padded_rows(rows.num_rows);
    const V mean = hn::Set(d, tower.means[s]);
    for (std::size_t begin = 0; begin < rows.num_rows; begin += kChunk) {
      const Chunk chunk = chunk_at(begin, rows.num_rows);
      const float* z = all + begin;
      for (std::size_t k = 0; k < kTowerLanes; k += hn::Lanes(d)) {
        V sum = hn::Zero(d);
        for (std::size_t i = k; i < chunk.count; i += kTowerLanes) {
          const V apart = hn::IfThenElseZero(hn::FirstN(d, chunk.count - i),
                                             hn::Sub(hn::LoadU(d, z + i), mean));
          sum = hn::Add(sum, hn::Mul(apart, apart));
        }
        add_to(&lanes[s * kTowerLanes + k], sum);
      }
    }
  }
  add_lanes(lanes, sums);
}

void outputs(const FoldedTower& tower, const TowerRows& rows, std::span<float> out) {
  alignas(64) std::array<float, kChunk> some;
  for (std::size_t begin = 0; begin < out.size(); begin += kChunk) {
    const Chunk chunk = chunk_at(begin, out.size());
    work_out_outputs<true>(tower, rows, chunk, rows.z + begin, padded_rows(rows.num_rows),
                           some.data());
    std::copy_n(some.begin(), chunk.count, out.begin() + begin);
  }
}

void scores(const FoldedTower& tower, const float* x, std::span<float> out) {
  const TowerRows rows{.num_rows = out.size(), .x = x};
  alignas(64) std::array<float, kChunk> some;
  Buffer<float> hidden(tower.slopes.size() * kChunk);
  Buffer<float> z(tower.last.size() * kChunk);
  for (std::size_t begin = 0; begin < out.size(); begin += kChunk) {
    const Chunk chunk = chunk_at(begin, out.size());
    work_out_hidden<false>(tower, rows, chunk, hidden.data());
    mix_second(tower, hidden.data(), chunk.count, z.data(), kChunk);
    work_out_outputs<false>(tower, rows, chunk, z.data(), kChunk, some.data());
    std::copy_n(some.begin(), chunk.count, out.begin() + begin);
  }
}

}  // namespace
}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(find_statistics);
HWY_EXPORT(normalise);
HWY_EXPORT(second_inputs);
HWY_EXPORT(second_squares);
HWY_EXPORT(outputs);
HWY_EXPORT(scores);

}  // namespace

void FoldedTower::resize(std::size_t first, std::size_t second) {
  for (std::vector<float>* part : {&slopes, &offsets}) part->resize(first);
  weights.resize(first * second);
  for (std::vector<float>* part : {&means, &inverses, &gammas, &betas, &last}) {
    part->resize(second);
  }
}

MeanAndVariance mean_and_variance(std::span<const float> x) {
  MeanAndVariance found;
  HWY_DYNAMIC_DISPATCH(find_statistics)(x, found);
  return found;
}

void normalise_rows(std::span<const float> x, double mean, double scale, float* normal) {
  HWY_DYNAMIC_DISPATCH(normalise)(x, mean, scale, normal);
}

void sum_second_inputs(const FoldedTower& tower, const TowerRows& rows, float* z,
                       std::span<double> sums) {
  HWY_DYNAMIC_DISPATCH(second_inputs)(tower, rows, z, sums);
}

void sum_second_squares(const FoldedTower& tower, const TowerRows& rows, std::span<double> sums) {
  HWY_DYNAMIC_DISPATCH(second_squares)(tower, rows, sums);
}

void tower_outputs(const FoldedTower& tower, const TowerRows& rows, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(outputs)(tower, rows, out);
}

void tower_scores(const FoldedTower& tower, const float* x, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(scores)(tower, x, out);
}

}  // namespace glassrank
#endif
