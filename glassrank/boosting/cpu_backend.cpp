#include "glassrank/boosting/cpu_backend.h"

#include <algorithm>
#include <utility>

#include "glassrank/boosting/histogram/full_search.h"
#include "glassrank/boosting/histogram/packed_search.h"
#include "glassrank/boosting/tree/leaf_values.h"
#include "glassrank/boosting/tree/row_partition.h"
#include "glassrank/boosting/tree/unsampled_rows.h"

namespace glassrank {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
// A leaf whose split failed by its exact counts: estimated ones are asked for 2, 4, ... times the
// minimum before exact ones are counted, which costs as much as a histogram. Where that is a good
// part of the leaf, it would pass over much, and counting costs little.
constexpr double kStrictest = 16;
constexpr double kGoodPart = 0.25;

// Rows of a leaf on all machines together.
struct LeafCounts {
  std::uint64_t active = 0;
  std::uint64_t idle = 0;
  std::uint64_t all() const { return active + idle; }
};

struct CpuLeaf {
  LeafRows rows;
  LeafCounts counts;
  std::size_t histogram = kNone;  // none: not to be split
  double strictness = 1;
};

template <SplitSearch Search>
class CpuBackend final : public TreeBackend {
 public:
  // The search is made in place: it is large and stays where it is.
  template <typename... SearchArguments>
  CpuBackend(const BackendTask& task, const BoosterParams& params, const Context& context,
             SearchArguments&&... arguments)
      : task_(task),
        min_leaf_rows_(static_cast<std::size_t>(params.min_leaf_rows)),
        context_(context),
        num_rows_(everywhere(task.data.num_rows())),
        partition_(task.data, context),
        search_(task.data, std::forward<SearchArguments>(arguments)..., context) {
    leaves_.reserve(static_cast<std::size_t>(params.num_leaves));
  }

  std::uint64_t start_tree(const TreeGradients& gradients, SampledRows sampled) override {
    gradients_ = gradients;
    sampled_ = sampled;
    const std::span<std::uint32_t> rows =
        sampled ? partition_.start(*sampled) : partition_.start_all();
    const std::uint64_t num_rows = sampled ? everywhere(rows.size()) : num_rows_;
    const Stopwatch watch(task_.times.quantise);
    const std::size_t active = search_.start_tree(gradients, {.own = rows, .everywhere = num_rows});
    const std::uint64_t num_active = everywhere(active);
    leaves_.assign(1, {.rows = {.active = {0, active}, .idle = {active, rows.size()}},
                       .counts = {.active = num_active, .idle = num_rows - num_active}});
    return num_rows;
  }

  void prepare_root() override {
    if (leaves_[0].counts.active == 0) return;
    leaves_[0].histogram = 0;
    build(leaves_[0]);
  }

  void prepare_children(std::size_t left_leaf, bool split_left, bool split_right) override {
    CpuLeaf& left = leaves_[left_leaf];
    CpuLeaf& right = leaves_.back();
    const std::size_t parent = std::exchange(left.histogram, kNone);
    split_left &= left.counts.active > 0;
    split_right &= right.counts.active > 0;
    if (!split_left && !split_right) return;
    CpuLeaf& smaller = left.counts.active <= right.counts.active ? left : right;
    CpuLeaf& larger = &smaller == &left ? right : left;
    smaller.histogram = leaves_.size() - 1;  // as many histograms as leaves
    larger.histogram = parent;
    build(smaller);
    if (&larger == &left ? split_left : split_right) {
      const Stopwatch watch(task_.times.splits);
      search_.subtract(parent, smaller.histogram);
    }
  }

  Split best_split(std::size_t at, std::span<const std::uint8_t> allowed,
                   const ValueBounds& bounds) override {
    const Stopwatch watch(task_.times.splits);
    const CpuLeaf& leaf = leaves_[at];
    if (leaf.histogram == kNone) return {};
    const SplitTask task{.histogram = leaf.histogram,
                         .num_rows = leaf.counts.all(),
                         .bounds = bounds,
                         .strictness = leaf.strictness,
                         .allowed = allowed,
                         .monotone = task_.monotone,
                         .count_exactly = counts_exactly(leaf),
                         .active_rows = partition_.rows(leaf.rows.active),
                         .idle_rows = partition_.rows(leaf.rows.idle)};
    return search_.find(task);
  }

