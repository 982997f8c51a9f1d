#include "glassrank/methods/lambdamart/training_bins.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/data/shard.h"

namespace glassrank {
namespace {

// The finite thresholds of each feature.
std::vector<std::set<float>> thresholds_of(const Forest& forest) {
  std::vector<std::set<float>> thresholds(forest.num_features());
  for (const Tree& tree : forest.trees()) {
    for (const TreeNode& node : tree.nodes) {
      if (node.zero_is_missing) {
        fail(ErrorKind::kInput,
             "the model to go on from counts zero as missing (LightGBM's zero_as_missing); "
             "training cannot continue that");
      }
      if (node.asks_category()) {
        for (const float edge : edges_of(node.categories)) thresholds[node.feature].insert(edge);
        continue;
      }
      // Everything left (+infinity) is no cut; nothing left is one, below every value.
      if (node.threshold < std::numeric_limits<float>::infinity()) {
        thresholds[node.feature].insert(node.threshold + 0.0F);  // -0 is +0
      }
    }
  }
  return thresholds;
}

BinEdges with_thresholds(const BinEdges& edges, const Forest& forest) {
  const std::vector<std::set<float>> thresholds = thresholds_of(forest);
  std::vector<std::uint64_t> offsets = {0};
  std::vector<float> cuts;
  for (std::size_t f = 0; f < edges.num_features(); ++f) {
    std::ranges::set_union(edges.cuts(f), thresholds[f], std::back_inserter(cuts));
    offsets.push_back(cuts.size());
  }
  return BinEdges(std::move(offsets), std::move(cuts));
}

// Names may differ (peers invent their own), but not say that the columns are in another order.
void check_names(const Forest& forest, std::span<const std::string> ours) {
  if (forest.num_features() != ours.size()) {
    fail(ErrorKind::kInput, "the model to go on from has {} features, the training data {}",
         forest.num_features(), ours.size());
  }
  for (std::size_t f = 0; f < forest.feature_names().size(); ++f) {
    const std::string& name = forest.feature_names()[f];
    if (name == ours[f]) continue;
    const auto at = std::ranges::find(ours, name);
    if (at == ours.end()) continue;
    fail(ErrorKind::kInput,
         "feature {} of the model to go on from is '{}', which is feature {} of the training data; "
         "the columns must be in the same order",
         f + 1, name, at - ours.begin() + 1);
  }
}

}  // namespace

BinnedDataset bin_for_training(const Dataset& data, const BinParams& params,
                               const Forest* warm_start, const Context& context) {
  if (warm_start == nullptr) return bin_dataset(data, params, context);
  check_names(*warm_start, data.feature_names());
  const Shard shard = shard_of(data.queries(), *context.communicator);
  const RowSample sample(shard.num_rows, params.sample_rows, context.seed);
  const BinEdges edges = find_bin_edges(
      {.features = data.features(), .first_row = shard.first_row, .schema = data.schema()}, sample,
      params, context);
  return bin_with(data, std::make_shared<const BinEdges>(with_thresholds(edges, *warm_start)),
                  context);
}

BinnedDataset bin_for_training(const BinnedDataset& data, const Forest* warm_start) {
  if (warm_start == nullptr) return data;
  check_names(*warm_start, data.feature_names());
  const std::vector<std::set<float>> thresholds = thresholds_of(*warm_start);
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    for (const float threshold : thresholds[f]) {
      if (std::ranges::binary_search(data.edges().cuts(f), threshold)) continue;
      fail(
          ErrorKind::kInput,
          "the model to go on from splits feature '{}' at {}, which is no border of the bins; give "
          "training data with feature values",
          data.feature_names()[f], threshold);
    }
  }
  return data;
}

}  // namespace glassrank
