#pragma once
// A feature by the name people give it.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace glassrank {

// Index by name, or by 1-based number; throws Error{kUsage} with the nearest name.
std::size_t feature_index(std::span<const std::string> names, std::string_view name);

}  // namespace glassrank
