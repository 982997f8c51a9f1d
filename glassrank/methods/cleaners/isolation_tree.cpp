#include "glassrank/methods/cleaners/isolation_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Cut {
  std::uint32_t feature = 0;
  float threshold = 0;
};

// Uniform in [low, high): the smallest value always goes left, the largest right.
float draw_threshold(float low, float high, RandomSequence& random) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const double from = std::max(low, -kLargest);
  const double to = std::min(high, kLargest);
  const auto threshold = static_cast<float>(from + random.uniform() * (to - from));
  // Rounding to float may reach the end; infinite values may have been cut off at it.
  return threshold < high ? std::max(threshold, low) : low;
}

class Grower {
 public:
  Grower(MatrixView<const float> sample, std::size_t height, RandomSequence& random)
      : sample_(sample), height_(height), random_(random), features_(sample.num_columns()) {
    std::iota(features_.begin(), features_.end(), 0U);
  }

  IsolationTree grow() {
    std::vector<std::uint32_t> rows(sample_.num_rows());
    std::iota(rows.begin(), rows.end(), 0U);
    tree_.nodes.resize(1);
    grow_node(0, rows, 0);
    return std::move(tree_);
  }

 private:
  void grow_node(std::uint32_t node, std::span<std::uint32_t> rows, std::size_t depth) {
    const std::optional<Cut> cut =
        depth < height_ && rows.size() > 1 ? draw_cut(rows) : std::nullopt;
    if (!cut) {
      tree_.nodes[node] = {
          .threshold = kInfinity,
          .left = node,
          .path = static_cast<float>(static_cast<double>(depth) + average_path(rows.size()))};
      tree_.depth = std::max(tree_.depth, depth);
      return;
    }
    const bool missing_right = larger_side_is_right(rows, *cut);
    const auto left = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.resize(left + 2);
    tree_.nodes[node] = {
        .threshold = cut->threshold,
        .feature = cut->feature | (missing_right ? IsolationNode::kMissingRight : 0),
        .left = left};
    const IsolationNode split = tree_.nodes[node];
    const auto middle = std::partition(rows.begin(), rows.end(), [&](std::uint32_t row) {
      return split.next(sample_.row(row).data()) == left;
    });
    const auto num_left = static_cast<std::size_t>(middle - rows.begin());
    grow_node(left, rows.first(num_left), depth + 1);
    grow_node(left + 1, rows.subspan(num_left), depth + 1);
  }

  // Features in random order until one tells the rows apart.
  std::optional<Cut> draw_cut(std::span<const std::uint32_t> rows) {
    for (std::size_t left = features_.size(); left > 0; --left) {
      std::swap(features_[left - 1], features_[random_.below(left)]);
      const std::uint32_t feature = features_[left - 1];
      float low = kInfinity;
      float high = -kInfinity;
      for (const std::uint32_t row : rows) {
        const float value = sample_(row, feature);
        low = value < low ? value : low;  // never true for NaN
        high = value > high ? value : high;
      }
      if (low < high) {
        return Cut{.feature = feature, .threshold = draw_threshold(low, high, random_)};
      }
    }
    return std::nullopt;
  }

  bool larger_side_is_right(std::span<const std::uint32_t> rows, const Cut& cut) const {
    std::size_t num_left = 0;
    std::size_t num_right = 0;
    for (const std::uint32_t row : rows) {
      const float value = sample_(row, cut.feature);
      num_left += value <= cut.threshold ? 1U : 0U;
      num_right += value > cut.threshold ? 1U : 0U;
    }
    return num_right > num_left;
  }

  MatrixView<const float> sample_;
  std::size_t height_;
  RandomSequence& random_;
  std::vector<std::uint32_t> features_;  // in the order of the last draws
  IsolationTree tree_;
};

}  // namespace

double average_path(std::size_t num_rows) {
  if (num_rows <= 1) return 0;
  double harmonic = 0;
  for (std::size_t i = num_rows - 1; i > 0; --i) harmonic += 1.0 / static_cast<double>(i);
  const auto n = static_cast<double>(num_rows);
  return 2 * harmonic - 2 * (n - 1) / n;
}

double IsolationTree::path_length(std::span<const float> row) const {
  std::uint32_t node = 0;
  for (std::size_t step = 0; step < depth; ++step) node = nodes[node].next(row.data());
  return nodes[node].path;
}

IsolationTree grow_isolation_tree(MatrixView<const float> sample, std::size_t height,
                                  RandomSequence& random) {
  return Grower(sample, height, random).grow();
}

}  // namespace glassrank
