#include "glassrank/boosting/histogram/chunk_pass.h"

#include <algorithm>
#include <utility>

namespace glassrank {
namespace {

// table[k][code of slot k] += packed, for the slots of one row; unrolled.
template <std::size_t kStride, typename Code, std::size_t... kSlot>
[[gnu::always_inline]] inline void add_row(const std::uint8_t* bytes, std::int32_t packed,
                                           std::int32_t* table, std::index_sequence<kSlot...>) {
  const Code* codes = reinterpret_cast<const Code*>(bytes);
  ((table[std::size_t{codes[kSlot]} + kSlot * kStride] += packed), ...);
}

template <std::size_t kStride, typename Code, std::size_t kSlots>
void add_pass(const ChunkPass& pass, std::int32_t* table) {
  constexpr std::make_index_sequence<kSlots> kAll;
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
void add_slots(const ChunkPass& pass, std::size_t num_slots, std::int32_t* table,
               std::index_sequence<kLast...>) {
  using Add = void (*)(const ChunkPass&, std::int32_t*);
  static constexpr Add kAdds[] = {add_pass<kStride, Code, kLast + 1>...};
  kAdds[num_slots - 1](pass, table);
}

}  // namespace

// Twice over the chunk if need be: a first-level cache may hold the tables of 16 slots but not 32.
void add_bytes(const ChunkPass& pass, std::size_t num_slots, std::int32_t* table) {
  constexpr std::size_t kHalf = kPassBytes / 2;
  constexpr std::make_index_sequence<kHalf> kUpToHalf;
  add_slots<kByteStride, std::uint8_t>(pass, std::min(num_slots, kHalf), table, kUpToHalf);
  if (num_slots <= kHalf) return;
  ChunkPass rest = pass;
  rest.codes += kHalf;
  rest.coming = {};  // fetched by now
  add_slots<kByteStride, std::uint8_t>(rest, num_slots - kHalf, table + kHalf * kByteStride,
                                       kUpToHalf);
}

void add_pairs(const ChunkPass& pass, std::size_t num_slots, std::int32_t* table) {
  add_slots<kPairStride, std::uint16_t>(pass, num_slots, table,
                                        std::make_index_sequence<kPassBytes / 2>());
}

void add_entries(const ChunkPass& pass, std::size_t num_entries, std::int32_t* table) {
  add_slots<0, std::uint16_t>(pass, num_entries, table, std::make_index_sequence<kListPlaces>());
}

}  // namespace glassrank
