#include "glassrank/boosting/histogram/chunk_pass.h"

#include <algorithm>
#include <utility>

namespace glassrank {
namespace {

// table[k][code of field k] += packed, for the fields of one row; unrolled.
template <std::size_t kStride, typename Code, std::size_t... kField>
[[gnu::always_inline]] inline void add_row(const std::uint8_t* bytes, std::int32_t packed,
                                           std::int32_t* table, std::index_sequence<kField...>) {
  const Code* codes = reinterpret_cast<const Code*>(bytes);
  ((table[std::size_t{codes[kField]} + kField * kStride] += packed), ...);
}

template <std::size_t kStride, typename Code, std::size_t kFields>
void add_pass(const ChunkPass& pass, std::int32_t* table) {
  constexpr std::make_index_sequence<kFields> kAll;
  const std::uint8_t* codes = pass.codes;
  const std::int32_t* packed = pass.packed;
  const std::int32_t* end = packed + pass.num_rows;
  for (const std::uint32_t row : pass.coming) {
    __builtin_prefetch(pass.coming_bytes + row * pass.coming_stride, 0, 2);
    add_row<kStride, Code>(codes, *packed++, table, kAll);
    codes += kPassBytes;
  }
  for (; packed < end; codes += kPassBytes) add_row<kStride, Code>(codes, *packed++, table, kAll);
}

template <std::size_t kStride, typename Code, std::size_t... kLast>
void add_fields(const ChunkPass& pass, std::size_t num_fields, std::int32_t* table,
                std::index_sequence<kLast...>) {
  using Add = void (*)(const ChunkPass&, std::int32_t*);
  static constexpr Add kAdds[] = {add_pass<kStride, Code, kLast + 1>...};
  kAdds[num_fields - 1](pass, table);
}

}  // namespace

// Twice over the chunk if need be: a first-level cache may hold the tables of 16 fields but not 32.
void add_bytes(const ChunkPass& pass, std::size_t num_fields, std::int32_t* table) {
  constexpr std::size_t kHalf = kPassBytes / 2;
  constexpr std::make_index_sequence<kHalf> kUpToHalf;
  add_fields<kByteStride, std::uint8_t>(pass, std::min(num_fields, kHalf), table, kUpToHalf);
  if (num_fields <= kHalf) return;
  ChunkPass rest = pass;
  rest.codes += kHalf;
  rest.coming = {};  // fetched by now
  add_fields<kByteStride, std::uint8_t>(rest, num_fields - kHalf, table + kHalf * kByteStride,
                                        kUpToHalf);
}

void add_pairs(const ChunkPass& pass, std::size_t num_fields, std::int32_t* table) {
  add_fields<kPairStride, std::uint16_t>(pass, num_fields, table,
                                         std::make_index_sequence<kPassBytes / 2>());
}

void add_entries(const ChunkPass& pass, std::size_t num_entries, std::int32_t* table) {
  add_fields<0, std::uint16_t>(pass, num_entries, table, std::make_index_sequence<kListPlaces>());
}

}  // namespace glassrank
