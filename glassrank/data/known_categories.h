#pragma once
// Whether two sides can mean the same categories: by names that both know, or by codes.

#include <cstdint>
#include <span>
#include <string>

#include "glassrank/base/function_ref.h"
#include "glassrank/data/match_columns.h"

namespace glassrank {

// Whether names are what data of codes would have: most of them are numbers. No code can be brought
// together with other names.
bool are_numbers(std::span<const std::string> names);
// Whether every name is its own code, "0", "1", "2", ...: data without names means the same.
bool are_own_codes(std::span<const std::string> names);

// Throws Error{kInput} for a feature whose categories have names in the data while `wanted` knows
// only their codes, so that nobody can tell which code is which; `is_used` lets features through
// that do not matter.
void require_known_categories(const WantedFeatures& wanted, const Schema& data,
                              const ColumnMatch& match, const MatchRules& rules,
                              FunctionRef<bool(std::uint32_t)> is_used);

// The other way round: throws Error{kInput} where the data has numbers for a feature whose
// categories are wanted by names. A column that is missing everywhere has neither.
void require_names(const Dataset& data, const WantedFeatures& wanted, std::size_t feature,
                   std::uint32_t column);

}  // namespace glassrank
