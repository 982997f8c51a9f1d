#include "glassrank/base/random.h"

#include <cmath>

#include "glassrank/base/elementary.h"
#include "glassrank/base/philox_kernel.h"

namespace glassrank {

PhiloxBlock philox4x32(PhiloxBlock x, std::array<std::uint32_t, 2> key) {
  constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * x[0];
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * x[2];
    x = {static_cast<std::uint32_t>(product1 >> 32) ^ x[1] ^ key[0],
         static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ x[3] ^ key[1],
         static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return x;
}

PhiloxBlock CounterRandom::block(std::uint64_t counter) const {
  return philox4x32({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                     static_cast<std::uint32_t>(lane_), static_cast<std::uint32_t>(lane_ >> 32)},
                    {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)});
}

void CounterRandom::bytes(std::uint64_t first, std::span<std::uint8_t> out) const {
  fill_philox_bytes(
      {.first_counter = first,
       .lane = lane_,
       .key = {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)}},
      out);
}

namespace {
std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return (std::uint64_t{high} << 32) | low;
}
double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }
}  // namespace

std::uint64_t CounterRandom::bits(std::uint64_t counter) const {
  const auto x = block(counter);
  return join(x[0], x[1]);
}

double CounterRandom::uniform(std::uint64_t counter) const { return unit(bits(counter)); }

std::uint64_t CounterRandom::below(std::uint64_t counter, std::uint64_t bound) const {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits(counter)) * bound) >> 64);
}

double CounterRandom::normal(std::uint64_t counter) const {
  const auto x = block(counter);
  const double radius = std::sqrt(-2.0 * portable_log(1.0 - unit(join(x[0], x[1]))));
  return radius * portable_cos_turn(unit(join(x[2], x[3])));
}

}  // namespace glassrank
