#include "glassrank/methods/cleaners/isolation_forest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "glassrank/base/agree.h"
#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {
namespace {

// Rows scored together: few enough to stay in the cache while every tree passes over them.
constexpr std::size_t kBlockRows = 32;
// Walks side by side hide each other's memory latency.
constexpr std::size_t kLanes = 8;

void check(std::size_t num_rows, std::size_t num_features, const IsolationForestParams& params) {
  if (num_rows == 0 || num_features == 0) {
    fail(ErrorKind::kInput, "an isolation forest needs rows and features; there are {} x {}",
         num_rows, num_features);
  }
  if (params.num_trees < 1 || params.sample_rows < 1 || params.height < 0) {
    fail(ErrorKind::kUsage,
         "an isolation forest of {} trees on {} rows with height {}: trees and rows are at least "
         "1, height at least 0",
         params.num_trees, params.sample_rows, params.height);
  }
}

// `count` different rows of [0, num_rows), ascending (Floyd's algorithm; O(count)).
std::vector<std::size_t> draw_rows(std::size_t num_rows, std::size_t count,
                                   RandomSequence& random) {
  std::unordered_set<std::size_t> chosen;
  for (std::size_t last = num_rows - count; last < num_rows; ++last) {
    if (!chosen.insert(random.below(last + 1)).second) chosen.insert(last);
  }
  std::vector<std::size_t> rows(chosen.begin(), chosen.end());
  std::ranges::sort(rows);
  return rows;
}

// What one tree is grown on, and the draws that are left for its splits.
struct TreeSample {
  std::vector<float> values;
  RandomSequence random;
};

TreeSample draw_sample(MatrixView<const float> rows, const Shard& shard, std::size_t sample_rows,
                       RandomSequence random) {
  TreeSample sample{.values = {}, .random = random};
  for (const std::size_t row : draw_rows(shard.num_rows, sample_rows, sample.random)) {
    if (row < shard.first_row || row >= shard.first_row + rows.num_rows()) continue;
    const auto values = rows.row(row - shard.first_row);
    sample.values.insert(sample.values.end(), values.begin(), values.end());
  }
  return sample;
}

// Adds the path lengths in one tree to the sums of at most kBlockRows rows.
void add_paths(const IsolationTree& tree, MatrixView<const float> rows, RowRange range,
               double* sums) {
  const IsolationNode* nodes = tree.nodes.data();
  std::size_t row = range.begin;
  for (; row + kLanes <= range.end; row += kLanes) {
    std::uint32_t at[kLanes] = {};
    for (std::size_t step = 0; step < tree.depth; ++step) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        at[lane] = nodes[at[lane]].next(rows.row(row + lane).data());
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[row + lane - range.begin] += nodes[at[lane]].path;
    }
  }
  for (; row < range.end; ++row) sums[row - range.begin] += tree.path_length(rows.row(row));
}

}  // namespace

IsolationForest::IsolationForest(MatrixView<const float> rows, const IsolationForestParams& params,
                                 const Context& context)
    : IsolationForest(rows, {.num_rows = rows.num_rows()}, params, context) {}

IsolationForest::IsolationForest(MatrixView<const float> rows, const Shard& shard,
                                 const IsolationForestParams& params, const Context& context) {
  check(shard.num_rows, rows.num_columns(), params);
  const std::size_t sample_rows =
      std::min(shard.num_rows, static_cast<std::size_t>(params.sample_rows));
  const std::size_t height =
      params.height > 0 ? static_cast<std::size_t>(params.height) : std::bit_width(sample_rows - 1);
  trees_.resize(static_cast<std::size_t>(params.num_trees));
  const auto draw = [&](std::size_t tree) {
    return draw_sample(rows, shard, sample_rows,
                       RandomSequence(CounterRandom(context.seed, "isolation_forest", tree)));
  };
  const auto grow = [&](std::size_t tree, TreeSample sample) {
    trees_[tree] = grow_isolation_tree({sample.values.data(), sample_rows, rows.num_columns()},
                                       height, sample.random);
  };
  if (context.communicator->is_alone()) {
    parallel_for(context, trees_.size(), 1,
                 [&](std::size_t tree, std::size_t) { grow(tree, draw(tree)); });
  } else {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      TreeSample sample = draw(tree);
      sample.values = gather_values<float>(*context.communicator, sample.values);
      grow(tree, std::move(sample));
    }
  }
  normal_path_ = average_path(sample_rows);
}

IsolationForest::IsolationForest(std::vector<IsolationTree> trees, std::size_t sample_rows)
    : trees_(std::move(trees)), normal_path_(average_path(sample_rows)) {}

double IsolationForest::score(std::span<const float> row) const {
  double sum = 0;
  for (const IsolationTree& tree : trees_) sum += tree.path_length(row);
  // One row alone has no path: as odd as it is ordinary.
  return normal_path_ > 0 ? portable_exp2(-sum / static_cast<double>(trees_.size()) / normal_path_)
                          : 0.5;
}

std::vector<float> IsolationForest::scores(MatrixView<const float> rows,
                                           const Context& context) const {
  std::vector<float> scores(rows.num_rows(), 0.5F);
  if (normal_path_ == 0) return scores;
  const double scale = 1 / static_cast<double>(trees_.size()) / normal_path_;
  parallel_for(context, rows.num_rows(), 64 * kBlockRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; at += kBlockRows) {
      const RowRange block{at, std::min(at + kBlockRows, end)};
      double sums[kBlockRows] = {};
      for (const IsolationTree& tree : trees_) add_paths(tree, rows, block, sums);
      for (std::size_t i = 0; i < block.size(); ++i) {
        scores[at + i] = static_cast<float>(portable_exp2(-sums[i] * scale));
      }
    }
  });
  return scores;
}

std::vector<std::uint32_t> anomalous_rows(std::span<const float> scores, const AnomalyRule& rule) {
  std::vector<std::uint32_t> rows;
  if (rule.contamination <= 0) {
    for (std::size_t row = 0; row < scores.size(); ++row) {
      if (scores[row] > rule.threshold) rows.push_back(static_cast<std::uint32_t>(row));
    }
    return rows;
  }
  rows.resize(scores.size());
  std::iota(rows.begin(), rows.end(), 0U);
  const auto count = static_cast<std::size_t>(
      std::llround(std::min(rule.contamination, 1.0) * static_cast<double>(scores.size())));
  // Row numbers break ties, so that the order is the same however it is found.
  const auto is_odder = [&](std::uint32_t a, std::uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  std::ranges::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(count), is_odder);
  rows.resize(count);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace glassrank
