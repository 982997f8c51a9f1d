#pragma once
// Which features of a model are categories, and how their values read.
//
// A forest tells by its nodes or its list of names. A table cannot: its axes are edges like any
// others. So an additive model's features of categories always have names; codes without names are
// their own.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/models/model.h"

namespace glassrank {

// Of every feature whether its values are categories.
std::vector<bool> category_features(const Forest& forest);
std::vector<bool> category_features_of(const Model& model);

// Gives categories that are known by code only their codes for names. `is_category`: of every
// feature.
void name_codes(GamParts& parts, const std::vector<bool>& is_category);

// The category that a value stands for: "red", "#7" where the code has no name, "7" where no code
// has, "missing".
std::string category_of_value(std::span<const std::string> names, float value);

// The one category of a cell; none where the axis has no names (is not one of categories) or the
// cell holds several: rare and unseen ones.
std::optional<std::string> category_of_cell(const GamAxis& axis, std::size_t cell,
                                            std::span<const std::string> names);

}  // namespace glassrank
