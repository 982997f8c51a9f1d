#include "glassrank/explain/tree_shap/decision_path.h"

#include <algorithm>
#include <array>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsAtOnce = 64;

}  // namespace

std::span<const std::pair<std::string_view, PathMeasure>> EnumNames<PathMeasure>::table() {
  static constexpr std::array kTable = {
      std::pair<std::string_view, PathMeasure>{"contribution", PathMeasure::kContribution},
      std::pair<std::string_view, PathMeasure>{"frequency", PathMeasure::kFrequency},
  };
  return kTable;
}

std::span<const std::pair<std::string_view, PathTotal>> EnumNames<PathTotal>::table() {
  static constexpr std::array kTable = {
      std::pair<std::string_view, PathTotal>{"sum", PathTotal::kSum},
      std::pair<std::string_view, PathTotal>{"mean", PathTotal::kMean},
  };
  return kTable;
}

void DecisionPathParams::visit(ParamVisitor& visitor) {
  visitor.field("measure", measure,
                "what decisions are counted by: contribution, the change of the expected score; "
                "frequency, the share of the decisions");
  visitor.field("total", total, "sum or mean over the trees");
  visitor.field("exclude_leaf", exclude_leaf, "contributions: leave out the step into the leaf");
  visitor.field("cover", cover,
                "weight of a leaf: the count of its training rows or the sum of their hessians; "
                "auto: counts if the model has them");
}

DecisionPaths::DecisionPaths(const Forest& forest, const DecisionPathParams& params)
    : forest_(forest), params_(params) {
  if (params.measure == PathMeasure::kFrequency) return;
  const Cover cover = resolve_cover(forest, params.cover);
  for (const Tree& tree : forest.trees()) {
    const std::vector<NodeShares> shares = node_shares(tree, cover);
    means_.push_back(node_means(tree, shares));
    base_value_ += tree.nodes.empty() ? tree.leaf_values.front() : means_.back().front();
  }
  if (params.total == PathTotal::kSum) {
    base_value_ += forest.base_score();
  } else if (!forest.trees().empty()) {
    base_value_ /= static_cast<double>(forest.trees().size());
  }
}

void DecisionPaths::add_path(std::size_t tree, std::span<const float> row,
                             std::span<double> values) const {
  const Tree& walked = forest_.trees()[tree];
  std::vector<std::uint32_t> asked;
  for (std::int32_t at = walked.nodes.empty() ? -1 : 0; at >= 0;) {
    const TreeNode& node = walked.nodes[static_cast<std::size_t>(at)];
    const std::int32_t child = goes_left(node, row[node.feature]) ? node.left : node.right;
    if (params_.measure == PathMeasure::kFrequency) {
      asked.push_back(node.feature);
    } else if (child >= 0 || !params_.exclude_leaf) {
      const double value = child < 0 ? walked.leaf_values[static_cast<std::size_t>(~child)]
                                     : means_[tree][static_cast<std::size_t>(child)];
      values[node.feature] += value - means_[tree][static_cast<std::size_t>(at)];
    }
    at = child;
  }
  for (const std::uint32_t feature : asked) {
    values[feature] += 1 / static_cast<double>(asked.size());
  }
}

void DecisionPaths::values(MatrixView<const float> rows, MatrixView<double> values,
                           const Context& context) const {
  if (rows.num_columns() < num_features()) {
    fail(ErrorKind::kUsage, "rows of {} features for a model of {}", rows.num_columns(),
         num_features());
  }
  if (values.num_rows() != rows.num_rows() || values.num_columns() != num_features()) {
    fail(ErrorKind::kUsage, "room for {} x {} values where there are {} x {}", values.num_rows(),
         values.num_columns(), rows.num_rows(), num_features());
  }
  const std::size_t num_trees = forest_.trees().size();
  const bool is_mean = params_.total == PathTotal::kMean && num_trees > 0;
  parallel_for(context, rows.num_rows(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    for (std::size_t r = begin; r < end; ++r) {
      const std::span<double> row = values.row(r);
      std::ranges::fill(row, 0.0);
      for (std::size_t t = 0; t < num_trees; ++t) add_path(t, rows.row(r), row);
      if (!is_mean) continue;
      for (double& value : row) value /= static_cast<double>(num_trees);
    }
  });
}

}  // namespace glassrank
