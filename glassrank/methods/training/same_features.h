#pragma once
// Whether validation data have the features of the training data, in their order: by their names.
// A model knows features by their place; data with columns in another order would be scored without
// a complaint, and wrongly.

#include <span>
#include <string>

namespace glassrank {

// Throws Error{kInput}: another number of features, or another name (names that are only numbers
// say no more than the place, and fit any).
void check_same_features(std::span<const std::string> train, std::span<const std::string> valid);

}  // namespace glassrank
