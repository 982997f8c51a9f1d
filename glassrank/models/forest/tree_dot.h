#pragma once
// Trees as a graph in Graphviz's DOT language, to be drawn by `dot -Tsvg`.
//
// One graph; each tree is a cluster. Nodes are boxes with condition, gain and documents, leaves are
// rounded boxes with their value; edges say yes or no and where a missing value goes.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "glassrank/models/forest/forest.h"

namespace glassrank {

// `names` has one name per feature. Throws Error{kUsage} when there is no such tree.
std::string trees_dot(const Forest& forest, std::span<const std::size_t> trees,
                      std::span<const std::string> names);

// A DOT string with its quotes: shows `text` as it is in a label. Newlines separate centred lines;
// other control characters become blanks.
std::string dot_string(std::string_view text);

}  // namespace glassrank
