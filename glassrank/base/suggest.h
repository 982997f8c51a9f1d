#pragma once
// "Did you mean": the nearest of the known names to an unknown one.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassrank {

// Number of single-character insertions, deletions, substitutions and neighbour swaps.
int edit_distance(std::string_view a, std::string_view b);

// The nearest name within a third of its length, if any.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

// At most three names that may have been meant: the nearest ones, equally near; where none is near,
// those that have the name among their words ("trees": num_trees).
std::vector<std::string> guessed_names(std::string_view name, std::span<const std::string> known);

// "unknown metric 'ndgc'; did you mean 'ndcg'?"; without a guess "...; known: a, b, c", or, where
// that would be a long list, "...; <hint>" if there is a hint and the first of them if there is
// none.
std::string unknown_name_message(std::string_view what, std::string_view name,
                                 std::span<const std::string> known, std::string_view hint = {});

}  // namespace glassrank
