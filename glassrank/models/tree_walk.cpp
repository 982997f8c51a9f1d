#include "glassrank/models/tree_walk.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace glassrank {
namespace {

constexpr std::size_t kWalks = 8;

// Goes on until every walk is at a leaf, that is, below 0.
void walk(const WalkNode* nodes, const std::array<const float*, kWalks>& values,
          std::array<std::int32_t, kWalks>& at) {
  for (;;) {
    std::int32_t all = -1;
    for (const std::int32_t place : at) all &= place;
    if (all < 0) return;
    for (std::size_t i = 0; i < kWalks; ++i) {
      // A finished walk looks at node 0 and stays where it is: cheaper than a branch.
      const WalkNode& node = nodes[std::max(at[i], 0)];
      const std::int32_t next = node.child[values[i][node.column] > node.cut ? 1 : 0];
      at[i] = at[i] < 0 ? at[i] : next;
    }
  }
}

void column_values(const ScoringPlan& plan, std::span<const float> row, float* values) {
  for (const ScoringColumn& column : plan.columns) *values++ = column.value(row[column.feature]);
}

}  // namespace

void walk_few_rows(const ScoringPlan& plan, MatrixView<const float> rows,
                   std::span<double> scores) {
  std::vector<float> values(plan.columns.size());
  std::array<const float*, kWalks> places;
  places.fill(values.data());
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    column_values(plan, rows.row(r), values.data());
    double sum = plan.base_score;
    for (std::size_t t = 0; t < plan.num_trees; t += kWalks) {
      const std::size_t num_walks = std::min(kWalks, plan.num_trees - t);
      std::array<std::int32_t, kWalks> at;
      at.fill(-1);
      std::copy_n(plan.walk_roots.begin() + static_cast<std::ptrdiff_t>(t), num_walks, at.begin());
      walk(plan.walk_nodes.data(), places, at);
      for (std::size_t i = 0; i < num_walks; ++i) sum += plan.walk_leaves[~at[i]];
    }
    scores[r] = sum;
  }
}

void walk_many_rows(const ScoringPlan& plan, MatrixView<const float> rows,
                    std::span<double> scores) {
  const std::size_t num_columns = plan.columns.size();
  std::vector<float> values(rows.num_rows() * num_columns);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    column_values(plan, rows.row(r), values.data() + r * num_columns);
  }
  std::fill(scores.begin(), scores.end(), plan.base_score);
  for (const std::int32_t root : plan.walk_roots) {
    for (std::size_t r = 0; r < rows.num_rows(); r += kWalks) {
      const std::size_t num_walks = std::min(kWalks, rows.num_rows() - r);
      std::array<const float*, kWalks> places;
      for (std::size_t i = 0; i < kWalks; ++i) {
        places[i] = values.data() + (r + std::min(i, num_walks - 1)) * num_columns;
      }
      std::array<std::int32_t, kWalks> at;
      at.fill(root);
      walk(plan.walk_nodes.data(), places, at);
      for (std::size_t i = 0; i < num_walks; ++i) scores[r + i] += plan.walk_leaves[~at[i]];
    }
  }
}

}  // namespace glassrank
