#pragma once
// One pass over a chunk of rows: 32 bytes of codes each, added to tables of packed gradients.
//
// table[field][code] += packed, a row after the other, its fields unrolled: the additions of a row
// do not wait for each other, and nothing but them is in the way.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/boosting/histogram/gather_kernel.h"
#include "glassrank/boosting/histogram/row_blocks.h"

namespace glassrank {

inline constexpr std::size_t kPassBytes = kPieceBytes;
// From field to field of a table; not a part of a page, lest additions collide.
inline constexpr std::size_t kByteStride = kTableStride;
inline constexpr std::size_t kPairStride = kPairCodes * kPairCodes + 4;

// One pass over a chunk. Meanwhile one cache line each of the rows to come is fetched: of their
// codes, or of the packed gradients.
struct ChunkPass {
  const std::uint8_t* codes;
  const std::int32_t* packed;
  std::size_t num_rows;
  std::span<const std::uint32_t> coming;  // at most num_rows
  const std::uint8_t* coming_bytes;
  std::size_t coming_stride;  // bytes from row to row
};

// Fields of one byte, at most 32; more than 16 are two passes.
void add_bytes(const ChunkPass& pass, std::size_t num_fields, std::int32_t* table);
// Fields of two bytes, at most 16.
void add_pairs(const ChunkPass& pass, std::size_t num_fields, std::int32_t* table);
// Entries of a list, at most 16: indexes into the tables of all fields.
void add_entries(const ChunkPass& pass, std::size_t num_entries, std::int32_t* table);

}  // namespace glassrank
