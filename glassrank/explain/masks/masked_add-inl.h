// Which of 64 whole numbers a word's bits choose, as lanes.
// Included once per instruction set by the kernels of masked scoring.

#if defined(GLASSRANK_EXPLAIN_MASKED_ADD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GLASSRANK_EXPLAIN_MASKED_ADD_INL_H_
#undef GLASSRANK_EXPLAIN_MASKED_ADD_INL_H_
#else
#define GLASSRANK_EXPLAIN_MASKED_ADD_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 8 numbers: a byte of the word.
using SumTag = hn::CappedTag<std::uint64_t, 8>;

// Of the numbers first, first + 1, ... those whose bit is set.
HWY_INLINE hn::Mask<SumTag> lanes_of(const std::uint64_t* word, std::size_t first) {
  const SumTag d;
  if constexpr (hn::MaxLanes(SumTag()) == 8) {
    return hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(word) + first / 8);
  } else {
    return hn::TestBit(hn::Set(d, *word >> first), hn::Shl(hn::Set(d, 1), hn::Iota(d, 0)));
  }
}

HWY_INLINE hn::Vec<SumTag> add_where(hn::Vec<SumTag> sum, hn::Mask<SumTag> lanes,
                                     hn::Vec<SumTag> value) {
  return hn::IfThenElse(lanes, hn::Add(sum, value), sum);
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GLASSRANK_EXPLAIN_MASKED_ADD_INL_H_
