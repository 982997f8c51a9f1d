#include "glassrank/models/display_names.h"

#include <algorithm>

#include <fmt/format.h>

namespace glassrank {

std::vector<std::string> display_names(std::size_t num_features, std::span<const std::string> names,
                                       std::span<const std::string> fallback) {
  const std::span<const std::string> known = names.empty() ? fallback : names;
  std::vector<std::string> shown;
  for (std::size_t f = 0; f < num_features; ++f) {
    std::string& name =
        shown.emplace_back(f < known.size() ? known[f] : fmt::format("feature {}", f + 1));
    std::ranges::replace_if(
        name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  }
  return shown;
}

}  // namespace glassrank
