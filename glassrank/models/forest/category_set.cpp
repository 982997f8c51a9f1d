#include "glassrank/models/forest/category_set.h"

#include <algorithm>
#include <bit>

#include "glassrank/base/error.h"
#include "glassrank/data/category_names.h"

namespace glassrank {

CategorySet::CategorySet(std::span<const std::uint32_t> codes) {
  std::vector<std::uint64_t> bits;
  for (const std::uint32_t code : codes) {
    if (code >= kMostCategoryCodes) {
      fail(ErrorKind::kInput, "category {} is too large; categories are codes below {}", code,
           kMostCategoryCodes);
    }
    bits.resize(std::max<std::size_t>(bits.size(), code / 64 + 1));
    bits[code / 64] |= std::uint64_t{1} << (code % 64);
  }
  // Nothing is in an empty set, also nothing between -1 and 0.
  limit_ = bits.empty() ? -1.0F : static_cast<float>(64 * bits.size());
  bits_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(bits));
}

std::vector<std::uint32_t> CategorySet::codes() const {
  std::vector<std::uint32_t> codes;
  if (!exists()) return codes;
  for (std::size_t w = 0; w < bits_->size(); ++w) {
    for (std::uint64_t rest = (*bits_)[w]; rest != 0; rest &= rest - 1) {
      codes.push_back(static_cast<std::uint32_t>(64 * w) +
                      static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
  return codes;
}

bool CategorySet::operator==(const CategorySet& other) const {
  if (bits_ == other.bits_) return true;
  return exists() && other.exists() && *bits_ == *other.bits_;
}

bool CategorySet::operator<(const CategorySet& other) const {
  if (!exists() || !other.exists()) return !exists() && other.exists();
  return *bits_ < *other.bits_;
}

std::vector<float> edges_of(const CategorySet& set) {
  std::vector<float> edges;
  for (const std::uint32_t code : set.codes()) {
    const float below = edge_below(code);
    if (edges.empty() || edges.back() != below) edges.push_back(below);
    edges.push_back(edge_below(code + 1));
  }
  return edges;
}

}  // namespace glassrank
