#include "glassrank/explain/masks/branch_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "glassrank/base/parallel.h"

// What the kernels below read; defined once.
#ifndef GLASSRANK_EXPLAIN_ROW_COLUMNS_
#define GLASSRANK_EXPLAIN_ROW_COLUMNS_
namespace glassrank {

// Rows by feature, padded to whole words of 64 rows.
struct RowColumns {
  std::size_t num_words = 0;
  Buffer<float> values;                // by feature, 64 * num_words each
  std::vector<std::uint64_t> missing;  // by feature, num_words each: NaN
  std::vector<std::uint64_t> zeros;    // likewise: |x| <= kZeroThreshold
};

}  // namespace glassrank
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "glassrank/explain/masks/branch_bits.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glassrank::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Bit r of the word: values[r] <= threshold.
HWY_INLINE void compare_word(const float* HWY_RESTRICT values, float threshold,
                             std::uint64_t* HWY_RESTRICT word) {
  const hn::CappedTag<float, 64> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto limit = hn::Set(d, threshold);
  if constexpr (hn::MaxLanes(hn::CappedTag<float, 64>()) >= 8) {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(word);
    for (std::size_t r = 0; r < 64; r += lanes) {
      hn::StoreMaskBits(d, hn::Le(hn::Load(d, values + r), limit), bytes + r / 8);
    }
  } else {
    std::uint64_t bits = 0;
    for (std::size_t r = 0; r < 64; r += lanes) {
      std::uint8_t few[8] = {};
      hn::StoreMaskBits(d, hn::Le(hn::Load(d, values + r), limit), few);
      bits |= std::uint64_t{few[0]} << r;
    }
    *word = bits;
  }
}

// The same for a set of categories; what is missing is not in it (see columns_of).
inline void contain_words(const float* values, const TreeNode& node, std::size_t num_words,
                          std::uint64_t* out) {
  for (std::size_t w = 0; w < num_words; ++w) {
    std::uint64_t bits = 0;
    for (std::size_t r = 0; r < 64; ++r) {
      bits |= std::uint64_t{goes_left(node, values[w * 64 + r])} << r;
    }
    out[w] = bits;
  }
}

HWY_ATTR void branch_nodes(const RowColumns& columns, std::span<const TreeNode> nodes,
                           std::uint64_t* out) {
  const std::size_t num_words = columns.num_words;
  for (const TreeNode& node : nodes) {
    const float* const values = columns.values.data() + node.feature * num_words * 64;
    if (node.asks_category()) {
      contain_words(values, node, num_words, out);
      out += num_words;
      continue;
    }
    const std::uint64_t* const missing = columns.missing.data() + node.feature * num_words;
    const std::uint64_t* const zeros = columns.zeros.data() + node.feature * num_words;
    for (std::size_t w = 0; w < num_words; ++w)
      compare_word(values + w * 64, node.threshold, out + w);
    for (std::size_t w = 0; w < num_words; ++w) {
      const std::uint64_t unknown = missing[w] | (node.zero_is_missing ? zeros[w] : 0);
      out[w] = node.missing_left ? out[w] | unknown : out[w] & ~unknown;
    }
    out += num_words;
  }
}

}  // namespace glassrank::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glassrank {
namespace {

HWY_EXPORT(branch_nodes);

RowColumns columns_of(MatrixView<const float> rows, std::size_t num_features,
                      std::size_t num_words) {
  RowColumns columns{.num_words = num_words,
                     .values = Buffer<float>(num_features * num_words * 64),
                     .missing = std::vector<std::uint64_t>(num_features * num_words),
                     .zeros = std::vector<std::uint64_t>(num_features * num_words)};
  std::ranges::fill(columns.values.span(), 0.0F);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const auto row = rows.row(r);
    const std::uint64_t bit = std::uint64_t{1} << (r % 64);
    for (std::size_t f = 0; f < num_features; ++f) {
      columns.values[f * num_words * 64 + r] = row[f];
      std::uint64_t* const missing = &columns.missing[f * num_words + r / 64];
      if (std::isnan(row[f])) *missing |= bit;
      if (std::abs(row[f]) <= kZeroThreshold) columns.zeros[f * num_words + r / 64] |= bit;
    }
  }
  return columns;
}

std::size_t round_up(std::size_t size, std::size_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

}  // namespace

BranchBits::BranchBits(const ForestTable& table, MatrixView<const float> rows,
                       std::size_t word_multiple, const Context& context)
    : num_words_(round_up((rows.num_rows() + 63) / 64, word_multiple)),
      bits_(std::max<std::size_t>(table.num_nodes() * num_words_, 1)) {
  const RowColumns columns = columns_of(rows, table.forest.num_features(), num_words_);
  constexpr std::size_t kTreesAtATime = 64;
  parallel_for(
      context, table.trees().size(), kTreesAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
          HWY_DYNAMIC_DISPATCH(branch_nodes)
          (columns, table.trees()[t].nodes, bits_.data() + table.first_node[t] * num_words_);
        }
      });
}

}  // namespace glassrank
#endif
