#include "glassrank/boosting/histogram/full_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/histogram/category_search.h"
#include "glassrank/boosting/histogram/shared_splits.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 16'384;

// Of a bin in a histogram.
enum Number : std::size_t { kGradient, kHessian, kCount, kNumbersPerBin };

void add(FullBin& sum, const FullBin& bin) {
  sum.gradient += bin.gradient;
  sum.hessian += bin.hessian;
  sum.count += bin.count;
}

FullBin difference(const FullBin& a, const FullBin& b) {
  return {a.gradient - b.gradient, a.hessian - b.hessian, a.count - b.count};
}

bool is_empty(const FullBin& bin) {
  return bin.count == 0 && bin.gradient == 0 && bin.hessian == 0;
}

// One leaf to be divided, and what its children must fulfil.
struct Divider {
  const SplitRules& rules;
  const SplitTask& task;
  FullBin total;
  double parent_score;
  int direction;

  void consider(const FullBin& left, std::uint32_t feature, std::uint32_t bin, bool missing_left,
                Split& best) const {
    const FullBin right = difference(total, left);
    const auto min_rows = static_cast<double>(rules.min_leaf_rows);
    if (left.count < min_rows || right.count < min_rows || left.count < 1 || right.count < 1) {
      return;
    }
    if (left.hessian < rules.min_leaf_hessian || right.hessian < rules.min_leaf_hessian) return;
    const LeafSums left_sums{left.gradient, left.hessian};
    const LeafSums right_sums{right.gradient, right.hessian};
    Split split{.feature = feature, .bin = bin, .missing_left = missing_left};
    split.left_value = leaf_value(left_sums, rules, task.bounds);
    split.right_value = leaf_value(right_sums, rules, task.bounds);
    if (direction * (split.right_value - split.left_value) < 0) return;
    const double gain = leaf_score(left_sums, rules, task.bounds) +
                        leaf_score(right_sums, rules, task.bounds) - parent_score;
    if (!(gain > rules.min_gain)) return;
    split.gain = gain;
    if (is_better(split, best)) best = split;
  }
};

}  // namespace

Split find_in_bins(std::span<const FullBin> bins, std::uint32_t feature, bool has_missing,
                   const SplitRules& rules, const SplitTask& task) {
  FullBin total;
  for (const FullBin& bin : bins) add(total, bin);
  const Divider divider{
      .rules = rules,
      .task = task,
      .total = total,
      .parent_score = leaf_score({total.gradient, total.hessian}, rules, task.bounds),
      .direction = task.monotone.empty() ? 0 : task.monotone[feature]};
  const std::size_t num_values = bins.size() - 1;
  Split best;
  FullBin left;
  for (std::size_t b = 0; b + (has_missing ? 0 : 1) < num_values; ++b) {
    if (is_empty(bins[b])) continue;  // the cut before divides alike, and comes first
    add(left, bins[b]);
    divider.consider(left, feature, static_cast<std::uint32_t>(b), false, best);
  }
  if (!has_missing) return best;
  left = bins.back();
  for (std::size_t b = 0; b + 1 < num_values; ++b) {
    if (b > 0 && is_empty(bins[b])) continue;
    add(left, bins[b]);
    divider.consider(left, feature, static_cast<std::uint32_t>(b), true, best);
  }
  return best;
}

namespace {

// In a histogram, in numbers.
std::vector<std::size_t> offsets_of(const BinnedDataset& data) {
  std::vector<std::size_t> offsets = {0};
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    // No split is sought on a constant feature.
    const std::size_t num_bins = data.is_constant(f) ? 0 : data.num_bins(f);
    offsets.push_back(offsets.back() + kNumbersPerBin * num_bins);
  }
  return offsets;
}

}  // namespace

FullSearch::FullSearch(BinnedDataset data, const SplitRules& rules, std::size_t num_histograms,
                       Context context)
    : data_(std::move(data)),
      rules_(rules),
      context_(std::move(context)),
      offsets_(offsets_of(data_)),
      blocks_(offsets_, *context_.communicator),
      histograms_(num_histograms) {
  for (std::size_t f = 0; f < data_.num_features(); ++f) {
    category_bins_.push_back(data_.is_category(f) ? data_.category_bins(f)
                                                  : std::vector<std::uint32_t>());
  }
}

