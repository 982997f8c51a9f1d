#include "glassrank/explain/greedy/kept_pairs_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/explain/greedy/kept_pairs_kernel.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR void kept_pairs(std::span<const DocumentPair> pairs, const Fixed* HWY_RESTRICT scores,
                         std::size_t num_lists, std::int64_t* HWY_RESTRICT kept) {
  const hn::CappedTag<std::int64_t, kListMultiple> d;
  const auto one = hn::Set(d, 1);
  const auto* const values = reinterpret_cast<const std::int64_t*>(scores);
  for (std::size_t i = 0; i < num_lists; i += hn::Lanes(d)) {
    auto count = hn::Zero(d);
    for (const DocumentPair& pair : pairs) {
      const auto upper = hn::Load(d, values + pair.upper * num_lists + i);
      const auto lower = hn::Load(d, values + pair.lower * num_lists + i);
      count = hn::Add(count, hn::IfThenElseZero(hn::Gt(upper, lower), one));
      count = hn::Sub(count, hn::IfThenElseZero(hn::Lt(upper, lower), one));
    }
    hn::Store(count, d, kept + i);
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {

HWY_EXPORT(kept_pairs);

void count_kept_pairs(std::span<const DocumentPair> pairs, const Fixed* scores,
                      std::size_t num_lists, std::int64_t* kept) {
  HWY_DYNAMIC_DISPATCH(kept_pairs)(pairs, scores, num_lists, kept);
}

}  // namespace glassrank
#endif
