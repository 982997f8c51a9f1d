#include "glassrank/models/io/lightgbm_categories.h"

#include <algorithm>

#include "glassrank/models/io/category_json.h"
#include "glassrank/models/model_categories.h"

namespace glassrank {

CategoryColumns category_columns(const Forest& forest) {
  std::vector<std::size_t> num_asked(forest.num_features());
  for (const Tree& tree : forest.trees()) {
    for (const TreeNode& node : tree.nodes) {
      if (!node.asks_category() || node.categories.size() == 0) continue;
      std::size_t& count = num_asked[node.feature];
      count = std::max<std::size_t>(count, node.categories.codes().back() + 1);
    }
  }
  CategoryColumns columns;
  const std::vector<bool> is_category = category_features(forest);
  for (std::size_t f = 0; f < is_category.size(); ++f) {
    if (!is_category[f]) continue;
    columns.features.push_back(f);
    columns.num_codes.push_back(std::max(names_of(forest.categories(), f).size(), num_asked[f]));
  }
  return columns;
}

std::string pandas_categorical_of(const Forest& forest) {
  if (forest.categories().empty()) return "null";
  const CategoryColumns columns = category_columns(forest);
  return pandas_categorical_text(forest.categories(), columns.features, columns.num_codes);
}

}  // namespace glassrank
