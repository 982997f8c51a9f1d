#pragma once
// Data to learn an order from need a query with two different grades, rows that have a weight, and
// a feature with two different values. Without these every ranking is as good as any other: a
// learner would end where it began and call that a model, so it asks here first.

#include <string_view>

#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

bool has_graded_pairs(const Dataset& data);
// Throws Error{kInput} "RankBoost learns from pairs of documents with different grades, and no
// query has one".
void check_graded_pairs(const Dataset& data, std::string_view learner);
// Throws Error{kInput} "no row of the training data has any weight".
void check_row_weights(const Dataset& data);
// Throw Error{kInput} "no feature of the training data has two different values, so that nothing
// tells documents apart". A missing value differs from any other. For bins: no two bins.
void check_features_differ(const Dataset& data);
void check_features_differ(const BinnedDataset& data);
[[noreturn]] void fail_no_feature_differs();

}  // namespace glassrank
