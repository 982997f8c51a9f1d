#pragma once
// Names of categories in the JSON of model files.
//
// Programs that learn from data frames keep the values themselves: numbers and booleans stay what
// they are there, and their names here are how they are written in text (7, 2.5, True).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/json.h"
#include "glassrank/data/category_names.h"

namespace glassrank {

// Throws Error{kInput}: not an array of texts, numbers and booleans.
std::vector<std::string> category_names_from(const Json& values);
// Numbers where all names are numbers that read back as they are, else texts.
Json category_values(std::span<const std::string> names);

// LightGBM's pandas_categorical: a list for each feature of categories, in the order of features,
// without their numbers. `features`: which these are. Empty unless there are as many of both.
CategoryNames read_pandas_categorical(const Json& lists, std::span<const std::size_t> features,
                                      std::size_t num_features);
// "null" where no feature has names. Codes without names up to `largest_code` of their feature are
// their own names.
std::string pandas_categorical_text(const CategoryNames& categories,
                                    std::span<const std::size_t> features,
                                    std::span<const std::size_t> num_codes);

// XGBoost's "cats" (from 3.1 on): for each feature the values of its categories by code, either
// the bytes of all texts with the place where each begins, or numbers.
CategoryNames read_xgboost_cats(const Json& cats, std::size_t num_features);
std::string xgboost_cats_text(const CategoryNames& categories, std::size_t num_features);

}  // namespace glassrank
