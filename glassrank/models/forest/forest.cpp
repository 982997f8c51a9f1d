#include "glassrank/models/forest/forest.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {

Forest::Forest() : parts_(std::make_shared<const ForestParts>()) {}

Forest::Forest(ForestParts parts) {
  if (!parts.feature_names.empty() && parts.feature_names.size() != parts.num_features) {
    fail(ErrorKind::kInput, "{} feature names for {} features", parts.feature_names.size(),
         parts.num_features);
  }
  check_categories(parts.categories, parts.num_features);
  if (!std::isfinite(parts.base_score)) {
    fail(ErrorKind::kInput, "base score {} is not finite", parts.base_score);
  }
  for (std::size_t t = 0; t < parts.trees.size(); ++t) {
    try {
      validate(parts.trees[t], parts.num_features);
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", t));
      throw;
    }
  }
  parts_ = std::make_shared<const ForestParts>(std::move(parts));
}

double Forest::score(std::span<const float> row) const {
  double sum = base_score();
  for (const Tree& tree : trees()) sum += tree.leaf_values[leaf_of(tree, row)];
  return sum;
}

Forest Forest::first_trees(std::size_t num_trees) const {
  ForestParts parts = *parts_;
  parts.trees.resize(std::min(num_trees, parts.trees.size()));
  return Forest(std::move(parts));
}

}  // namespace glassrank