std::size_t FullSearch::start_tree(const TreeGradients& gradients, const TreeRows& rows) {
  double greatest[2] = {};
  for (const std::uint32_t row : rows.own) {
    greatest[0] = std::max<double>(greatest[0], std::abs(gradients.gradient[row]));
    greatest[1] = std::max<double>(greatest[1], gradients.hessian[row]);
  }
  context_.communicator->max(greatest);
  gradient_units_ = FixedPoint(greatest[0], rows.everywhere);
  hessian_units_ = FixedPoint(greatest[1], rows.everywhere);
  // Once a tree, and not once a feature and level.
  units_.resize(data_.num_rows());
  parallel_for(context_, rows.own.size(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    for (const std::uint32_t row : rows.own.subspan(begin, end - begin)) {
      units_[row] = {gradient_units_.to_units(gradients.gradient[row]),
                     hessian_units_.to_units(gradients.hessian[row])};
    }
  });
  return rows.own.size();
}

void FullSearch::build(std::span<const std::uint32_t> rows, std::size_t histogram) {
  built_.resize(offsets_.back());
  parallel_for(context_, data_.num_features(), 1, [&](std::size_t feature, std::size_t) {
    if (data_.is_constant(feature)) return;
    std::int64_t* const numbers = built_.data() + offsets_[feature];
    std::fill(numbers, built_.data() + offsets_[feature + 1], 0);
    const BinColumn column = data_.column(feature);
    for (const std::uint32_t row : rows) {
      std::int64_t* const bin = numbers + kNumbersPerBin * column[row];
      bin[kGradient] += units_[row].gradient;
      bin[kHessian] += units_[row].hessian;
      ++bin[kCount];
    }
  });
  histograms_[histogram].resize(blocks_.own_values().size());
  context_.communicator->sum_scatter(std::span<const std::int64_t>(built_), blocks_.sizes(),
                                     std::span(histograms_[histogram]));
}

void FullSearch::subtract(std::size_t parent, std::size_t child) {
  std::ranges::transform(histograms_[parent], histograms_[child], histograms_[parent].begin(),
                         std::minus<>());
}

Split FullSearch::find(const SplitTask& task) const {
  const Split own = find_own(task);
  Split best;
  for (const std::vector<Split>& found :
       gather_splits(std::span(&own, 1), *context_.communicator)) {
    if (is_better(found[0], best)) best = found[0];
  }
  return best;
}

Split FullSearch::find_own(const SplitTask& task) const {
  const RowRange own_features = blocks_.own_items();
  return ordered_reduce(
      context_, own_features.size(), 4, Split{},
      [&](std::size_t begin, std::size_t end) {
        Split best;
        for (std::size_t f = own_features.begin + begin; f < own_features.begin + end; ++f) {
          if (data_.is_constant(f) || task.allowed[f] == 0) continue;
          const auto feature = static_cast<std::uint32_t>(f);
          const std::vector<FullBin> own = bins(task.histogram, f);
          const Split split =
              data_.is_category(f)
                  ? find_in_categories({.bins = own, .category_bins = category_bins_[f]}, feature,
                                       rules_, task.bounds)
                  : find_in_bins(own, feature, data_.num_missing(f) > 0, rules_, task);
          if (is_better(split, best)) best = split;
        }
        return best;
      },
      [](Split& best, Split&& split) {
        if (is_better(split, best)) best = split;
      });
}

std::vector<FullBin> FullSearch::bins(std::size_t histogram, std::size_t feature) const {
  const std::size_t first = blocks_.own_values().begin;
  std::vector<FullBin> bins;
  for (std::size_t at = offsets_[feature]; at < offsets_[feature + 1]; at += kNumbersPerBin) {
    const std::int64_t* const bin = histograms_[histogram].data() + (at - first);
    bins.push_back({.gradient = gradient_units_.to_real(bin[kGradient]),
                    .hessian = hessian_units_.to_real(bin[kHessian]),
                    .count = static_cast<double>(bin[kCount])});
  }
  return bins;
}

}  // namespace glassrank
