#pragma once
// "Did you mean": the nearest of the known names to an unknown one.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glassrank {

// Number of single-character insertions, deletions, substitutions and neighbour swaps.
int edit_distance(std::string_view a, std::string_view b);

// The nearest name within a third of its length, if any.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

// "unknown metric 'ndgc'; did you mean 'ndcg'?" or "...; known: a, b, c".
std::string unknown_name_message(std::string_view what, std::string_view name,
                                 std::span<const std::string> known);

}  // namespace glassrank
