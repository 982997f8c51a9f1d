#include "glassrank/explain/masks/mask_columns.h"

#include <algorithm>
#include <numeric>

namespace glassrank {

MaskColumns::MaskColumns(FeatureMasks masks, std::span<const std::size_t> which,
                         std::size_t num_features)
    : num_masks_(which.size()),
      num_words_((which.size() + 511) / 512 * 8),
      num_features_(num_features),
      bits_((num_features + 1) * num_words_) {
  std::ranges::fill(bits_.span(), 0);
  std::vector<std::uint64_t> word(num_features);  // of 64 masks, by feature
  for (std::size_t w = 0; w * 64 < num_masks_; ++w) {
    const std::size_t count = std::min<std::size_t>(64, num_masks_ - w * 64);
    std::ranges::fill(word, 0);
    for (std::size_t m = 0; m < count; ++m) {
      const std::uint8_t* const mask = masks.row(which[w * 64 + m]).data();
      for (std::size_t f = 0; f < num_features; ++f) {
        word[f] |= std::uint64_t{mask[f] != 0} << m;
      }
    }
    for (std::size_t f = 0; f < num_features; ++f) bits_[f * num_words_ + w] = word[f];
    bits_[num_features * num_words_ + w] = ~std::uint64_t{0} >> (64 - count);
  }
}

std::vector<std::size_t> masks_in_order(FeatureMasks masks) {
  std::vector<std::size_t> order(masks.num_rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<std::size_t> masks_by_size(FeatureMasks masks) {
  std::vector<std::size_t> sizes(masks.num_rows());
  for (std::size_t m = 0; m < sizes.size(); ++m) {
    for (const std::uint8_t known : masks.row(m)) sizes[m] += known != 0 ? 1 : 0;
  }
  std::vector<std::size_t> order = masks_in_order(masks);
  std::ranges::stable_sort(order, {}, [&](std::size_t m) { return sizes[m]; });
  return order;
}

}  // namespace glassrank
