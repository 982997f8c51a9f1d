#pragma once
// Which features LightGBM's files treat as categories, and the names of their codes: what its text
// models and its dumps share.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/models/forest/forest.h"

namespace glassrank {

// Features whose values are categories, ascending, and how many codes each has.
struct CategoryColumns {
  std::vector<std::size_t> features;
  std::vector<std::size_t> num_codes;
};
CategoryColumns category_columns(const Forest& forest);

// The JSON of pandas_categorical: "null" where no feature has names.
std::string pandas_categorical_of(const Forest& forest);

}  // namespace glassrank
