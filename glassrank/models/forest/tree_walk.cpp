#include "glassrank/models/forest/tree_walk.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace glassrank {
namespace {

constexpr std::size_t kWalks = 8;

using Places = std::array<std::uint32_t, kWalks>;

// One step of each walk; false if none moved, that is, all are at a leaf. A walk at a leaf stays
// there: cheaper than asking whether it is at one.
inline bool step(const WalkNode* nodes, const std::array<const float*, kWalks>& values,
                 Places& at) {
  std::uint32_t moved = 0;
  for (std::size_t i = 0; i < kWalks; ++i) {
    const WalkNode& node = nodes[at[i]];
    const std::uint32_t next = node.child[values[i][node.column] > node.cut ? 1 : 0];
    moved |= next ^ at[i];
    at[i] = next;
  }
  return moved != 0;
}

// Walks on until every walk is at a leaf; gives the leaves' numbers.
Places walk(const WalkNode* nodes, const std::array<const float*, kWalks>& values, Places at) {
  // The first of the two does not ask, which saves half of the asking.
  do {
    step(nodes, values, at);
  } while (step(nodes, values, at));
  for (std::uint32_t& place : at) place = nodes[place].child[1];
  return at;
}

void column_values(const ScoringPlan& plan, std::span<const float> row, float* values) {
  for (const ScoringColumn& column : plan.columns) *values++ = column.value(row[column.feature]);
  for (const CategoryCondition& condition : plan.categories) {
    *values++ = condition.goes_right(row[condition.feature]) ? 1.0F : 0.0F;
  }
}

}  // namespace

void walk_few_rows(const ScoringPlan& plan, MatrixView<const float> rows,
                   std::span<double> scores) {
  // One more, for leaves look at column 0 even when there is none.
  std::vector<float> values(plan.columns.size() + plan.categories.size() + 1);
  std::array<const float*, kWalks> places;
  places.fill(values.data());
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    column_values(plan, rows.row(r), values.data());
    double sum = plan.base_score;
    for (std::size_t t = 0; t < plan.num_trees; t += kWalks) {
      const std::size_t num_walks = std::min(kWalks, plan.num_trees - t);
      Places roots;
      for (std::size_t i = 0; i < kWalks; ++i) {
        roots[i] = plan.walk_roots[t + std::min(i, num_walks - 1)];
      }
      const Places leaves = walk(plan.walk_nodes.data(), places, roots);
      for (std::size_t i = 0; i < num_walks; ++i) sum += plan.walk_leaves[leaves[i]];
    }
    scores[r] = sum;
  }
}

void walk_many_rows(const ScoringPlan& plan, MatrixView<const float> rows,
                    std::span<double> scores) {
  const std::size_t num_columns = plan.columns.size() + plan.categories.size();
  std::vector<float> values(rows.num_rows() * num_columns + 1);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    column_values(plan, rows.row(r), values.data() + r * num_columns);
  }
  std::fill(scores.begin(), scores.end(), plan.base_score);
  for (const std::uint32_t root : plan.walk_roots) {
    for (std::size_t r = 0; r < rows.num_rows(); r += kWalks) {
      const std::size_t num_walks = std::min(kWalks, rows.num_rows() - r);
      std::array<const float*, kWalks> places;
      for (std::size_t i = 0; i < kWalks; ++i) {
        places[i] = values.data() + (r + std::min(i, num_walks - 1)) * num_columns;
      }
      Places roots;
      roots.fill(root);
      const Places leaves = walk(plan.walk_nodes.data(), places, roots);
      for (std::size_t i = 0; i < num_walks; ++i) scores[r + i] += plan.walk_leaves[leaves[i]];
    }
  }
}

}  // namespace glassrank
