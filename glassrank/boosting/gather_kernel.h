#pragma once
// Collects the codes of scattered rows for the histogram tables. Instructions are chosen at run
// time (Highway).

#include <cstddef>
#include <cstdint>
#include <span>

namespace glassrank {

struct GatherTarget {
  std::size_t byte = 0;            // where the slot group begins in a row
  bool is_pair = false;            // 16 + 16 bytes to be joined
  std::uint16_t* codes = nullptr;  // [row][16], 32-byte aligned
};

struct GatherSource {
  const std::uint8_t* rows = nullptr;
  std::size_t row_stride = 0;
};

// codes = 16 * byte, or 16 * (byte + 40 * second byte) for pairs.
void gather_codes(const GatherSource& source, std::span<const std::uint32_t> rows,
                  std::span<const GatherTarget> targets);

}  // namespace glassrank
