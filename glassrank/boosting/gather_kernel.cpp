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

void gather_codes(const GatherSource& source, std::span<const std::uint32_t> rows,
                  std::span<const GatherTarget> targets) {
  const CodeTag d;
  const ByteTag db;
  const auto factor = hn::Set(d, static_cast<std::uint16_t>(kPairCodes));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint8_t* row = source.rows + rows[i] * source.row_stride;
    for (const GatherTarget& target : targets) {
      for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
        const std::uint8_t* bytes = row + target.byte + lane;
        auto code = hn::PromoteTo(d, hn::LoadU(db, bytes));
        if (target.is_pair) {
          const auto second = hn::PromoteTo(d, hn::LoadU(db, bytes + kLanes));
          code = hn::Add(code, hn::Mul(second, factor));
        }
        hn::Store(hn::ShiftLeft<4>(code), d, target.codes + i * kLanes + lane);
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
                  std::span<const GatherTarget> targets) {
  HWY_DYNAMIC_DISPATCH(gather_codes)(source, rows, targets);
}

}  // namespace glassrank
#endif
