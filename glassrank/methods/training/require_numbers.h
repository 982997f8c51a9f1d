#pragma once
// For methods that compute with feature values: codes of categories are no numbers.

#include <string_view>

#include "glassrank/data/schema.h"

namespace glassrank {

// Throws Error{kUsage} naming the method and the first feature that is one of categories.
void require_numbers(const Schema& schema, std::string_view method);

}  // namespace glassrank
