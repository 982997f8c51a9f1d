#pragma once
// All work on the rows of a training, behind one interface: histograms, the partition of the rows
// into leaves, sums of leaves and the update of scores.
//
// Three parts grow a forest. The booster goes from round to round: objective, sampler, observers.
// The grower (tree/tree_grower.h) decides for one tree: which leaf is split next, on which features
// it may be split, within which bounds. A backend does what they ask for; it alone touches rows,
// and it alone decides in which precision. Another kind of hardware or another set of kernels is
// another TreeBackend; neither booster nor grower changes.
//
// The life of a tree:
//   start_tree()                       leaf 0, the root, has every row of the tree
//   prepare_root(), best_split(0)
//   divide(leaf, split)                the leaf keeps what goes left; a new leaf has the rest
//   prepare_children(), best_split()   of those that may be split further
//   leaf_sums()                        from which leaf values are made
//   add_tree()                         the finished tree on the scores of every training row
// Leaves are numbered as they are made, as in the grown tree. A virtual call is made per leaf or
// per tree, never per row.
// Counts and sums are of all machines together: an implementation adds them up through the
// communicator of its context, so that every machine grows the same tree. Calls are collective.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/times.h"
#include "glassrank/boosting/tree/binned_tree.h"
#include "glassrank/boosting/tree/split.h"
#include "glassrank/data/binned_dataset.h"

namespace glassrank {

struct BoosterParams;

struct TreeGradients {
  std::span<const float> gradient;  // of every row of the training set
  std::span<const float> hessian;
  std::size_t round = 0;
  std::size_t first_row = 0;  // its number among the rows of all machines (data/shard.h)
};

// The rows a tree is grown on, ascending; none: every row.
using SampledRows = std::optional<std::span<const std::uint32_t>>;

// Rows of both halves of a leaf, on all machines.
struct ChildCounts {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
};

class TreeBackend {
 public:
  virtual ~TreeBackend() = default;

  // Forgets the last tree. Returns the number of rows of leaf 0 on all machines. What the spans
  // point to stays until the tree is added to the scores.
  virtual std::uint64_t start_tree(const TreeGradients& gradients, SampledRows rows) = 0;

  // Readies leaf 0 for best_split().
  virtual void prepare_root() = 0;
  // Readies the halves that were made last for best_split(), if they may be split.
  virtual void prepare_children(std::size_t left, bool split_left, bool split_right) = 0;

  // The best split of a leaf that was readied, on a feature with allowed[feature] != 0, with values
  // of both sides within the bounds; none if nothing gains enough. Monotone directions hold.
  virtual Split best_split(std::size_t leaf, std::span<const std::uint8_t> allowed,
                           const ValueBounds& bounds) = 0;

  // Divides the rows of a leaf at its best split. None if a side would have fewer rows than the
  // rules ask for, which a backend that estimates counts may only now find out: then the leaf stays
  // whole, and best_split() will answer more carefully.
  virtual std::optional<ChildCounts> divide(std::size_t leaf, const Split& split) = 0;

  // Of every leaf, over all of its rows and in full precision.
  virtual std::vector<LeafSums> leaf_sums() = 0;

  // scores[row] += the value of its leaf, for every row of the training set, sampled or not. The
  // tree is the one that was grown.
  virtual void add_tree(const BinnedTree& tree, std::span<double> scores) = 0;

  // Whether trees are grown on rows drawn by chance: where one round found no split, a later one
  // may.
  virtual bool draws_rows() const = 0;
};

// What a backend is made for.
struct BackendTask {
  BinnedDataset data;
  std::vector<std::int8_t> monotone = {};  // empty, or -1, 0, 1 per feature
  BoostingTimes& times;                    // where time goes is added here
};

// The one place that chooses an implementation.
std::unique_ptr<TreeBackend> make_tree_backend(const BackendTask& task, const BoosterParams& params,
                                               const Context& context);

}  // namespace glassrank
