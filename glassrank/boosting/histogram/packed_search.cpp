#include "glassrank/boosting/histogram/packed_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/histogram/category_search.h"
#include "glassrank/boosting/histogram/shared_splits.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkGroups = 2;  // worth sharing out to scan
// In quantised units. Beyond it a cut's order no longer depends on it; products stay finite.
constexpr double kLargestPenalty = 1e15;

}  // namespace

PackedSearch::PackedSearch(BinnedDataset data, const Setup& setup, Context context)
    : data_(std::move(data)),
      setup_(setup),
      context_(std::move(context)),
      blocks_(data_, context_),
      builder_(data_, blocks_, context_),
      packed_(data_.num_rows()),
      scratch_(data_.num_rows()),
      shared_(blocks_.feature_groups(), blocks_.plane_size(), context_),
      histograms_(setup.num_histograms),
      bin_begins_(1) {
  for (std::size_t f = 0; f < data_.num_features(); ++f) {
    bin_begins_.push_back(bin_begins_.back() + data_.num_bins(f));
    category_bins_.push_back(data_.is_category(f) ? data_.category_bins(f)
                                                  : std::vector<std::uint32_t>());
    has_categories_ |= data_.is_category(f);
  }
}

std::size_t PackedSearch::start_tree(const TreeGradients& gradients, const TreeRows& all) {
  const std::span<std::uint32_t> rows = all.own;
  const double active_share = setup_.active.of(all.everywhere);
  scales_ = choose_scales(gradients, rows, active_share, context_);
  // Vectors over every row are cheaper than picking out many.
  if (4 * rows.size() > data_.num_rows()) {
    quantise(gradients, scales_, packed_.span(), context_);
  } else {
    quantise_rows(gradients, scales_, rows, packed_.span(), context_);
  }
  return split_active(packed_.span(), rows, scratch_.span(), context_);
}

void PackedSearch::build(std::span<const std::uint32_t> rows, std::size_t histogram) {
  PackedHistogram& planes = histograms_[histogram];
  if (planes.gradient.size() == 0) planes = PackedHistogram(blocks_.plane_size());
  builder_.build(rows, packed_.span(), planes);
  shared_.add_up(planes);
}

void PackedSearch::subtract(std::size_t parent, std::size_t child) {
  glassrank::subtract(histograms_[parent], histograms_[child], shared_.own_range(), context_);
}

PackedSearch::Totals PackedSearch::totals(std::size_t histogram) const {
  const RowSums& rows = histograms_[histogram].rows;
  return {.gradient = static_cast<std::int32_t>(rows.gradient),
          .hessian = static_cast<std::int32_t>(rows.hessian)};
}

bool PackedSearch::owns(std::size_t feature) const {
  const FeaturePlace place = blocks_.place(feature);
  return place.exists && place.group >= shared_.own_groups().begin &&
         place.group < shared_.own_groups().end;
}

ScanInput PackedSearch::scan_input(const SplitTask& task, const Totals& total) const {
  const SplitRules& rules = setup_.rules;
  const double rows_per_hessian = static_cast<double>(task.num_rows) / std::max(total.hessian, 1);
  const double by_rows = task.count_exactly ? 0
                                            : static_cast<double>(rules.min_leaf_rows) *
                                                  task.strictness / rows_per_hessian;
  const double by_hessian = rules.min_leaf_hessian / scales_.hessian;
  const double least = std::min(std::ceil(std::max(by_rows, by_hessian)), 2e9);
  return {.is_ranged = task.count_exactly,
          .total_gradient = total.gradient,
          .total_hessian = total.hessian,
          .min_hessian = std::max(1, static_cast<std::int32_t>(least)),
          .l1 = static_cast<float>(std::min(rules.l1 / scales_.gradient, kLargestPenalty)),
          .l2 = static_cast<float>(std::min(rules.l2 / scales_.hessian, kLargestPenalty))};
}

bool PackedSearch::needs_plain(const SplitTask& task, std::size_t feature) const {
  return !task.bounds.is_free() || (has_categories_ && data_.is_category(feature)) ||
         (!task.monotone.empty() && task.monotone[feature] != 0);
}

void PackedSearch::take_best_lane(const FeatureGroup& group, const ScanOutput& output,
                                  bool missing_left, Split& best) const {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (!(output.score[lane] > 0)) continue;
    const Split split{.gain = output.score[lane],
                      .feature = group.features[lane],
                      .bin = static_cast<std::uint32_t>(output.code[lane]),
                      .missing_left = missing_left};
    if (is_better(split, best)) best = split;
  }
}

