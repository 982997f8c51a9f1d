#pragma once
// One tree as text for people, a line per node and leaf:
//
//   tree 0: 3 leaves, depth 2
//   price <= 12.5  missing: no  gain 310.2  documents 6163
//     yes: rating <= 3.5  missing: yes  gain 102.7  documents 4100
//       yes: -0.25  documents 3000
//       no:  0.031  documents 1100
//     no:  0.2  documents 2063
//
// "missing: no" is the branch a missing value takes, "missing or 0" where zero counts as missing.
// Gain and documents are shown where the model's file has them. Indentation ends at 40 levels;
// deeper lines start with their level instead.

#include <cstddef>
#include <span>
#include <string>

#include "glassrank/models/forest/forest.h"

namespace glassrank {

// `names` has one name per feature (display_names.h). Throws Error{kUsage} when
// there is no such tree.
std::string tree_text(const Forest& forest, std::size_t tree, std::span<const std::string> names);

// "price <= 12.5".
std::string condition_text(const TreeNode& node, std::span<const std::string> names,
                           const CategoryNames& categories);
// "missing" or "missing or 0": what takes the branch node.missing_left names.
std::string missing_text(const TreeNode& node);

// The tree with this number; throws Error{kUsage}.
const Tree& tree_of(const Forest& forest, std::size_t tree);

}  // namespace glassrank
