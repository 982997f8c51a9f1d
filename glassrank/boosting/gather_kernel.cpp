#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/gather_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#include "glassrank/boosting/gather_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void gather_pieces(const GatherPlan& plan, std::span<const std::uint32_t> rows) {
  const hn::CappedTag<std::uint8_t, kPieceBytes> d;
  std::uint8_t* out = plan.out;
  for (const std::size_t piece : plan.pieces) {
    const std::uint8_t* from = plan.rows + piece;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < kPieceBytes; k += hn::Lanes(d)) {
        const auto bytes = hn::LoadU(d, from + rows[i] * plan.row_stride + k);
        hn::Store(bytes, d, out + i * kPieceBytes + k);
      }
    }
    out += plan.out_stride;
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
