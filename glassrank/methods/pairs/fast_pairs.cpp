#include "glassrank/methods/pairs/fast_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/boosting/tree/split.h"
#include "glassrank/math/fixed_point.h"
#include "glassrank/methods/pairs/cell_sum.h"

namespace glassrank {
namespace {

constexpr std::size_t kPairsAtOnce = 256;
// Of the hessian in a quadrant: less is what differences of sums leave of nothing.
constexpr double kLeastShare = 1e-10;

// One feature's coarse bin of every row.
struct CoarseColumn {
  std::vector<std::uint8_t> bins;
  std::size_t num_bins = 0;
};

CoarseColumn coarse_column(const BinnedDataset& data, std::size_t feature, std::size_t max_bins,
                           const Context& context) {
  const CoarseBins coarse = coarse_bins(data, feature, max_bins, context);
  const BinColumn codes = data.column(feature);
  CoarseColumn column{.bins = std::vector<std::uint8_t>(codes.size()), .num_bins = coarse.num_bins};
  for (std::size_t row = 0; row < codes.size(); ++row) {
    column.bins[row] = coarse.of_code[codes[row]];
  }
  return column;
}

void check_task(const FastTask& task, const FastParams& params) {
  const std::size_t num_rows = task.data.num_rows();
  const bool has_hessians = !task.hessians.empty();
  if (task.gradients.size() != num_rows || (has_hessians && task.hessians.size() != num_rows)) {
    fail(ErrorKind::kUsage, "{} gradients and {} hessians for {} rows", task.gradients.size(),
         task.hessians.size(), num_rows);
  }
  for (const std::uint32_t feature : task.features) {
    if (feature < task.data.num_features()) continue;
    fail(ErrorKind::kUsage, "feature {} of data with {} features", feature,
         task.data.num_features());
  }
  if (params.max_bins < 2 || params.max_bins > 255) {
    fail(ErrorKind::kUsage, "a grid of {} bins; must be 2 to 255", params.max_bins);
  }
}

class PairGrids {
 public:
  PairGrids(const FastTask& task, const FastParams& params, const Context& context)
      : task_(task), params_(params), context_(context) {
    features_.assign(task.features.begin(), task.features.end());
    if (features_.empty()) {
      features_.resize(task.data.num_features());
      std::iota(features_.begin(), features_.end(), 0U);
    }
    for (const std::uint32_t feature : features_) {
      columns_.push_back(
          coarse_column(task.data, feature, static_cast<std::size_t>(params.max_bins), context));
      most_bins_ = std::max(most_bins_, columns_.back().num_bins);
    }
    gradient_unit_ = to_units(task.gradients, gradients_);
    // A machine without rows has none to show.
    has_hessians_ = any_machine(*context.communicator, !task.hessians.empty());
    if (has_hessians_) hessian_unit_ = to_units(task.hessians, hessians_);
  }

  std::vector<RankedFeaturePair> rank() {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;  // into columns_
    for (std::size_t a = 0; a < columns_.size(); ++a) {
      for (std::size_t b = a + 1; b < columns_.size(); ++b) pairs.emplace_back(a, b);
    }
    std::vector<RankedFeaturePair> ranked(pairs.size());
    const std::size_t room = most_bins_ * most_bins_;
    std::vector<UnitSum> cells(std::min(pairs.size(), kPairsAtOnce) * room);
    for (std::size_t begin = 0; begin < pairs.size(); begin += kPairsAtOnce) {
      context_.check_stop_anywhere();
      const std::size_t size = std::min(kPairsAtOnce, pairs.size() - begin);
      const std::span<UnitSum> batch = std::span(cells).first(size * room);
      std::ranges::fill(batch, UnitSum{});
      const auto grid = [&](std::size_t i) { return batch.subspan(i * room, room); };
      parallel_for(context_, size, 1, [&](std::size_t i, std::size_t) {
        fill(columns_[pairs[begin + i].first], columns_[pairs[begin + i].second], grid(i));
      });
      context_.communicator->sum(std::span(&batch.data()->gradient, 3 * batch.size()));
      parallel_for(context_, size, 1, [&](std::size_t i, std::size_t) {
        const auto [a, b] = pairs[begin + i];
        std::vector<CellSum> sums = real_sums(grid(i));
        ranked[begin + i] = {.first = features_[a],
                             .second = features_[b],
                             .statistic = gain(columns_[a].num_bins, columns_[b].num_bins, sums)};
      });
    }
    std::ranges::stable_sort(ranked, std::greater<>(), &RankedFeaturePair::statistic);
    return ranked;
  }

 private:
  // Sums are integers of a common unit: exact, so the same on any number of machines.
  struct UnitSum {
    std::int64_t gradient = 0;
    std::int64_t hessian = 0;  // without hessians: not used, they are counts
    std::int64_t rows = 0;
  };
  static_assert(sizeof(UnitSum) == 3 * sizeof(std::int64_t));

  FixedPoint to_units(std::span<const float> values, std::vector<std::int64_t>& units) const {
    double greatest[] = {0};
    for (const float value : values) greatest[0] = std::max<double>(greatest[0], std::abs(value));
    context_.communicator->max(greatest);
    std::uint64_t count = values.size();
    context_.communicator->sum({&count, 1});
    const FixedPoint unit(greatest[0], count);
    units.reserve(values.size());
    for (const float value : values) units.push_back(unit.to_units(value));
    return unit;
  }

