#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/histogram/gather_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "glassrank/boosting/histogram/gather_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void gather_pieces(const GatherPlan& plan, std::span<const std::uint32_t> rows) {
  const hn::CappedTag<std::uint8_t, kPieceBytes> d;
  // The second-level cache has the rows by now, but would be waited for.
  constexpr std::size_t kRowsAhead = 12;
  constexpr std::size_t kLine = 64;
  const std::span<const std::size_t> pieces = plan.pieces;  // stores cannot change copies
  const std::size_t row_stride = plan.row_stride;
  const std::size_t out_stride = plan.out_stride;
  const std::size_t first = pieces.front();
  const std::size_t last = pieces.back() + kPieceBytes - 1;
  const auto fetch = [&](const std::uint8_t* row) {
    for (std::size_t byte = first; byte < last; byte += kLine) hwy::Prefetch(row + byte);
    hwy::Prefetch(row + last);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kRowsAhead < rows.size()) fetch(plan.rows + rows[i + kRowsAhead] * row_stride);
    const std::uint8_t* from = plan.rows + rows[i] * row_stride;
    std::uint8_t* out = plan.out + i * kPieceBytes;
    for (const std::size_t piece : pieces) {
      for (std::size_t k = 0; k < kPieceBytes; k += hn::Lanes(d)) {
        hn::Store(hn::LoadU(d, from + piece + k), d, out + k);
      }
      out += out_stride;
    }
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(gather_pieces);

}  // namespace

void gather_pieces(const GatherPlan& plan, std::span<const std::uint32_t> rows) {
  HWY_DYNAMIC_DISPATCH(gather_pieces)(plan, rows);
}

}  // namespace glassrank
#endif
