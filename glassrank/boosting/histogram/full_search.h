#pragma once
// Histograms and splits in double with exact counts: slow and plain. The oracle of PackedSearch,
// and what `precision = full` uses.
//
// One column at a time, rows in order, columns in parallel: sums do not depend on the threads.
// Memory: 24 bytes a bin and leaf.

#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/histogram/split_task.h"
#include "glassrank/data/binned_dataset.h"

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

  // One feature's bins, the missing bin last.
  std::span<const FullBin> bins(std::size_t histogram, std::size_t feature) const;

 private:
  std::vector<FullBin>& room(std::size_t histogram);

  BinnedDataset data_;
  SplitRules rules_;
  Context context_;
  TreeGradients gradients_;
  std::vector<std::size_t> offsets_;  // of features in a histogram
  std::vector<std::vector<FullBin>> histograms_;
};

// The best split of one feature's bins, by trying every one. `has_missing`: both directions are
// tried, and so is "every value left, missing right".
Split find_in_bins(std::span<const FullBin> bins, std::uint32_t feature, bool has_missing,
                   const SplitRules& rules, const SplitTask& task);

}  // namespace glassrank