// Counts rise from code to code: the splits that leave enough rows on both sides are neighbours.
void PackedSearch::limit_splits(const SplitTask& task, std::span<const std::uint64_t> counts,
                                std::uint64_t start_count, Limits limits) const {
  const std::uint64_t least = std::max<std::size_t>(setup_.rules.min_leaf_rows, 1);
  std::uint64_t left = start_count;
  std::int32_t code = 0;
  for (; code < limits.num_splits; ++code) {
    left += counts[static_cast<std::size_t>(code)];
    if (left >= least) break;
  }
  limits.first_split = code;
  for (; code < limits.num_splits && task.num_rows - left >= least; ++code) {
    left += counts[static_cast<std::size_t>(code) + 1];
  }
  limits.num_splits = code;
}

void PackedSearch::scan_feature_group(const SplitTask& task, std::size_t group_index,
                                      std::span<const std::uint64_t> counts, ScanInput& input,
                                      Split& best) const {
  const FeatureGroup& group = blocks_.feature_groups()[group_index];
  const PackedHistogram& planes = histograms_[task.histogram];
  input.planes = planes.planes(group.begin);
  input.start_gradient.fill(0);
  input.start_hessian.fill(0);
  bool any = false;
  bool any_missing = false;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t f = group.features[lane];
    input.num_splits[lane] = 0;
    if (f == kNoFeature || task.allowed[f] == 0 || needs_plain(task, f)) continue;
    const bool missing = data_.num_missing(f) > 0;
    any_missing |= missing;
    any = true;
    input.num_splits[lane] = static_cast<std::int32_t>(data_.num_value_bins(f) - (missing ? 0 : 1));
    if (task.count_exactly) {
      limit_splits(task, counts.subspan(bin_begins_[f]), 0,
                   {input.first_split[lane], input.num_splits[lane]});
    }
  }
  if (!any) return;
  ScanOutput output;
  scan_group(input, output);
  take_best_lane(group, output, false, best);
  if (!any_missing) return;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t f = group.features[lane];
    input.num_splits[lane] = 0;
    if (f == kNoFeature || task.allowed[f] == 0 || needs_plain(task, f)) continue;
    if (data_.num_missing(f) == 0) continue;
    input.num_splits[lane] = static_cast<std::int32_t>(data_.num_value_bins(f)) - 1;
    if (task.count_exactly) {
      const std::span<const std::uint64_t> own = counts.subspan(bin_begins_[f]);
      limit_splits(task, own, own[data_.missing_bin(f)],
                   {input.first_split[lane], input.num_splits[lane]});
    }
    const auto missing = planes.bin(group.begin + data_.missing_bin(f) * kLanes + lane);
    input.start_gradient[lane] = missing.gradient;
    input.start_hessian[lane] = missing.hessian;
  }
  scan_group(input, output);
  take_best_lane(group, output, true, best);
}

Split PackedSearch::finish(const SplitTask& task, const Totals& total, const Split& found) const {
  if (!found.exists()) return {};
  const FeaturePlace place = blocks_.place(found.feature);
  const std::size_t begin = blocks_.feature_groups()[place.group].begin + place.lane;
  const PackedHistogram& planes = histograms_[task.histogram];
  Totals left;
  const auto add = [&](std::size_t code) {
    const PackedHistogram::Bin bin = planes.bin(begin + code * kLanes);
    left.gradient += bin.gradient;
    left.hessian += bin.hessian;
  };
  for (std::size_t code = 0; code <= found.bin; ++code) add(code);
  if (found.missing_left) add(data_.missing_bin(found.feature));
  const auto real = [&](std::int32_t gradient, std::int32_t hessian) {
    return LeafSums{.gradient = static_cast<double>(gradient) * scales_.gradient,
                    .hessian = static_cast<double>(hessian) * scales_.hessian};
  };
  const SplitRules& rules = setup_.rules;
  const LeafSums l = real(left.gradient, left.hessian);
  const LeafSums r = real(total.gradient - left.gradient, total.hessian - left.hessian);
  Split split = found;
  split.gain = leaf_score(l, rules, {}) + leaf_score(r, rules, {}) -
               leaf_score(real(total.gradient, total.hessian), rules, {});
  split.left_value = leaf_value(l, rules, {});
  split.right_value = leaf_value(r, rules, {});
  return split.gain > rules.min_gain ? split : Split{};
}

std::vector<FullBin> PackedSearch::bins(std::size_t histogram, std::size_t feature,
                                        std::size_t num_rows) const {
  const FeaturePlace place = blocks_.place(feature);
  const std::size_t begin = blocks_.feature_groups()[place.group].begin + place.lane;
  const PackedHistogram& planes = histograms_[histogram];
  const double rows_per_hessian =
      static_cast<double>(num_rows) / std::max(totals(histogram).hessian, 1);
  std::vector<FullBin> result(data_.num_bins(feature));
  for (std::size_t code = 0; code < RowBlocks::num_codes(data_, feature); ++code) {
    const PackedHistogram::Bin bin = planes.bin(begin + code * kLanes);
    const double hessian = bin.hessian;
    result[code] = {.gradient = bin.gradient * static_cast<double>(scales_.gradient),
                    .hessian = hessian * scales_.hessian,
                    .count = hessian * rows_per_hessian};
  }
  return result;
}

