#pragma once
// Grades from utilities: the highest utilities get the highest grade, in given shares.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

// `shares[g]` of the rows get grade g. Returns the lowest utility of each grade from 1 up: grade =
// number of thresholds <= utility. Equal utilities get equal grades. O(rows * grades).
std::vector<float> grade_thresholds(std::span<const float> utilities,
                                    std::span<const double> shares);
float grade_of(float utility, std::span<const float> thresholds);

// The same shares within every query, by rank; equal utilities in row order.
void grade_within_queries(std::span<const float> utilities, const QueryGroups& queries,
                          std::span<const double> shares, const Context& context,
                          std::span<float> grades);

}  // namespace glassrank
