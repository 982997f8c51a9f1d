// Step 3 of gam_kernel.h: from the codes of two columns to the cells of a surface.
// Included once per instruction set by gam_kernel.cpp.

#if defined(GLASSRANK_MODELS_GAM_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_MODELS_GAM_CELLS_INL_H_
#undef GLASSRANK_MODELS_GAM_CELLS_INL_H_
#else
#define GLASSRANK_MODELS_GAM_CELLS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "glassrank/models/gam/gam_plan.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

// One axis of a surface: the codes of a block of rows, and the map that brings them to cells.
struct MappedCodes {
  const std::uint16_t* codes = nullptr;
  const std::uint16_t* map = nullptr;
  std::size_t num_codes = 0;
};

#if HWY_TARGET <= HWY_AVX3

// The entries of a map of 64 x kParts that the codes name.
template <std::size_t kParts>
HWY_INLINE __m512i entries_of(const __m512i* table, __m512i codes) {
  if constexpr (kParts == 1) {
    return _mm512_permutex2var_epi16(table[0], codes, table[1]);
  } else {
    const __mmask32 upper = _mm512_test_epi16_mask(codes, _mm512_set1_epi16(32 * kParts));
    return _mm512_mask_blend_epi16(upper, entries_of<kParts / 2>(table, codes),
                                   entries_of<kParts / 2>(table + kParts, codes));
  }
}

// cells[r] (+)= map[codes[r]], of 32 rows at once and up to 31 rows further; the map stays in
// registers.
template <std::size_t kParts, bool kAdd>
HWY_ATTR void map_in_registers(const MappedCodes& axis, std::size_t num_rows,
                               std::uint16_t* cells) {
  __m512i table[2 * kParts];
  for (std::size_t i = 0; i < 2 * kParts; ++i) table[i] = _mm512_loadu_si512(axis.map + 32 * i);
  for (std::size_t r = 0; r < num_rows; r += 32) {
    __m512i cell = entries_of<kParts>(table, _mm512_loadu_si512(axis.codes + r));
    if constexpr (kAdd) cell = _mm512_add_epi16(cell, _mm512_loadu_si512(cells + r));
    _mm512_storeu_si512(cells + r, cell);
  }
}

template <bool kAdd>
HWY_INLINE void map_codes(const MappedCodes& axis, std::size_t num_rows, std::uint16_t* cells) {
  switch (map_size(axis.num_codes)) {
    case 64:
      return map_in_registers<1, kAdd>(axis, num_rows, cells);
    case 128:
      return map_in_registers<2, kAdd>(axis, num_rows, cells);
    case 256:
      return map_in_registers<4, kAdd>(axis, num_rows, cells);
    default:
      return map_in_registers<8, kAdd>(axis, num_rows, cells);
  }
}

HWY_INLINE bool fits_registers(const MappedCodes& axis) {
  return axis.num_codes <= GamPlan::kMaxVectorMap;
}

#else

template <bool kAdd>
HWY_INLINE void map_codes(const MappedCodes&, std::size_t, std::uint16_t*) {}

HWY_INLINE bool fits_registers(const MappedCodes&) { return false; }

#endif

// The cells of a surface.
HWY_INLINE void find_cells(const MappedCodes& first, const MappedCodes& second,
                           std::size_t num_rows, std::uint16_t* cells) {
  if (fits_registers(first) && fits_registers(second)) {
    map_codes<false>(first, num_rows, cells);
    map_codes<true>(second, num_rows, cells);
    return;
  }
  for (std::size_t r = 0; r < num_rows; ++r) {
    const int cell = first.map[first.codes[r]] + second.map[second.codes[r]];
    cells[r] = static_cast<std::uint16_t>(cell);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
