#pragma once
// One tree as JSON: nodes and leaves as two lists, as in tree.h, so that depth is no burden.
//
//   {"tree": 0, "depth": 2,
//    "nodes":  [{"feature": 3, "name": "price", "threshold": 12.5, "missing": "right",
//                "zero_is_missing": false, "left": {"node": 1}, "right": {"leaf": 2},
//                "gain": 310.2, "value": 0.1, "weight": 800.5, "documents": 6163}, ...],
//    "leaves": [{"value": -0.25, "weight": 300.25, "documents": 3000}, ...]}
//
// A node that asks for categories has "categories", their names or codes, instead of "threshold":
// the left child is for those. Features count from 0, as in the model. An infinite threshold is the
// text "inf" or "-inf". What the model's file does not have is left out. Include only from sources
// (base/json.h).

#include <cstddef>
#include <span>
#include <string>

#include "glassrank/base/json.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// `names` has one name per feature. Throws Error{kUsage} when there is no such tree.
Json tree_json(const Forest& forest, std::size_t tree, std::span<const std::string> names);

}  // namespace glassrank
