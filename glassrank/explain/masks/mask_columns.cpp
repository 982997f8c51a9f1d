#include "glassrank/explain/masks/mask_columns.h"

#include <algorithm>
#include <vector>

namespace glassrank {

MaskColumns::MaskColumns(FeatureMasks masks, std::size_t begin, std::size_t size,
                         std::size_t num_features)
    : num_masks_(size),
      num_words_((size + 511) / 512 * 8),
      num_features_(num_features),
      bits_((num_features + 1) * num_words_) {
  std::ranges::fill(bits_.span(), 0);
  std::vector<std::uint64_t> word(num_features);  // of 64 masks, by feature
  for (std::size_t w = 0; w * 64 < size; ++w) {
    const std::size_t count = std::min<std::size_t>(64, size - w * 64);
    std::ranges::fill(word, 0);
    for (std::size_t m = 0; m < count; ++m) {
      const std::uint8_t* const mask = masks.row(begin + w * 64 + m).data();
      for (std::size_t f = 0; f < num_features; ++f) {
        word[f] |= std::uint64_t{mask[f] != 0} << m;
      }
    }
    for (std::size_t f = 0; f < num_features; ++f) bits_[f * num_words_ + w] = word[f];
    bits_[num_features * num_words_ + w] = ~std::uint64_t{0} >> (64 - count);
  }
}

}  // namespace glassrank
