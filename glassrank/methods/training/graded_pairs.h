#pragma once
// Data to learn an order from need a query with two different grades.

#include <string_view>

#include "glassrank/data/dataset.h"

namespace glassrank {

bool has_graded_pairs(const Dataset& data);
// Throws Error{kInput} "RankBoost learns from pairs of documents with different grades, and no
// query has one".
void check_graded_pairs(const Dataset& data, std::string_view learner);

}  // namespace glassrank
