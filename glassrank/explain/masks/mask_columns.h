#pragma once
// Masks turned round: per feature, one bit for each mask that knows it.
//
// A tree asks node by node whether the node's feature is known. Laid out so, one word answers for
// 64 masks, and the way through a node is an AND for all of them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/explain/perturbation.h"

namespace glassrank {

class MaskColumns {
 public:
  static constexpr std::size_t kBlockWords = 32;  // masks that are worked on at once: 2048

  // Of the masks with these numbers, in this order; at most kBlockWords * 64 of them.
  MaskColumns(FeatureMasks masks, std::span<const std::size_t> which, std::size_t num_features);

  std::size_t num_masks() const { return num_masks_; }
  // A multiple of 8: whole vectors on any machine.
  std::size_t num_words() const { return num_words_; }
  const std::uint64_t* knowing(std::size_t feature) const {
    return bits_.data() + feature * num_words_;
  }
  // A bit for every mask, none beyond the last.
  const std::uint64_t* all() const { return bits_.data() + num_features_ * num_words_; }

 private:
  std::size_t num_masks_;
  std::size_t num_words_;
  std::size_t num_features_;
  Buffer<std::uint64_t> bits_;
};

// The numbers of all masks: as they are, or those that know few features first. Masks of a word
// then have much in common.
std::vector<std::size_t> masks_in_order(FeatureMasks masks);
std::vector<std::size_t> masks_by_size(FeatureMasks masks);

}  // namespace glassrank
