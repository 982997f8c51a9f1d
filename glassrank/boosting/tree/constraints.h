#pragma once
// Which features a leaf may be split on, given what its branch and its tree have used.
//
// A feature set "allows" f after the used features U when it contains U and f.
//   InteractionSets: U = features on the way from the root to the leaf (per branch).
//   TreeFeatureSets: U = features used anywhere in the tree so far (ILMART: trees of one effect).
// A feature in no set is not allowed at all. Sets that contain each other are fine.
// DistinctFeatures allows f until the tree has used it: no feature is split on twice (ILMART: the
// trees of two splits that show pairs).
// The grower asks before every search of a leaf. Monotone directions are its own: tree_grower.h.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glassrank {

using FeatureSets = std::vector<std::vector<std::uint32_t>>;

class TreeConstraint {
 public:
  virtual ~TreeConstraint() = default;
  // Clears allowed[f] (one per feature, 1 on entry unless something else forbids it) for every
  // feature that may not be split on. Both lists ascend without repetition.
  virtual void restrict(std::span<const std::uint32_t> branch_features,
                        std::span<const std::uint32_t> tree_features,
                        std::span<std::uint8_t> allowed) const = 0;
  // Whether splits found earlier may become forbidden when another leaf is split.
  virtual bool depends_on_tree() const = 0;
};

class InteractionSets final : public TreeConstraint {
 public:
  // Throws Error{kUsage}: no set, an empty set, a feature >= num_features.
  InteractionSets(FeatureSets sets, std::size_t num_features);
  void restrict(std::span<const std::uint32_t> branch_features,
                std::span<const std::uint32_t> tree_features,
                std::span<std::uint8_t> allowed) const override;
  bool depends_on_tree() const override { return false; }

 private:
  FeatureSets sets_;
};

class TreeFeatureSets final : public TreeConstraint {
 public:
  TreeFeatureSets(FeatureSets sets, std::size_t num_features);
  void restrict(std::span<const std::uint32_t> branch_features,
                std::span<const std::uint32_t> tree_features,
                std::span<std::uint8_t> allowed) const override;
  bool depends_on_tree() const override { return true; }

 private:
  FeatureSets sets_;
};

class DistinctFeatures final : public TreeConstraint {
 public:
  // Throws as the sets do: `features` are one set.
  DistinctFeatures(std::vector<std::uint32_t> features, std::size_t num_features);
  void restrict(std::span<const std::uint32_t> branch_features,
                std::span<const std::uint32_t> tree_features,
                std::span<std::uint8_t> allowed) const override;
  bool depends_on_tree() const override { return true; }

 private:
  FeatureSets features_;  // one set
};

}  // namespace glassrank
