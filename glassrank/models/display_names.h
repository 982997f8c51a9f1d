#pragma once
// Names of a model's features for people to read.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace glassrank {

// One name per feature: of `names`, else of `fallback` (the names of a data set's columns), else
// "feature 3", counted from 1; both may be empty, the fallback shorter. Control characters become
// '?', so that a name cannot break a line or speak to a terminal.
std::vector<std::string> display_names(std::size_t num_features, std::span<const std::string> names,
                                       std::span<const std::string> fallback);

// Of a forest, an additive model or a scorer.
template <typename Named>
std::vector<std::string> display_names(const Named& model,
                                       std::span<const std::string> fallback = {}) {
  return display_names(model.num_features(), model.feature_names(), fallback);
}

}  // namespace glassrank
