#pragma once
// Histograms and splits in full precision with exact counts: slow and plain. The oracle of
// PackedSearch, and what `precision = full` uses.
//
// Sums are integers of a unit that is chosen for each tree (math/fixed_point.h), 2^-62 of what all
// rows could add up to: exact, so the same for any number of threads and machines. Splits are
// found in double. One column at a time, columns in parallel. Several machines share the features
// (shared_blocks.h). Memory: 24 bytes a bin and leaf, divided by the machines.

#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/histogram/shared_blocks.h"
#include "glassrank/boosting/histogram/split_task.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/math/fixed_point.h"

namespace glassrank {

struct FullBin {
  double gradient = 0;
  double hessian = 0;
  double count = 0;
};

class FullSearch {
 public:
  FullSearch(BinnedDataset data, const SplitRules& rules, std::size_t num_histograms,
             Context context);

  // Every row is active.
  std::size_t start_tree(const TreeGradients& gradients, const TreeRows& rows);
  void build(std::span<const std::uint32_t> rows, std::size_t histogram);
  void subtract(std::size_t parent, std::size_t child);
  Split find(const SplitTask& task) const;
  bool draws_rows(std::uint64_t /*num_rows*/) const { return false; }

  // One feature's bins, the missing bin last; none of a constant feature. Of several machines'
  // features only those of this one (owns()) are summed.
  std::vector<FullBin> bins(std::size_t histogram, std::size_t feature) const;
  bool owns(std::size_t feature) const { return blocks_.owns(feature); }

 private:
  struct UnitRow {
    std::int64_t gradient;
    std::int64_t hessian;
  };
  // Among the features of this machine.
  Split find_own(const SplitTask& task) const;

  BinnedDataset data_;
  SplitRules rules_;
  Context context_;
  std::vector<std::size_t> offsets_;  // of features in a histogram: gradient, hessian, count a bin
  SharedBlocks blocks_;
  std::vector<std::vector<std::uint32_t>> category_bins_;  // by feature
  FixedPoint gradient_units_;
  FixedPoint hessian_units_;
  std::vector<UnitRow> units_;                         // of the tree's rows
  std::vector<std::int64_t> built_;                    // of this machine's rows
  std::vector<std::vector<std::int64_t>> histograms_;  // of this machine's features
};

// The best split of one feature's bins, by trying every one. `has_missing`: both directions are
// tried, and so is "every value left, missing right".
Split find_in_bins(std::span<const FullBin> bins, std::uint32_t feature, bool has_missing,
                   const SplitRules& rules, const SplitTask& task);

}  // namespace glassrank
