#include "glassrank/boosting/tree/unsampled_rows.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/tree/partition_kernel.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 32'768;
// Dividing a row at a node takes as long as this many nodes for a row among 64 in a word.
constexpr std::size_t kDivisionCost = 64;

// Divides a list of rows until it knows their leaves.
class ListWalk {
 public:
  ListWalk(const BinnedTree& tree, const BinnedDataset& data) : tree_(tree), data_(data) {}

  // Reorders the rows.
  void add(std::span<std::uint32_t> rows, std::span<double> scores) {
    right_.resize(std::max(right_.size(), rows.size()));
    open_.assign(1, {.child = tree_.nodes.empty() ? ~0 : 0, .range = {0, rows.size()}});
    while (!open_.empty()) {
      const auto [child, range] = open_.back();
      open_.pop_back();
      const auto own = rows.subspan(range.begin, range.size());
      if (child < 0) {
        const double value = tree_.leaf_values[static_cast<std::size_t>(~child)];
        for (const std::uint32_t row : own) scores[row] += value;
        continue;
      }
      const BinnedNode& node = tree_.nodes[static_cast<std::size_t>(child)];
      const std::size_t middle = range.begin + divide(node, own);
      if (middle > range.begin) open_.push_back({node.left, {range.begin, middle}});
      if (middle < range.end) open_.push_back({node.right, {middle, range.end}});
    }
  }

 private:
  struct Part {
    std::int32_t child;
    RowRange range;
  };

  // Those that go left come first; returns how many.
  std::size_t divide(const BinnedNode& node, std::span<std::uint32_t> rows) {
    const PartitionRule rule = rule_of(node, data_);
    const std::size_t num_left = partition_rows(rule, rows, rows.data(), right_.data());
    std::copy_n(right_.data(), rows.size() - num_left, rows.data() + num_left);
    return num_left;
  }

  const BinnedTree& tree_;
  const BinnedDataset& data_;
  std::vector<std::uint32_t> right_;
  std::vector<Part> open_;
};

}  // namespace

bool are_few_unsampled(const BinnedTree& tree, std::size_t num_sampled, std::size_t num_rows) {
  const std::size_t depth = std::bit_width(tree.nodes.size());  // if it were balanced
  return (num_rows - num_sampled) * depth * kDivisionCost < num_rows * tree.nodes.size();
}

void add_unsampled_scores(const BinnedTree& tree, const BinnedDataset& data,
                          std::span<const std::uint32_t> sampled, std::span<double> scores,
                          const Context& context) {
  parallel_for(context, data.num_rows(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> unsampled;
    unsampled.reserve(end - begin);
    auto next = std::ranges::lower_bound(sampled, begin);
    for (std::size_t row = begin; row < end; ++row) {
      if (next != sampled.end() && *next == row) {
        ++next;
      } else {
        unsampled.push_back(static_cast<std::uint32_t>(row));
      }
    }
    ListWalk(tree, data).add(unsampled, scores);
  });
}

}  // namespace glassrank
