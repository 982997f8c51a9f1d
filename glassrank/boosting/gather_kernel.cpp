#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/gather_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#include "glassrank/boosting/gather_kernel.h"
#include "glassrank/boosting/row_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using CodeTag = hn::CappedTag<std::uint16_t, kLanes>;
using ByteTag = hn::Rebind<std::uint8_t, CodeTag>;

HWY_INLINE hn::Vec<CodeTag> wide_codes(const std::uint8_t* bytes) {
  return hn::PromoteTo(CodeTag(), hn::LoadU(ByteTag(), bytes));
}

void gather_codes(const GatherSource& source, std::span<const std::uint32_t> rows,
                  std::uint16_t* codes, std::size_t group_stride) {
  const CodeTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, static_cast<std::uint16_t>(kPairCodes));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint8_t* bytes = source.rows + rows[i] * source.row_stride + source.byte;
    std::uint16_t* HWY_RESTRICT out = codes + i * kLanes;
    for (std::size_t g = 0; g < source.num_bytes; ++g, bytes += kLanes, out += group_stride) {
      for (std::size_t lane = 0; lane < kLanes; lane += lanes) {
        hn::Store(hn::ShiftLeft<4>(wide_codes(bytes + lane)), d, out + lane);
      }
    }
    for (std::size_t g = 0; g < source.num_pairs; ++g, bytes += 2 * kLanes, out += group_stride) {
      for (std::size_t lane = 0; lane < kLanes; lane += lanes) {
        const auto second = wide_codes(bytes + kLanes + lane);
        const auto joined = hn::Add(wide_codes(bytes + lane), hn::Mul(second, factor));
        hn::Store(hn::ShiftLeft<4>(joined), d, out + lane);
      }
    }
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(gather_codes);

}  // namespace

void gather_codes(const GatherSource& source, std::span<const std::uint32_t> rows,
                  std::uint16_t* codes, std::size_t group_stride) {
  HWY_DYNAMIC_DISPATCH(gather_codes)(source, rows, codes, group_stride);
}

}  // namespace glassrank
#endif
