#pragma once
// What a model may do with its features, as people write it.
//
//   monotone      "+bm25", "-price": the score never falls (+) or never rises (-) with the feature
//   interactions  "[title,body]", "[price,year]": features of one branch of a tree must be together
//                 in one of the sets; a feature in no set is not used at all. Round brackets or
//                 none will do too.
// Features are named, or numbered from 1 where the data has no names (a name that is a number
// wins).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/boosting/tree/constraints.h"
#include "glassrank/data/schema.h"

namespace glassrank {

// -1, 0 or 1 per feature; empty without texts. Throws Error{kUsage}: no sign, an unknown feature
// (with the nearest name), both directions for one feature.
std::vector<std::int8_t> parse_monotone(std::span<const std::string> texts,
                                        std::span<const std::string> feature_names);

// Throws Error{kUsage} where a feature of categories has a direction.
void check_directions(std::span<const std::int8_t> directions, const Schema& schema);

// Throws Error{kUsage}: an unknown feature, an empty set.
FeatureSets parse_interactions(std::span<const std::string> texts,
                               std::span<const std::string> feature_names);

}  // namespace glassrank
