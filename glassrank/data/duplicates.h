#pragma once
// Finds equal columns and equal rows from hashes, then checks them value by value.
//
// The hash of a column is the sum over rows of key(row) * bits(value) mod 2^64, of a row the same
// over columns: sums in any order give the same hash, so blocks can be hashed in parallel.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"

namespace glassrank {

// Equal values have equal bits: all NaNs become one, -0 becomes 0.
inline std::uint32_t value_bits(float value) {
  return value != value ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value + 0.0F);
}

// An odd number that looks random, one per row or column.
constexpr std::uint64_t hash_key(std::uint64_t index) {  // SplitMix64
  std::uint64_t x = (index + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return (x ^ (x >> 31)) | 1;
}

// (later column, first column equal to it), by later column.
std::vector<std::pair<std::size_t, std::size_t>> equal_columns(
    MatrixView<const float> matrix, std::span<const std::uint64_t> hashes, const Context& context);

// Groups of two or more equal rows, each ascending, by first row.
std::vector<std::vector<std::size_t>> equal_rows(MatrixView<const float> matrix,
                                                 std::span<const std::uint64_t> hashes);

}  // namespace glassrank
