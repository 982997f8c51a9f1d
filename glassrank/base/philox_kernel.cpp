#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/base/philox_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <algorithm>
#include <cstring>

#include <hwy/highway.h>

#include "glassrank/base/philox_kernel.h"
#include "glassrank/base/random.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void fill_bytes(const PhiloxBytes& from, std::span<std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(PhiloxBlock)) {
    const std::uint64_t counter = from.first_counter + i / sizeof(PhiloxBlock);
    const PhiloxBlock block = philox4x32(
        {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
         static_cast<std::uint32_t>(from.lane), static_cast<std::uint32_t>(from.lane >> 32)},
        from.key);
    std::memcpy(bytes.data() + i, block.data(), std::min(sizeof(block), bytes.size() - i));
  }
}

#else

using D = hn::CappedTag<std::uint64_t, 8>;
using Words = hn::Repartition<std::uint32_t, D>;
using V = hn::Vec<D>;

constexpr std::size_t kMostLanes = 8;
constexpr std::size_t kRounds = 10;

HWY_INLINE V multiply(V x, hn::Vec<Words> by) { return hn::MulEven(hn::BitCast(Words(), x), by); }

// Blocks of even lanes before those of odd ones, so that interleaving the halves of blocks, which
// is done within 128 bits, leaves them in order.
HWY_INLINE V lane_counters() {
  const D d;
  alignas(64) std::uint64_t counters[kMostLanes];
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    counters[i] = i / 2 + (i % 2 == 0 ? 0 : hn::Lanes(d) / 2);
  }
  return hn::Load(d, counters);
}

// philox4x32 of base/random.cpp, a block a 64-bit lane. Only the lower half of a word's lane
// counts: the multiplications do not look at the upper one, so nothing clears it.
void fill_bytes(const PhiloxBytes& from, std::span<std::uint8_t> bytes) {
  const D d;
  const hn::Repartition<std::uint8_t, D> octets;
  const auto multiplier0 = hn::Set(Words(), 0xD2511F53U);
  const auto multiplier1 = hn::Set(Words(), 0xCD9E8D57U);
  V keys[kRounds][2];
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    keys[round][0] = hn::Set(d, from.key[0] + round * 0x9E3779B9U);
    keys[round][1] = hn::Set(d, from.key[1] + round * 0xBB67AE85U);
  }
  const V low = hn::Set(d, 0xFFFFFFFFU);
  const std::size_t step = hn::Lanes(d) * sizeof(PhiloxBlock);
  V counter = hn::Add(lane_counters(), hn::Set(d, from.first_counter));
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    V x0 = counter;
    V x1 = hn::ShiftRight<32>(counter);
    V x2 = hn::Set(d, from.lane);
    V x3 = hn::Set(d, from.lane >> 32);
    for (const auto& key : keys) {
      const V product0 = multiply(x0, multiplier0);
      const V product1 = multiply(x2, multiplier1);
      x0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), x1), key[0]);
      x2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), x3), key[1]);
      x1 = product1;
      x3 = product0;
    }
    const V first = hn::Or(hn::And(x0, low), hn::ShiftLeft<32>(x1));
    const V second = hn::Or(hn::And(x2, low), hn::ShiftLeft<32>(x3));
    const auto even = hn::BitCast(octets, hn::InterleaveLower(d, first, second));
    const auto odd = hn::BitCast(octets, hn::InterleaveUpper(d, first, second));
    alignas(64) std::uint8_t rest[kMostLanes * sizeof(PhiloxBlock)];
    const bool is_whole = i + step <= bytes.size();
    std::uint8_t* to = is_whole ? bytes.data() + i : rest;
    hn::StoreU(even, octets, to);
    hn::StoreU(odd, octets, to + step / 2);
    if (!is_whole) std::memcpy(bytes.data() + i, rest, bytes.size() - i);
    counter = hn::Add(counter, hn::Set(d, std::uint64_t{hn::Lanes(d)}));
  }
}

#endif

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(fill_bytes);

}  // namespace

void fill_philox_bytes(const PhiloxBytes& from, std::span<std::uint8_t> bytes) {
  HWY_DYNAMIC_DISPATCH(fill_bytes)(from, bytes);
}

}  // namespace glassrank
#endif
