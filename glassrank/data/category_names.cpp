#include "glassrank/data/category_names.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// What no list of names knows, where codes are numbers: below every category.
constexpr float kNoCode = -1;

// The name as data without names has it: its fraction is cut off by whoever asks.
float code_of(std::string_view name) {
  float number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = fast_float::from_chars(name.data(), end, number);
  const bool is_number = error == std::errc{} && stop == end && std::isfinite(number);
  return is_number ? number : kNoCode;
}

}  // namespace

void check_categories(const CategoryNames& categories, std::size_t num_features) {
  if (categories.empty()) return;
  if (categories.size() != num_features) {
    fail(ErrorKind::kInput, "{} lists of categories for {} features", categories.size(),
         num_features);
  }
  for (std::size_t f = 0; f < categories.size(); ++f) {
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : categories[f]) {
      if (seen.insert(name).second) continue;
      fail(ErrorKind::kInput, "feature {}: category '{}' is there twice", f + 1, name);
    }
  }
}

std::span<const std::string> names_of(const CategoryNames& categories, std::size_t feature) {
  if (feature >= categories.size()) return {};
  return categories[feature];
}

std::string category_text(std::span<const std::string> names, std::uint32_t code) {
  return code < names.size() ? names[code] : fmt::format("#{}", code);
}

float edge_below(std::uint32_t code) {
  // Everything above -1 has the code 0 when its fraction is cut off.
  if (code == 0) return -1.0F;
  return std::nextafter(static_cast<float>(code), -std::numeric_limits<float>::infinity());
}

std::optional<std::uint32_t> category_between(float low, float high) {
  const float first =
      low == -1.0F ? 0.0F : std::nextafter(low, std::numeric_limits<float>::infinity());
  if (!(first >= 0) || !(first < static_cast<float>(kMostCategoryCodes))) return std::nullopt;
  const auto code = static_cast<std::uint32_t>(first);
  if (edge_below(code) != low || edge_below(code + 1) != high) return std::nullopt;
  return code;
}

CategoryMap::CategoryMap(std::span<const std::string> from, std::span<const std::string> to)
    : has_from_(!from.empty()) {
  std::unordered_map<std::string_view, float> known;
  for (std::size_t c = 0; c < to.size(); ++c) known.emplace(to[c], static_cast<float>(c));
  const auto unknown = static_cast<float>(to.size());
  for (const std::string& name : from) {
    const auto found = known.find(name);
    const float code = found == known.end() ? unknown : found->second;
    of_code_.push_back(to.empty() ? code_of(name) : code);
  }
  if (has_from_) of_code_.push_back(to.empty() ? kNoCode : unknown);
  for (std::size_t c = 0; c < to.size() && !has_from_; ++c) {
    by_name_.emplace_back(to[c], static_cast<float>(c));
  }
  std::ranges::sort(by_name_);
}

float CategoryMap::operator()(float value) const {
  if (std::isnan(value)) return value;
  if (has_from_) {
    const auto last = static_cast<float>(of_code_.size() - 1);
    return of_code_[static_cast<std::size_t>(std::clamp(value, 0.0F, last))];
  }
  if (by_name_.empty()) return value;
  // A value stands for what is left when its fraction is cut off, unless it is a name as it is.
  for (const float number : {value, std::trunc(value)}) {
    const std::string name = fmt::format("{}", number);
    const auto found =
        std::ranges::lower_bound(by_name_, name, {}, &std::pair<std::string, float>::first);
    if (found != by_name_.end() && found->first == name) return found->second;
  }
  return static_cast<float>(by_name_.size());
}

}  // namespace glassrank
