#include "glassrank/explain/tree_shap/tree_shap.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "glassrank/explain/tree_shap/grouped_sums.h"
#include "glassrank/explain/tree_shap/shap_kernel.h"
#include "glassrank/explain/tree_shap/shap_pairs.h"
#include "glassrank/explain/tree_shap/shap_plan.h"

namespace glassrank {
namespace {

// A block of rows and the trees that are added up for it.
class BlockWorker {
 public:
  BlockWorker(const ShapPlan& plan, MatrixView<const float> rows)
      : plan_(plan), rows_(rows), workspace_(plan) {}

  void load(std::size_t begin, std::size_t end) {
    num_rows_ = end - begin;
    load_shap_columns(plan_,
                      {rows_.data() + begin * rows_.num_columns(), num_rows_, rows_.num_columns()},
                      workspace_);
  }
  void add(TreeRange trees, std::span<double> values) {
    add_shap_values(plan_, block(trees, values), workspace_);
  }
  void add(TreeRange trees, std::span<double> values, const ShapPairs& pairs,
           std::span<double> interactions) {
    ShapBlock with_pairs = block(trees, values);
    with_pairs.interactions = interactions.data();
    add_shap_interactions(plan_, pairs, with_pairs, workspace_);
  }

 private:
  ShapBlock block(TreeRange trees, std::span<double> values) const {
    return {.first_tree = trees.begin,
            .end_tree = trees.end,
            .num_rows = num_rows_,
            .values = values.data()};
  }

  const ShapPlan& plan_;
  MatrixView<const float> rows_;
  ShapWorkspace workspace_;
  std::size_t num_rows_ = 0;
};

// A block of few rows with the sums of all pairs.
class PairWorker {
 public:
  PairWorker(const ShapPlan& plan, const ShapPairs& pairs, MatrixView<const float> rows)
      : worker_(plan, rows), pairs_(pairs), sums_(pairs.pairs.size() * kShapPairRows) {}

  void load(std::size_t begin, std::size_t end) {
    worker_.load(begin, end);
    std::ranges::fill(sums_, 0.0);
  }
  void add(TreeRange trees, std::span<double> values) { worker_.add(trees, values, pairs_, sums_); }
  // From pair by pair to row by row.
  void write(std::size_t begin, std::size_t end, MatrixView<double> interactions) const {
    for (std::size_t r = begin; r < end; ++r) {
      const std::span<double> row = interactions.row(r);
      for (std::size_t p = 0; p < row.size(); ++p) row[p] = sums_[p * kShapPairRows + r - begin];
    }
  }

 private:
  BlockWorker worker_;
  const ShapPairs& pairs_;
  std::vector<double> sums_;
};

// From feature by feature to row by row; features the forest does not use get 0.
void write_values(const ShapPlan& plan, std::span<const double> sums, std::size_t begin,
                  std::size_t end, MatrixView<double> values) {
  for (std::size_t r = begin; r < end; ++r) {
    const std::span<double> row = values.row(r);
    std::ranges::fill(row, 0.0);
    for (std::size_t f = 0; f < plan.features.size(); ++f) {
      row[plan.features[f]] = sums[f * kShapRows + r - begin];
    }
  }
}

}  // namespace

struct TreeShap::State {
  State(const Forest& forest, Cover cover) : plan(make_shap_plan(forest, cover)) {}

  const ShapPairs& all_pairs() {
    std::call_once(pairs_made, [&] { pairs = make_shap_pairs(plan); });
    return pairs;
  }
  GroupedSums shape(std::size_t num_rows, std::size_t rows_per_block) const {
    return {.num_rows = num_rows,
            .rows_per_block = rows_per_block,
            .num_trees = plan.trees.size(),
            .sums_per_block = plan.features.size() * kShapRows};
  }

  const ShapPlan plan;
  std::once_flag pairs_made;
  ShapPairs pairs;
};

TreeShap::TreeShap(const Forest& forest, Cover cover)
    : state_(std::make_unique<State>(forest, cover)) {}
TreeShap::~TreeShap() = default;

std::size_t TreeShap::num_features() const { return state_->plan.num_features; }
double TreeShap::base_value() const { return state_->plan.base_value; }
std::span<const FeaturePair> TreeShap::pairs() const { return state_->all_pairs().pairs; }

void TreeShap::values_checked(MatrixView<const float> rows, MatrixView<double> values,
                              const Context& context) const {
  const ShapPlan& plan = state_->plan;
  sum_by_rows_or_trees(
      state_->shape(rows.num_rows(), kShapRows), [&] { return BlockWorker(plan, rows); },
      [&](const BlockWorker&, std::size_t begin, std::size_t end, std::span<const double> sums) {
        write_values(plan, sums, begin, end, values);
      },
      context);
}

void TreeShap::interactions_checked(MatrixView<const float> rows, MatrixView<double> values,
                                    MatrixView<double> interactions, const Context& context) const {
  const ShapPlan& plan = state_->plan;
  const ShapPairs& pairs = state_->all_pairs();
  // Rows alone: the sums of all pairs are too many to keep for every group of trees.
  sum_by_rows(
      state_->shape(rows.num_rows(), kShapPairRows), [&] { return PairWorker(plan, pairs, rows); },
      [&](const PairWorker& worker, std::size_t begin, std::size_t end,
          std::span<const double> sums) {
        write_values(plan, sums, begin, end, values);
        worker.write(begin, end, interactions);
      },
      context);
}

}  // namespace glassrank