  std::optional<ChildCounts> divide(std::size_t at, const Split& split) override {
    const Stopwatch watch(task_.times.partition);
    CpuLeaf& leaf = leaves_[at];
    const auto [left, right] = partition_.split(leaf.rows, split);
    std::uint64_t sums[] = {left.active.size(), left.idle.size()};
    context_.communicator->sum(sums);
    const LeafCounts left_counts{.active = sums[0], .idle = sums[1]};
    const LeafCounts right_counts{.active = leaf.counts.active - left_counts.active,
                                  .idle = leaf.counts.idle - left_counts.idle};
    if (std::min(left_counts.all(), right_counts.all()) <
        std::max<std::size_t>(min_leaf_rows_, 1)) {
      // Exact counts do not fail; should they, the leaf stays whole rather than be asked for ever.
      if (counts_exactly(leaf)) leaf.histogram = kNone;
      leaf.strictness *= 2;
      return std::nullopt;
    }
    leaf = {.rows = left, .counts = left_counts, .histogram = leaf.histogram};
    leaves_.push_back({.rows = right, .counts = right_counts});
    return ChildCounts{.left = left_counts.all(), .right = right_counts.all()};
  }

  std::vector<LeafSums> leaf_sums() override {
    return sum_leaves(partition_, leaf_rows(), gradients_, context_);
  }

  void add_tree(const BinnedTree& tree, std::span<double> scores) override {
    if (sampled_ && !are_few_unsampled(tree, sampled_->size(), task_.data.num_rows())) {
      add_tree_scores(tree, task_.data, scores, context_);
      return;
    }
    add_leaf_values(partition_, leaf_rows(), tree.leaf_values, scores, context_);
    if (sampled_) add_unsampled_scores(tree, task_.data, *sampled_, scores, context_);
  }

  bool draws_rows() const override { return search_.draws_rows(num_rows_); }

 private:
  std::uint64_t everywhere(std::uint64_t count) const {
    context_.communicator->sum({&count, 1});
    return count;
  }

  bool counts_exactly(const CpuLeaf& leaf) const {
    if (leaf.strictness <= 1) return false;
    const double asked = leaf.strictness * static_cast<double>(min_leaf_rows_);
    return leaf.strictness > kStrictest ||
           asked > kGoodPart * static_cast<double>(leaf.counts.all());
  }

  void build(const CpuLeaf& leaf) {
    const Stopwatch watch(task_.times.histograms);
    task_.times.histogram_rows += leaf.rows.active.size();
    search_.build(partition_.rows(leaf.rows.active), leaf.histogram);
  }

  std::vector<LeafRows> leaf_rows() const {
    std::vector<LeafRows> rows;
    rows.reserve(leaves_.size());
    for (const CpuLeaf& leaf : leaves_) rows.push_back(leaf.rows);
    return rows;
  }

  BackendTask task_;
  std::size_t min_leaf_rows_;
  Context context_;
  std::uint64_t num_rows_;  // on all machines
  RowPartition partition_;
  Search search_;
  TreeGradients gradients_;
  SampledRows sampled_;
  std::vector<CpuLeaf> leaves_;
};

}  // namespace

std::unique_ptr<TreeBackend> make_cpu_backend(const BackendTask& task, const BoosterParams& params,
                                              const Context& context) {
  const SplitRules rules = split_rules(params);
  const auto num_histograms = static_cast<std::size_t>(params.num_leaves);
  if (params.precision == Precision::kFull) {
    return std::make_unique<CpuBackend<FullSearch>>(task, params, context, rules, num_histograms);
  }
  const PackedSearch::Setup setup{
      .rules = rules, .num_histograms = num_histograms, .active = active_rows(params)};
  return std::make_unique<CpuBackend<PackedSearch>>(task, params, context, setup);
}

}  // namespace glassrank
