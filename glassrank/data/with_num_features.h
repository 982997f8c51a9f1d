#pragma once
// Data with more features than its file has.

#include <cstddef>

#include "glassrank/data/dataset.h"

namespace glassrank {

// What load_dataset gives for the same file with ReadParams::num_features = num_features, without
// reading it again. Sparse text ends at the highest feature it names, so a validation file may have
// fewer features than the training file. Features are added behind the others: 0 in every row, or
// NaN if the file was read with absent = missing; named by their number, counted from the file's
// first feature (0 in a 0-based SVMlight file, else 1). Grades, queries, weights, ids and source
// rows stay.
// The data as they are, when they have that many features or more, and when they were not read from
// text: a cache and data made by a program have the features they have, as load_dataset has it.
// Throws Error{kInput} when a feature has such a number for a name already.
// Cost: a copy of the matrix.
Dataset with_num_features(Dataset data, std::size_t num_features);

}  // namespace glassrank
