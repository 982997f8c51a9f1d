#pragma once
// Copies pieces of scattered rows together: the rows of a leaf lie far apart, and a histogram's
// passes read their bytes more than once.

#include <cstddef>
#include <cstdint>
#include <span>

namespace glassrank {

inline constexpr std::size_t kPieceBytes = 32;

// Where pieces lie in a row, and where they go: piece p of the i-th row to
// out + p * out_stride + i * kPieceBytes, on 32-byte borders.
struct GatherPlan {
  const std::uint8_t* rows = nullptr;
  std::size_t row_stride = 0;
  std::span<const std::size_t> pieces;  // first bytes, ascending; at least one
  std::uint8_t* out = nullptr;
  std::size_t out_stride = 0;
};
void gather_pieces(const GatherPlan& plan, std::span<const std::uint32_t> rows);

}  // namespace glassrank
