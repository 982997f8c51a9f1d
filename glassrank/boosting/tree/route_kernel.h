#pragma once
// The inner loop of moving all rows through a binned tree: one split, 64 rows to a word of bits.

#include <cstddef>
#include <cstdint>
#include <span>

#include "glassrank/boosting/tree/partition_kernel.h"

namespace glassrank {

inline constexpr std::size_t kWordRows = 64;

// Bit b of reach[w] is row first_row + 64 w + b, first_row a multiple of 64. Writes those of them
// that go left to left[w], the others to right[w].
void route_rows(const PartitionRule& rule, std::size_t first_row,
                std::span<const std::uint64_t> reach, std::uint64_t* left, std::uint64_t* right);

// The definition, row by row.
void route_rows_plain(const PartitionRule& rule, std::size_t first_row,
                      std::span<const std::uint64_t> reach, std::uint64_t* left,
                      std::uint64_t* right);

// Writes `label` for every row whose bit is set: labels[64 w + b] for bit b of bits[w].
void label_rows(std::span<const std::uint64_t> bits, std::uint8_t label, std::uint8_t* labels);
// The definition.
void label_rows_plain(std::span<const std::uint64_t> bits, std::uint8_t label,
                      std::uint8_t* labels);

}  // namespace glassrank
