#pragma once
// Vector loops over histogram planes. Instructions are chosen at run time (Highway); all of it is
// integer arithmetic, so every choice gives the same result.

#include <cstddef>
#include <cstdint>

namespace glassrank {

// The gradient and hessian sums of a histogram, or a piece of them. Without hessians the gradients
// are packed words (quantise.h) of both.
struct Planes {
  std::int32_t* gradient = nullptr;
  std::int32_t* hessian = nullptr;
};
struct ConstPlanes {
  const std::int32_t* gradient = nullptr;
  const std::int32_t* hessian = nullptr;
};

// A table of at most 16 fields, `stride` values each, of which `num_codes` are in use. 16 fields
// can be read, whosesoever they are.
struct FieldTable {
  std::int32_t* values = nullptr;
  std::size_t stride = 0;
  std::size_t num_fields = 0;
  std::size_t num_codes = 0;
};
enum class Flush { kAdd, kOverwrite, kPacked };
// planes[code][field] += (or =) the packed values of table[field][code], which become 0; lanes
// without a field get 0. kPacked overwrites gradients with packed words, and no hessians.
void flush_table(const FieldTable& table, Flush mode, Planes planes);
// a += b
void add_planes(std::int32_t* a, const std::int32_t* b, std::size_t size);
// a -= b; the result is packed words where `a` is, and with `pack`.
void subtract_planes(Planes a, ConstPlanes b, bool pack, std::size_t size);

// Marginals of [40 * c2 + c1][16] values: first[c1][16] += the sum over c2, second[c2][16] += the
// sum over c1. `size` values of the pairs, `first_size` of `first` (the same or more c1 than pairs
// use).
void add_marginals(const std::int32_t* pairs, std::size_t size, std::int32_t* first,
                   std::size_t first_size, std::int32_t* second);

// Makes each lane of [code][16] values add up to `total` by way of its code `open[lane]`, whatever
// that had.
void complete_lanes(std::int32_t* values, std::size_t num_codes, std::int32_t total,
                    const std::uint8_t* open);

}  // namespace glassrank
