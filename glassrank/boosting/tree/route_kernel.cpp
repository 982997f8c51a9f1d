#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/tree/route_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <bit>
#include <cstring>

#include <hwy/highway.h>

#include "glassrank/boosting/tree/route_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using ByteTag = hn::CappedTag<std::uint8_t, kWordRows>;

// A target of one lane has no bytes of masks: it takes the definition.
//
// One-byte codes. Columns are padded to 64 bytes: a word may be read whole. No branches: which
// words hold rows of a node is as good as random.
void route_bytes(const PartitionRule& rule, std::size_t first_row,
                 std::span<const std::uint64_t> reach, std::uint64_t* left, std::uint64_t* right) {
#if HWY_TARGET == HWY_SCALAR
  route_rows_plain(rule, first_row, reach, left, right);
#else
  const ByteTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto bin = hn::Set(d, static_cast<std::uint8_t>(rule.bin));
  const auto also_left = hn::Set(d, static_cast<std::uint8_t>(rule.also_left));
  const std::uint8_t* codes = rule.column.narrow().data() + first_row;
  for (std::size_t w = 0; w < reach.size(); ++w) {
    std::uint64_t bits = 0;
    alignas(8) std::uint8_t bytes[16];  // masks are stored with room for 8 bytes
    for (std::size_t k = 0; k < kWordRows; k += lanes) {
      const auto code = hn::LoadU(d, codes + w * kWordRows + k);
      const auto goes_left = hn::Or(hn::Eq(hn::Min(code, bin), code), hn::Eq(code, also_left));
      hn::StoreMaskBits(d, goes_left, bytes + k / 8);
    }
    std::memcpy(&bits, bytes, sizeof bits);
    const std::uint64_t word = reach[w];
    left[w] = word & bits;
    right[w] = word & ~bits;
  }
#endif
}

void label_bits(std::span<const std::uint64_t> bits, std::uint8_t label, std::uint8_t* labels) {
#if HWY_TARGET == HWY_SCALAR
  label_rows_plain(bits, label, labels);
#else
  const ByteTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto value = hn::Set(d, label);
  for (std::size_t w = 0; w < bits.size(); ++w) {
    alignas(8) std::uint8_t bytes[16] = {};  // masks are read in eights
    std::memcpy(bytes, &bits[w], sizeof bits[w]);
    for (std::size_t k = 0; k < kWordRows; k += lanes) {
      hn::BlendedStore(value, hn::LoadMaskBits(d, bytes + k / 8), d, labels + w * kWordRows + k);
    }
  }
#endif
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

static_assert(std::endian::native == std::endian::little);  // bytes of masks are words of bits

HWY_EXPORT(label_bits);
HWY_EXPORT(route_bytes);

}  // namespace

void route_rows_plain(const PartitionRule& rule, std::size_t first_row,
                      std::span<const std::uint64_t> reach, std::uint64_t* left,
                      std::uint64_t* right) {
  for (std::size_t w = 0; w < reach.size(); ++w) {
    const std::uint64_t word = reach[w];
    std::uint64_t bits = 0;
    for (std::uint64_t rest = word; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t code = rule.column[first_row + w * kWordRows + bit];
      if (rule.goes_left(code)) bits |= std::uint64_t{1} << bit;
    }
    left[w] = bits;
    right[w] = word & ~bits;
  }
}

void route_rows(const PartitionRule& rule, std::size_t first_row,
                std::span<const std::uint64_t> reach, std::uint64_t* left, std::uint64_t* right) {
  if (rule.column.is_wide() || rule.set != nullptr) {
    route_rows_plain(rule, first_row, reach, left, right);
  } else {
    HWY_DYNAMIC_DISPATCH(route_bytes)(rule, first_row, reach, left, right);
  }
}

void label_rows_plain(std::span<const std::uint64_t> bits, std::uint8_t label,
                      std::uint8_t* labels) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
      labels[w * kWordRows + static_cast<std::size_t>(std::countr_zero(rest))] = label;
    }
  }
}

void label_rows(std::span<const std::uint64_t> bits, std::uint8_t label, std::uint8_t* labels) {
  HWY_DYNAMIC_DISPATCH(label_bits)(bits, label, labels);
}

}  // namespace glassrank
#endif
