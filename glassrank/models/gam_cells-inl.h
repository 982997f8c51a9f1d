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

#include "glassrank/models/gam_plan.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

// Codes of a block of rows that a map brings to cells.
struct MappedCodes {
  const std::uint16_t* codes = nullptr;
  std::size_t num_rows = 0;
  const std::uint16_t* map = nullptr;
  std::size_t num_codes = 0;
};

#if HWY_TARGET <= HWY_AVX3

// cells[r] (+)= map[codes[r]], of 32 rows at once and up to 31 rows further; the map, of 64 x
// kParts entries, stays in registers.
template <std::size_t kParts, bool kAdd>
HWY_ATTR void map_in_registers(const MappedCodes& mapped, std::uint16_t* cells) {
  __m512i table[2 * kParts];
  for (std::size_t i = 0; i < 2 * kParts; ++i) table[i] = _mm512_loadu_si512(mapped.map + 32 * i);
  const __m512i bit6 = _mm512_set1_epi16(1 << 6);
  const __m512i bit7 = _mm512_set1_epi16(1 << 7);
  for (std::size_t r = 0; r < mapped.num_rows; r += 32) {
    const __m512i codes = _mm512_loadu_si512(mapped.codes + r);
    const auto part = [&](std::size_t i) HWY_ATTR {
      return _mm512_permutex2var_epi16(table[2 * i], codes, table[2 * i + 1]);
    };
    __m512i cell = part(0);
    if constexpr (kParts > 1) {
      const __mmask32 odd = _mm512_test_epi16_mask(codes, bit6);
      cell = _mm512_mask_blend_epi16(odd, cell, part(1));
      if constexpr (kParts == 4) {
        const __m512i upper = _mm512_mask_blend_epi16(odd, part(2), part(3));
        cell = _mm512_mask_blend_epi16(_mm512_test_epi16_mask(codes, bit7), cell, upper);
      }
    }
    if constexpr (kAdd) cell = _mm512_add_epi16(cell, _mm512_loadu_si512(cells + r));
    _mm512_storeu_si512(cells + r, cell);
  }
}

template <bool kAdd>
HWY_INLINE bool map_by_vectors(const MappedCodes& mapped, std::uint16_t* cells) {
  if (mapped.num_codes > GamPlan::kMaxVectorMap) return false;
  if (mapped.num_codes <= 64) {
    map_in_registers<1, kAdd>(mapped, cells);
  } else if (mapped.num_codes <= 128) {
    map_in_registers<2, kAdd>(mapped, cells);
  } else {
    map_in_registers<4, kAdd>(mapped, cells);
  }
  return true;
}

#else

template <bool kAdd>
HWY_INLINE bool map_by_vectors(const MappedCodes&, std::uint16_t*) {
  return false;
}

#endif

// cells[r] (+)= map[codes[r]].
template <bool kAdd>
HWY_INLINE void map_codes(const MappedCodes& mapped, std::uint16_t* cells) {
  if (map_by_vectors<kAdd>(mapped, cells)) return;
  for (std::size_t r = 0; r < mapped.num_rows; ++r) {
    const std::uint16_t cell = mapped.map[mapped.codes[r]];
    cells[r] = static_cast<std::uint16_t>(kAdd ? cells[r] + cell : cell);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
