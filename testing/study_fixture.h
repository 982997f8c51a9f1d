#pragma once
// For tests: forests whose scores can be seen. Tree t gives weights[t] to documents whose feature t
// is 1 and nothing to the others.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "glassrank/data/dataset.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank::testing {

inline Forest forest_of(const std::vector<double>& weights) {
  ForestParts parts{.trees = {}, .num_features = weights.size()};
  for (std::uint32_t t = 0; t < weights.size(); ++t) {
    parts.trees.push_back({.nodes = {{.feature = t, .threshold = 0.5F, .left = -1, .right = -2}},
                           .leaf_values = {0, weights[t]}});
  }
  return Forest(std::move(parts));
}

// One row of features per document.
inline Dataset documents_of(const std::vector<std::size_t>& sizes, const std::vector<float>& grades,
                            const std::vector<std::vector<float>>& rows) {
  DatasetParts parts;
  const std::size_t width = rows.front().size();
  parts.features = Buffer<float>(rows.size() * width);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::ranges::copy(rows[r], parts.features.data() + r * width);
  }
  parts.grades = grades;
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < sizes.size(); ++q) ids.push_back(fmt::format("q{}", q));
  parts.queries = QueryGroups(ids, sizes);
  for (std::size_t f = 0; f < width; ++f) parts.schema.add_feature(fmt::format("f{}", f));
  return Dataset(std::move(parts));
}

}  // namespace glassrank::testing