// Of every bin of every feature that may be split on.
std::vector<std::uint64_t> PackedSearch::count_rows(const SplitTask& task) const {
  std::vector<std::uint64_t> counts(bin_begins_.back());
  parallel_for(context_, data_.num_features(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t feature = begin; feature < end; ++feature) {
      if (task.allowed[feature] == 0 || !blocks_.place(feature).exists) continue;
      const BinColumn column = data_.column(feature);
      for (const auto& rows : {task.active_rows, task.idle_rows}) {
        for (const std::uint32_t row : rows) ++counts[bin_begins_[feature] + column[row]];
      }
    }
  });
  context_.communicator->sum(std::span(counts));
  return counts;
}

Split PackedSearch::find_plainly(const SplitTask& task, std::size_t feature,
                                 std::span<const std::uint64_t> counts) const {
  std::vector<FullBin> sums = bins(task.histogram, feature, task.num_rows);
  SplitRules rules = setup_.rules;
  rules.min_leaf_hessian = std::max(rules.min_leaf_hessian, 0.5 * scales_.hessian);
  if (task.count_exactly) {
    for (std::size_t b = 0; b < sums.size(); ++b) {
      sums[b].count = static_cast<double>(counts[bin_begins_[feature] + b]);
    }
  } else {
    rules.min_leaf_rows = static_cast<std::size_t>(
        std::ceil(static_cast<double>(rules.min_leaf_rows) * task.strictness));
  }
  if (data_.is_category(feature)) {
    return find_in_categories({.bins = sums, .category_bins = category_bins_[feature]},
                              static_cast<std::uint32_t>(feature), rules, task.bounds);
  }
  return find_in_bins(sums, static_cast<std::uint32_t>(feature), data_.num_missing(feature) > 0,
                      rules, task);
}

Split PackedSearch::find(const SplitTask& task) const {
  if (blocks_.feature_groups().empty()) return {};
  const Split best = search(task);
  if (best.exists() || task.count_exactly) return best;
  // Estimates may have passed over every split that there is. If one gains, counts decide.
  SplitTask other = task;
  other.strictness = 0;
  if (!search(other).exists()) return {};
  other.count_exactly = true;
  return search(other);
}

// Chosen as one machine would: the best scan first, its gain against the others' then.
Split PackedSearch::search(const SplitTask& task) const {
  const Found own = search_own(task);
  const auto all =
      gather_splits(std::array{own.scanned, own.finished, own.plain}, *context_.communicator);
  Split scanned;
  Split best;
  for (const std::vector<Split>& found : all) {
    if (!is_better(found[0], scanned)) continue;
    scanned = found[0];
    best = found[1];
  }
  for (const std::vector<Split>& found : all) {
    if (is_better(found[2], best)) best = found[2];
  }
  return best;
}

PackedSearch::Found PackedSearch::search_own(const SplitTask& task) const {
  const Totals total = totals(task.histogram);
  std::vector<std::uint64_t> counts;
  if (task.count_exactly) counts = count_rows(task);
  const auto take_better = [](Split& best, Split&& part) {
    if (is_better(part, best)) best = part;
  };
  Found found;
  const RowRange groups = shared_.own_groups();
  found.scanned = ordered_reduce(
      context_, groups.size(), kChunkGroups, Split{},
      [&](std::size_t begin, std::size_t end) {
        Split part;
        ScanInput input = scan_input(task, total);
        for (std::size_t g = groups.begin + begin; g < groups.begin + end; ++g) {
          scan_feature_group(task, g, counts, input, part);
        }
        return part;
      },
      take_better);
  found.finished = finish(task, total, found.scanned);
  const bool all_vectors = !has_categories_ && task.bounds.is_free() &&
                           std::ranges::all_of(task.monotone, [](int d) { return d == 0; });
  if (all_vectors) return found;
  found.plain = ordered_reduce(
      context_, data_.num_features(), 16, Split{},
      [&](std::size_t begin, std::size_t end) {
        Split part;
        for (std::size_t f = begin; f < end; ++f) {
          if (task.allowed[f] == 0 || !needs_plain(task, f) || !owns(f)) continue;
          const Split split = find_plainly(task, f, counts);
          if (is_better(split, part)) part = split;
        }
        return part;
      },
      take_better);
  return found;
}

}  // namespace glassrank
