#include "glassrank/boosting/tree/constraints.h"

#include <algorithm>
#include <utility>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

FeatureSets checked(FeatureSets sets, std::size_t num_features) {
  if (sets.empty()) fail(ErrorKind::kUsage, "feature sets: at least one is needed");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (sets[s].empty()) fail(ErrorKind::kUsage, "feature set {} is empty", s);
    std::ranges::sort(sets[s]);
    const auto repeated = std::ranges::unique(sets[s]);
    sets[s].erase(repeated.begin(), repeated.end());
    if (sets[s].back() >= num_features) {
      fail(ErrorKind::kUsage, "feature set {}: feature {} of data with {} features", s,
           sets[s].back(), num_features);
    }
  }
  return sets;
}

void restrict_to_sets(const FeatureSets& sets, std::span<const std::uint32_t> used,
                      std::span<std::uint8_t> allowed) {
  std::vector<std::uint8_t> in_a_set(allowed.size());
  for (const std::vector<std::uint32_t>& set : sets) {
    if (!std::ranges::includes(set, used)) continue;
    for (const std::uint32_t feature : set) in_a_set[feature] = 1;
  }
  for (std::size_t f = 0; f < allowed.size(); ++f) allowed[f] &= in_a_set[f];
}

}  // namespace

InteractionSets::InteractionSets(FeatureSets sets, std::size_t num_features)
    : sets_(checked(std::move(sets), num_features)) {}

void InteractionSets::restrict(std::span<const std::uint32_t> branch_features,
                               std::span<const std::uint32_t> /*tree_features*/,
                               std::span<std::uint8_t> allowed) const {
  restrict_to_sets(sets_, branch_features, allowed);
}

TreeFeatureSets::TreeFeatureSets(FeatureSets sets, std::size_t num_features)
    : sets_(checked(std::move(sets), num_features)) {}

void TreeFeatureSets::restrict(std::span<const std::uint32_t> /*branch_features*/,
                               std::span<const std::uint32_t> tree_features,
                               std::span<std::uint8_t> allowed) const {
  restrict_to_sets(sets_, tree_features, allowed);
}

DistinctFeatures::DistinctFeatures(std::vector<std::uint32_t> features, std::size_t num_features)
    : features_(checked({std::move(features)}, num_features)) {}

void DistinctFeatures::restrict(std::span<const std::uint32_t> /*branch_features*/,
                                std::span<const std::uint32_t> tree_features,
                                std::span<std::uint8_t> allowed) const {
  restrict_to_sets(features_, {}, allowed);
  for (const std::uint32_t feature : tree_features) allowed[feature] = 0;
}

}  // namespace glassrank
