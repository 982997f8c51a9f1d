#pragma once
// Whether validation data have the features of the training data, in their order.

#include "glassrank/data/dataset.h"

namespace glassrank {

// Throws Error{kInput}: another number of features, or another name (names that are only numbers
// say no more than the place, and fit any).
void check_same_features(const Dataset& train, const Dataset& valid);

}  // namespace glassrank
