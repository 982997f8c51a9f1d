#pragma once
// A set of categories: what a node asks for whose feature has no order.
//
// Categories are codes 0, 1, 2, ...; a value stands for the code that is left when its fraction is
// cut off, as in LightGBM and XGBoost: 2 and 2.7 are category 2. What is no category of the set
// (another one, a negative value from -1 down, one that training never saw) is not in it, nor is a
// missing value. Immutable; copies share the bits. Cost: a pointer; a bit per code up to the
// largest.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glassrank {

class CategorySet {
 public:
  // No set at all.
  CategorySet() = default;
  // In any order. Throws Error{kInput}: a code is kMostCategoryCodes or more.
  explicit CategorySet(std::span<const std::uint32_t> codes);

  bool exists() const { return bits_ != nullptr; }
  bool contains(float value) const {
    if (!(value > -1.0F) || !(value < limit_)) return false;
    const auto code = static_cast<std::uint32_t>(value);
    return ((*bits_)[code / 64] >> (code % 64) & 1) != 0;
  }
  // Ascending.
  std::vector<std::uint32_t> codes() const;
  std::size_t size() const { return codes().size(); }

  bool operator==(const CategorySet& other) const;
  // Some order, the same everywhere: no set comes first.
  bool operator<(const CategorySet& other) const;

 private:
  std::shared_ptr<const std::vector<std::uint64_t>> bits_;  // the last word is not 0
  float limit_ = 0;                                         // 64 x words
};

// Where the values that a set tells apart from others begin and end: the largest value before each
// code of the set, and the largest that is the code itself. Ascending, each once.
// (edge_below() of category_names.h).
std::vector<float> edges_of(const CategorySet& set);

}  // namespace glassrank
