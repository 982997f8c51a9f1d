// The part of svmlight_rows.cpp that is compiled once for each kind of processor (Highway's
// foreach_target includes it several times, so there is no include guard of the usual kind).

#if defined(GLASSRANK_SVMLIGHT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_SVMLIGHT_ROWS_INL
#undef GLASSRANK_SVMLIGHT_ROWS_INL
#else
#define GLASSRANK_SVMLIGHT_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace glassrank {
namespace {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4

// Where each of 16 right-aligned digits comes from, by the place of the point and the length of the
// number; 0x80 gives 0. Without a point its place is the length.
struct DigitShuffles {
  alignas(64) std::uint8_t from[16][16][16] = {};
  constexpr DigitShuffles() {
    for (int length = 0; length < 16; ++length) {
      for (int dot = 0; dot < 16; ++dot) {
        int source = length - 1;
        for (int i = 15; i >= 0; --i) {
          if (source == dot) --source;
          from[length][dot][i] = source < 0 ? 0x80 : static_cast<std::uint8_t>(source);
          --source;
        }
      }
    }
  }
};
inline constexpr DigitShuffles kDigitShuffles;

// scan_float() for numbers of up to 15 characters that a control character or a space follows.
HWY_INLINE bool scan_short_float(const char*& p, float& value) {
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const auto ends =
      static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpgt_epi8(_mm_set1_epi8(' ' + 1), text)));
  __m128i digits = _mm_sub_epi8(text, _mm_set1_epi8('0'));
  const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
  const auto is_dot =
      static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('.'))));
  const unsigned negative = *p == '-' ? 1 : 0;
  const auto end = ends & (0 - ends);  // the lowest bit: behind the number
  // Characters that are neither digit nor sign: none, or one point.
  const unsigned others =
      ~static_cast<unsigned>(_mm_movemask_epi8(is_digit)) & (end - 1) & ~negative;
  const bool is_odd = (others & ~is_dot) != 0 || (others & (others - 1)) != 0;
  // At least one digit before the point; 16 characters or more have no end here.
  if (is_odd || ends == 0 || ((others | end) & (1 + negative)) != 0) return false;
  const auto length = static_cast<unsigned>(std::countr_zero(end));
  const auto dot = static_cast<unsigned>(std::countr_zero(others | end));
  digits = _mm_and_si128(digits, is_digit);
  digits = _mm_shuffle_epi8(
      digits, _mm_load_si128(reinterpret_cast<const __m128i*>(kDigitShuffles.from[length][dot])));
  // Pairs of digits, then of pairs, then of fours: two numbers of eight digits.
  const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010a));
  const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064));
  const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x00012710));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  const std::uint64_t mantissa = (both & 0xffffffff) * 100000000 + (both >> 32);
  const unsigned num_fraction = length - dot - (others != 0 ? 1 : 0);
  if (!number_scanner::to_float(mantissa, num_fraction, negative != 0, value)) return false;
  p += length;
  return true;
}

#else

HWY_INLINE bool scan_short_float(const char*& p, float& value) { return scan_float(p, value); }

#endif

// "id:" at `p`; null if it is not that or the id has more digits than any valid one.
HWY_INLINE const char* parse_id(const char* p, std::uint32_t& id) {
  const char* begin = p;
  id = 0;
  while (*p >= '0' && *p <= '9') {
    if (p - begin == 7) return nullptr;
    id = id * 10 + static_cast<std::uint32_t>(*p++ - '0');
  }
  return p != begin && *p == ':' ? p + 1 : nullptr;
}

// SvmlightRowParser::parse.
const char* parse_row(const SvmlightLayout& layout, const char* p, float* row) {
  const SvmlightLayout::IdText* const ids = layout.id_texts.data();
  const std::size_t num_predicted = layout.id_texts.size() - 1;
  std::size_t column = 0;  // the next one to be filled
  while (true) {
    // One space, then the expected feature; `p` is at the blank.
    const SvmlightLayout::IdText& expected = ids[std::min(column, num_predicted)];
    if (*p == ' ' && number_scanner::load8(p + 1) << expected.shift == expected.shifted) {
      p += 1 + expected.length;
    } else {
      const char* blank = p;
      while (is_blank(*p)) ++p;
      if (*p == '\n' || *p == '#') break;
      std::uint32_t id = 0;
      p = p == blank ? nullptr : parse_id(p, id);
      if (p == nullptr || id < layout.first_id) return nullptr;
      const std::size_t found = id - layout.first_id;
      if (found < column || found >= layout.num_features) return nullptr;
      std::fill(row + column, row + found, layout.absent);
      column = found;
    }
    float value = 0;
    if (!scan_short_float(p, value) && !scan_float(p, value)) {
      p = scan_odd_float(p, value);
      if (p == nullptr) return nullptr;
    }
    row[column++] = value;
  }
  std::fill(row + column, row + layout.num_features, layout.absent);
  return p;
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace glassrank
HWY_AFTER_NAMESPACE();

#endif
