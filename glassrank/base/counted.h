#pragma once
// "1 tree", "2 trees": numbers of things in words.

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace glassrank {

inline std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace glassrank
