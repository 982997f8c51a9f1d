#pragma once
// Histograms and splits of quantised gradients: what `precision = fast` uses.
//
// Histograms are integers (packed_histogram.h), scanned 16 features at a time (scan_kernel.h); the
// winner's gain and values are then computed in double from its exact integer sums. Row counts of
// children are estimated from hessians, count = rows * H / H_leaf, and only ever used to pass over
// splits; the backend checks exact counts and asks again. Where estimates leave no split although
// one gains, the leaf's rows are counted: no split is given up for an estimate. Leaves with bounds
// and features with a direction or of categories take the plain path of full_search.h on the same
// sums. A child without any quantised hessian is never made.
// Several machines share the features (shared_planes.h): each adds up and searches its own groups,
// and all take the best of what they found.

#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/histogram/full_search.h"
#include "glassrank/boosting/histogram/histogram_builder.h"
#include "glassrank/boosting/histogram/packed_histogram.h"
#include "glassrank/boosting/histogram/quantise.h"
#include "glassrank/boosting/histogram/scan_kernel.h"
#include "glassrank/boosting/histogram/shared_planes.h"
#include "glassrank/boosting/histogram/split_task.h"
#include "glassrank/data/binned_dataset.h"

namespace glassrank {

class PackedSearch {
 public:
  struct Setup {
    SplitRules rules;
    std::size_t num_histograms = 1;
    ActiveShare active = {};
  };
  PackedSearch(BinnedDataset data, const Setup& setup, Context context);

  std::size_t start_tree(const TreeGradients& gradients, const TreeRows& rows);
  void build(std::span<const std::uint32_t> rows, std::size_t histogram);
  void subtract(std::size_t parent, std::size_t child);
  Split find(const SplitTask& task) const;
  bool draws_rows(std::uint64_t num_rows) const { return setup_.active.of(num_rows) < 1; }

  const Scales& scales() const { return scales_; }
  std::span<const std::int32_t> packed() const { return packed_.span(); }
  // One feature's bins in real units, the missing bin last; counts are estimates that add up to
  // num_rows. Of several machines' features only those of this one (owns()) are summed.
  std::vector<FullBin> bins(std::size_t histogram, std::size_t feature, std::size_t num_rows) const;
  bool owns(std::size_t feature) const;

 private:
  struct Totals {
    std::int32_t gradient = 0;
    std::int32_t hessian = 0;
  };
  Totals totals(std::size_t histogram) const;
  // What a search has found. Scans compare by a score of their own, which finish() makes a gain.
  struct Found {
    Split scanned;   // gain: the score
    Split finished;  // the same
    Split plain;     // of features that needs_plain()
  };
  // With the counts that the task asks for: among all features, and among those of this machine.
  Split search(const SplitTask& task) const;
  Found search_own(const SplitTask& task) const;
  ScanInput scan_input(const SplitTask& task, const Totals& total) const;
  // Of one lane, as the scan takes them.
  struct Limits {
    std::int32_t& first_split;
    std::int32_t& num_splits;
  };
  // `counts` are the feature's; `start_count` rows are left whatever the split.
  void limit_splits(const SplitTask& task, std::span<const std::uint64_t> counts,
                    std::uint64_t start_count, Limits limits) const;
  // `counts` are of every bin, if the task asks for them.
  void scan_feature_group(const SplitTask& task, std::size_t group,
                          std::span<const std::uint64_t> counts, ScanInput& input,
                          Split& best) const;
  void take_best_lane(const FeatureGroup& group, const ScanOutput& output, bool missing_left,
                      Split& best) const;
  Split finish(const SplitTask& task, const Totals& total, const Split& found) const;
  Split find_plainly(const SplitTask& task, std::size_t feature,
                     std::span<const std::uint64_t> counts) const;
  bool needs_plain(const SplitTask& task, std::size_t feature) const;
  std::vector<std::uint64_t> count_rows(const SplitTask& task) const;

  BinnedDataset data_;
  Setup setup_;
  Context context_;
  RowBlocks blocks_;
  HistogramBuilder builder_;
  Scales scales_;
  Buffer<std::int32_t> packed_;
  Buffer<std::uint32_t> scratch_;
  SharedPlanes shared_;
  std::vector<PackedHistogram> histograms_;
  std::vector<std::vector<std::uint32_t>> category_bins_;  // by feature
  bool has_categories_ = false;
  std::vector<std::size_t> bin_begins_;  // of features, when bins are counted one after the other
};

}  // namespace glassrank
