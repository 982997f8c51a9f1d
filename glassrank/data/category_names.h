#pragma once
// What categories are called: the text behind each code of a feature whose values are categories.
//
// A category is stored as a float that holds its code. Where a file has texts, codes are places in
// a list of names: the most frequent first, so that rare ones share the end. Where it has whole
// numbers, they are the codes themselves and there are no names.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glassrank {

// Per feature the names by code; none of features that are numbers or codes. Empty: of no feature.
using CategoryNames = std::vector<std::vector<std::string>>;

// Throws Error{kInput}: there are lists, but not one per feature; a name is there twice.
void check_categories(const CategoryNames& categories, std::size_t num_features);

// The names of one feature, none where there are no lists.
std::span<const std::string> names_of(const CategoryNames& categories, std::size_t feature);

// "red", or "#7" where the code has no name.
std::string category_text(std::span<const std::string> names, std::uint32_t code);

// Codes from here on are none; XGBoost's limit, too.
inline constexpr std::uint32_t kMostCategoryCodes = 1U << 24;

// The largest value that is not yet the category `code`: every value above it, up to that of
// code + 1, is `code` when its fraction is cut off.
float edge_below(std::uint32_t code);
// The category whose values are those above `low` and up to `high`; none if these are not its
// edges.
std::optional<std::uint32_t> category_between(float low, float high);

// For every code of `from`, its code in `to`, which may have another order; what `to` does not know
// gets the code behind its last. Where a side has no names, its codes are whole numbers as text.
class CategoryMap {
 public:
  CategoryMap(std::span<const std::string> from, std::span<const std::string> to);
  // NaN stays NaN.
  float operator()(float value) const;

 private:
  bool has_from_ = false;
  std::vector<float> of_code_;                          // if `from` has names
  std::vector<std::pair<std::string, float>> by_name_;  // of `to`, if only `to` has
};

}  // namespace glassrank
