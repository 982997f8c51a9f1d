#include "glassrank/studies/outlier_options.h"

#include <cmath>

#include "glassrank/base/error.h"

namespace glassrank {

void OutlierOptions::visit(ParamVisitor& visitor) {
  visitor.field("cutoff", cutoff, "number of ranks that count as the top", Range{.low = 1});
  visitor.field("negative_grade", rule.negative_grade, "documents above this grade are relevant");
  visitor.field(
      "definition", rule.definition,
      "definition of an outlier: the paper's, or the broader one of the authors' program");
}

OutlierRule OutlierOptions::resolve() const {
  OutlierRule resolved = rule;
  resolved.cutoff = static_cast<std::size_t>(cutoff);
  return resolved;
}

std::size_t window_end(int start, int end, std::size_t num_trees) {
  const std::size_t last = end == 0 ? num_trees : static_cast<std::size_t>(end);
  if (last > num_trees) {
    fail(ErrorKind::kUsage, "the window ends at tree {}, but the model has {}", last, num_trees);
  }
  if (static_cast<std::size_t>(start) > last) {
    fail(ErrorKind::kUsage, "the window begins at tree {} and ends at tree {}", start, last);
  }
  return last;
}

std::vector<std::size_t> tree_numbers(std::string_view option, const std::vector<double>& trees) {
  std::vector<std::size_t> numbers;
  for (const double tree : trees) {
    if (tree != std::floor(tree)) {
      fail(ErrorKind::kUsage, "{} {} is not the number of a tree, counted from 1", option, tree);
    }
    numbers.push_back(static_cast<std::size_t>(tree));
  }
  return numbers;
}

}  // namespace glassrank
