#pragma once
// What the outlier studies share: which documents count as outliers, and over which trees.

#include <cstddef>

#include "glassrank/base/params.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/methods/cleaners/outliers.h"

namespace glassrank {

struct OutlierOptions {
  OutlierRule rule;
  int cutoff = 10;

  void visit(ParamVisitor& visitor);
  OutlierRule resolve() const;
};

// The last tree of a window: `end`, or all trees for 0. Throws Error{kUsage} for windows that are
// empty or longer than the forest.
std::size_t window_end(int start, int end, std::size_t num_trees);

// A parameter that lists trees, counted from 1. Throws Error{kUsage} for what is not whole.
std::vector<std::size_t> tree_numbers(std::string_view option, const std::vector<double>& trees);

}  // namespace glassrank
