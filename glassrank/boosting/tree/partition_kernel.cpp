#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/boosting/tree/partition_kernel.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
// After foreach_target.
#include <hwy/highway.h>

#include "glassrank/boosting/tree/partition_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using WordTag = hn::CappedTag<std::uint32_t, 16>;
using IntTag = hn::RebindToSigned<WordTag>;
using ByteTag = hn::Rebind<std::uint8_t, WordTag>;

// Whole vectors of rows with one-byte codes; returns how many rows were done. A full vector is
// stored each time: it never reaches beyond the rows already read, nor beyond the output.
std::size_t partition_vectors(const PartitionRule& rule, std::span<const std::uint32_t> rows,
                              std::uint32_t* left, std::uint32_t* right, std::size_t* num_left) {
  const WordTag d;
  const ByteTag db;
  constexpr std::size_t kMost = 16;
  const std::size_t lanes = hn::Lanes(d);
  const std::uint8_t* codes = rule.column.narrow().data();
  const IntTag di;
  const auto bin = hn::Set(di, static_cast<std::int32_t>(rule.bin));
  const auto also_left = hn::Set(di, static_cast<std::int32_t>(rule.also_left));
  std::size_t count = 0;
  std::size_t at = 0;
  for (; at + lanes <= rows.size(); at += lanes) {
    alignas(16) std::uint8_t bytes[kMost];
    for (std::size_t k = 0; k < lanes; ++k) bytes[k] = codes[rows[at + k]];
    const auto row = hn::LoadU(d, rows.data() + at);
    const auto code = hn::PromoteTo(di, hn::Load(db, bytes));
    const auto left_codes = hn::Or(hn::Not(hn::Gt(code, bin)), hn::Eq(code, also_left));
    const auto goes_left = hn::RebindMask(d, left_codes);
    hn::StoreU(hn::Compress(row, hn::Not(goes_left)), d, right + (at - count));
    hn::StoreU(hn::Compress(row, goes_left), d, left + count);
    count += hn::CountTrue(d, goes_left);
  }
  *num_left = count;
  return at;
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(partition_vectors);

}  // namespace

std::size_t partition_rows_plain(const PartitionRule& rule, std::span<const std::uint32_t> rows,
                                 std::uint32_t* left, std::uint32_t* right) {
  std::size_t num_left = 0;
  std::size_t num_right = 0;
  for (const std::uint32_t row : rows) {
    const std::size_t code = rule.column[row];
    (rule.goes_left(code) ? left[num_left++] : right[num_right++]) = row;
  }
  return num_left;
}

std::size_t partition_rows(const PartitionRule& rule, std::span<const std::uint32_t> rows,
                           std::uint32_t* left, std::uint32_t* right) {
  if (rule.column.is_wide() || rule.set != nullptr) {
    return partition_rows_plain(rule, rows, left, right);
  }
  std::size_t num_left = 0;
  const std::size_t done =
      HWY_DYNAMIC_DISPATCH(partition_vectors)(rule, rows, left, right, &num_left);
  return num_left +
         partition_rows_plain(rule, rows.subspan(done), left + num_left, right + (done - num_left));
}

}  // namespace glassrank
#endif
