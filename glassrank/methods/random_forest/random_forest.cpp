#include "glassrank/methods/random_forest/random_forest.h"

#include <numeric>

#include "glassrank/boosting/tree/binned_tree.h"
#include "glassrank/objectives/mean_grade.h"

namespace glassrank {

void RandomForestParams::visit(ParamVisitor& visitor) {
  visitor.section("model");
  visitor.field("num_trees", num_trees, "number of trees to average", Range{.low = 1});
  visitor.field("num_leaves", num_leaves, "maximum number of leaves of a tree",
                Range{.low = 1, .high = 65'536});
  visitor.field("max_depth", max_depth,
                "maximum number of splits on the path to a leaf; 0 for no limit", kNotNegative);
  visitor.field("min_leaf_rows", min_leaf_rows, "minimum number of rows in a leaf", kPositive);
  visitor.field("feature_fraction", feature_fraction, "share of the features each tree may use",
                Range{.low = 0, .high = 1, .open_low = true});
  visitor.section("sampling");
  visitor.field("query_fraction", query_fraction, "share of the queries that each tree is grown on",
                Range{.low = 0, .high = 1, .open_low = true});
  visitor.section("model");
  visitor.field("max_bins", max_bins, "maximum number of bins per feature",
                Range{.low = 2, .high = 255});
  watch.visit(visitor);
}

void FixedTarget::prepare(const ObjectiveData& data) { mean_ = mean_grade(data); }

void FixedTarget::gradients(const QueryView& query, ObjectiveScratch& /*scratch*/,
                            GradientView out) const {
  for (std::size_t i = 0; i < query.grades.size(); ++i) {
    out.gradient[i] = static_cast<float>(mean_ - query.grades[i]);
    out.hessian[i] = 1;
  }
}

Forest averaged(const Forest& grown) {
  ForestParts parts{.trees = {grown.trees().begin(), grown.trees().end()},
                    .num_features = grown.num_features(),
                    .feature_names = {grown.feature_names().begin(), grown.feature_names().end()},
                    .base_score = grown.base_score(),
                    .objective = grown.objective(),
                    .categories = grown.categories()};
  const auto num_trees = static_cast<double>(parts.trees.size());
  for (Tree& tree : parts.trees) {
    for (double& value : tree.leaf_values) value /= num_trees;
    for (double& value : tree.statistics.node_value) value /= num_trees;
  }
  return Forest(std::move(parts));
}

OutOfBag out_of_bag(const Forest& grown, const BinnedDataset& data, Sampler& sampler,
                    const Context& context) {
  const std::size_t num_rows = data.num_rows();
  OutOfBag result{.scores = std::vector<double>(num_rows, 0.0),
                  .num_trees = std::vector<std::uint32_t>(num_rows, 0)};
  const Shard shard = shard_of(data.queries(), *context.communicator);
  std::vector<std::uint32_t> seen;
  for (std::size_t t = 0; t < grown.trees().size(); ++t) {
    context.check_stop_anywhere();
    // A function of the round alone: it gives the rows that the tree was grown on.
    if (!sampler.select_documents(
            {.round = t, .data = data, .scores = {}, .context = context, .shard = shard}, seen)) {
      continue;
    }
    const Forest tree({.trees = {grown.trees()[t]}, .num_features = grown.num_features()});
    const std::vector<double> values = forest_scores(tree, data, context);
    std::size_t next = 0;
    for (std::uint32_t r = 0; r < num_rows; ++r) {
      const bool is_seen = next < seen.size() && seen[next] == r;
      if (is_seen) {
        ++next;
        continue;
      }
      result.scores[r] += values[r];
      ++result.num_trees[r];
    }
  }
  for (std::size_t r = 0; r < num_rows; ++r) {
    if (result.num_trees[r] > 0) result.scores[r] /= result.num_trees[r];
    result.scores[r] += grown.base_score();
  }
  return result;
}

}  // namespace glassrank
