#pragma once
// What a format of models has no place for, so that a model read from it lacks it.

#include <string_view>

namespace glassrank {

// The key in the provenance of a model; the value is a sentence for whoever loads it.
inline constexpr std::string_view kLacks = "lacks";

}  // namespace glassrank
