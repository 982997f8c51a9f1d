#pragma once
// What is lost when a forest goes to a format that knows less about missing values.

#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// For formats without "zero counts as missing": throws Error{kInput} "tree T, node N: ..." at the
// first such node where a zero would go the other way by comparison, for then complete rows too
// would get another score.
void require_zeros_compare(const Forest& forest, std::string_view format);

// For formats whose nodes only compare: throws Error{kInput} "tree T, node N: ..." at the first
// node that asks for categories.
void require_comparisons(const Forest& forest, std::string_view format);

// LightGBM sends what is missing to the right where it asks for categories: a notice with the
// number of nodes that send it left.
void warn_of_lost_categories(const Forest& forest, const Context& context);

// How a format without missing values treats NaN.
enum class NanRule { kAsZero, kGoesRight };

// For such formats: a notice with the number of nodes that send a missing value elsewhere.
void warn_of_lost_missing(const Forest& forest, NanRule rule, std::string_view format,
                          const Context& context);

}  // namespace glassrank
