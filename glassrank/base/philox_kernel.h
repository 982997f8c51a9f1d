#pragma once
// Many Philox blocks at once. Instructions are chosen at run time (Highway); they all give the same
// bytes.

#include <array>
#include <cstdint>
#include <span>

namespace glassrank {

struct PhiloxBytes {
  std::uint64_t first_counter = 0;  // goes up by one every 16 bytes
  std::uint64_t lane = 0;           // the upper half of every counter
  std::array<std::uint32_t, 2> key{};
};

void fill_philox_bytes(const PhiloxBytes& from, std::span<std::uint8_t> bytes);

}  // namespace glassrank