  void fill(const CoarseColumn& a, const CoarseColumn& b, std::span<UnitSum> grid) const {
    if (!has_hessians_) return fill_unweighted(a, b, grid);
    const std::size_t width = b.num_bins;
    for (std::size_t row = 0; row < a.bins.size(); ++row) {
      UnitSum& cell = grid[a.bins[row] * width + b.bins[row]];
      cell.gradient += gradients_[row];
      cell.hessian += hessians_[row];
      cell.rows += 1;
    }
  }

  // Two sums a row, which lie together and are added at once.
  void fill_unweighted(const CoarseColumn& a, const CoarseColumn& b,
                       std::span<UnitSum> grid) const {
    const std::size_t width = b.num_bins;
    std::vector<std::array<std::int64_t, 2>> sums(a.num_bins * width);
    for (std::size_t row = 0; row < a.bins.size(); ++row) {
      std::array<std::int64_t, 2>& cell = sums[a.bins[row] * width + b.bins[row]];
      const std::array<std::int64_t, 2> added = {gradients_[row], 1};
      for (const std::size_t i : {0, 1}) cell[i] += added[i];
    }
    for (std::size_t c = 0; c < sums.size(); ++c) {
      grid[c] = {.gradient = sums[c][0], .rows = sums[c][1]};
    }
  }

  std::vector<CellSum> real_sums(std::span<const UnitSum> grid) const {
    std::vector<CellSum> sums;
    sums.reserve(grid.size());
    for (const UnitSum& cell : grid) {
      const auto rows = static_cast<double>(cell.rows);
      sums.push_back({.gradient = gradient_unit_.to_real(cell.gradient),
                      .hessian = has_hessians_ ? hessian_unit_.to_real(cell.hessian) : rows,
                      .rows = rows});
    }
    return sums;
  }

  // Turns the grid into sums over all cells up to and with each, then tries every cut.
  double gain(std::size_t height, std::size_t width, std::span<CellSum> grid) const {
    for (std::size_t i = 0; i < height; ++i) {
      CellSum in_row;
      for (std::size_t j = 0; j < width; ++j) {
        in_row += grid[i * width + j];
        grid[i * width + j] = i == 0 ? in_row : grid[(i - 1) * width + j] + in_row;
      }
    }
    const CellSum total = grid[height * width - 1];
    double best = 0;
    for (std::size_t i = 0; i + 1 < height; ++i) {
      const CellSum above = grid[i * width + width - 1];
      for (std::size_t j = 0; j + 1 < width; ++j) {
        const CellSum left = grid[(height - 1) * width + j];
        const CellSum corner = grid[i * width + j];
        best = std::max(
            best, cut_gain({corner, above - corner, left - corner, total - above - left + corner},
                           kLeastShare * total.hessian));
      }
    }
    return total.hessian > 0 ? best / total.hessian : 0;
  }

  double cut_gain(const std::array<CellSum, 4>& quadrants, double least_hessian) const {
    double sum = 0;
    for (const CellSum& quadrant : quadrants) {
      if (quadrant.rows < static_cast<double>(params_.min_leaf_rows)) return 0;
      if (quadrant.rows == 0 || quadrant.hessian <= least_hessian) return 0;
      sum += newton_score(quadrant.gradient, quadrant.hessian);
    }
    return sum;
  }

  const FastTask& task_;
  const FastParams& params_;
  const Context& context_;
  std::vector<std::uint32_t> features_;
  std::vector<CoarseColumn> columns_;  // of features_
  std::size_t most_bins_ = 0;
  FixedPoint gradient_unit_;
  FixedPoint hessian_unit_;
  bool has_hessians_ = false;
  std::vector<std::int64_t> gradients_;  // in units
  std::vector<std::int64_t> hessians_;
};

}  // namespace

CoarseBins coarse_bins(const BinnedDataset& data, std::size_t feature, std::size_t max_bins,
                       const Context& context) {
  const BinColumn codes = data.column(feature);
  std::vector<std::uint64_t> counts(data.num_bins(feature) + 1);  // all rows last
  for (std::size_t row = 0; row < codes.size(); ++row) ++counts[codes[row]];
  counts.back() = codes.size();
  context.communicator->sum(counts);
  const std::size_t missing = data.missing_bin(feature);
  const std::uint64_t num_values = counts.back() - counts[missing];

  CoarseBins coarse{.of_code = std::vector<std::uint8_t>(data.num_bins(feature)), .num_bins = 0};
  if (counts[missing] > 0) coarse.of_code[missing] = static_cast<std::uint8_t>(coarse.num_bins++);
  const std::size_t num_codes = data.num_value_bins(feature);
  // A bin ends where its share of the rows not yet placed is reached.
  std::uint64_t before = 0;
  std::size_t bins_left = max_bins;
  std::uint64_t in_bin = 0;
  bool is_open = false;
  for (std::size_t code = 0; code < num_codes; ++code) {
    const std::uint64_t left = num_values - before;  // rows of this bin and those after it
    const bool is_full = in_bin * bins_left >= left && in_bin < left;
    const bool has_room = num_codes - code < bins_left;  // for every code from here on
    if (is_open && bins_left > 1 && (is_full || has_room)) {
      before += in_bin;
      in_bin = 0;
      --bins_left;
      ++coarse.num_bins;
    }
    is_open = true;
    in_bin += counts[code];
    coarse.of_code[code] = static_cast<std::uint8_t>(coarse.num_bins);
  }
  ++coarse.num_bins;
  return coarse;
}

std::vector<RankedFeaturePair> rank_pairs_fast(const FastTask& task, const FastParams& params,
                                               const Context& context) {
  check_task(task, params);
  return PairGrids(task, params, context).rank();
}

}  // namespace glassrank
