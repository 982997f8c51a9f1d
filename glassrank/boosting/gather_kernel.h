#pragma once
// Copies the codes of scattered rows together, widened to what a table address needs.
// Instructions are chosen at run time (Highway).

#include <cstddef>
#include <cstdint>
#include <span>

namespace glassrank {

struct GatherSource {
  const std::uint8_t* rows = nullptr;
  std::size_t row_stride = 0;
  std::size_t byte = 0;       // where the first group begins in a row
  std::size_t num_bytes = 0;  // groups of one-byte slots, 16 bytes each,
  std::size_t num_pairs = 0;  // then groups of pairs, 32 bytes each
};

// Group g of the i-th row goes to codes + g * group_stride + i * 16, times 16; the two bytes of a
// pair are joined.
void gather_codes(const GatherSource& source, std::span<const std::uint32_t> rows,
                  std::uint16_t* codes, std::size_t group_stride);

}  // namespace glassrank
