#include "glassrank/data/bin_edges.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "glassrank/base/buffer.h"
#include "glassrank/base/error.h"
#include "glassrank/data/distinct_values.h"

namespace glassrank {
namespace {

constexpr std::size_t kMostBins = 65'535;

// The first i >= begin with ends[i] > limit. Gallops: a bin is short next to the whole column.
std::size_t first_above(std::span<const std::size_t> ends, std::size_t begin, std::size_t limit) {
  std::size_t step = 1;
  std::size_t low = begin;
  while (low + step <= ends.size() && ends[low + step - 1] <= limit) {
    low += step;
    step *= 2;
  }
  const std::size_t high = std::min(low + step, ends.size());
  return static_cast<std::size_t>(std::upper_bound(ends.begin() + low, ends.begin() + high, limit) -
                                  ends.begin());
}

struct Packing {
  std::size_t capacity = 0;      // rows a bin of several values may hold,
  std::size_t num_larger = 0;    // one more in the first so many bins
  std::size_t min_bin_rows = 1;  // rows every bin must hold
};

// Where bin number `bin`, which starts at the distinct value `begin`, ends.
std::size_t bin_end(std::span<const std::size_t> ends, std::size_t begin, std::size_t bin,
                    Packing packing) {
  const std::size_t before = begin == 0 ? 0 : ends[begin - 1];
  const std::size_t capacity = packing.capacity + (bin < packing.num_larger ? 1 : 0);
  const std::size_t fits = first_above(ends, begin, before + capacity);
  const std::size_t enough = first_above(ends, begin, before + packing.min_bin_rows - 1) + 1;
  return std::min(std::max(fits, enough), ends.size());
}

bool fits_into(std::size_t max_bins, std::span<const std::size_t> ends, Packing packing) {
  std::size_t begin = 0;
  for (std::size_t bin = 0; bin < max_bins && begin < ends.size(); ++bin) {
    begin = bin_end(ends, begin, bin, packing);
  }
  return begin >= ends.size();
}

// The smallest x in (too_small, enough] for which fits(x); it must be monotone, fits(enough) true.
template <typename Fits>
std::size_t bisect(std::size_t too_small, std::size_t enough, Fits&& fits) {
  while (enough - too_small > 1) {
    const std::size_t middle = too_small + (enough - too_small) / 2;
    (fits(middle) ? enough : too_small) = middle;
  }
  return enough;
}

// Bisection is right because larger bins never need to be more: bin_end grows with begin,
// capacity and num_larger.
Packing best_packing(std::span<const std::size_t> ends, std::size_t max_bins,
                     std::size_t min_bin_rows) {
  const auto fits = [&](std::size_t capacity, std::size_t num_larger) {
    return fits_into(max_bins, ends, {capacity, num_larger, min_bin_rows});
  };
  if (fits(0, 0)) return {0, 0, min_bin_rows};
  // Two neighbouring bins hold more than the capacity together, so this one is always enough.
  const std::size_t most = 2 * ends.back() / max_bins + 1;
  const std::size_t capacity = bisect(0, most, [&](std::size_t t) { return fits(t, 0); }) - 1;
  const std::size_t num_larger =
      bisect(0, max_bins, [&](std::size_t larger) { return fits(capacity, larger); });
  return {capacity, num_larger, min_bin_rows};
}

std::vector<float> cuts_between(const DistinctValues& distinct, const BinParams& params) {
  const auto min_bin_rows = static_cast<std::size_t>(params.min_bin_rows);
  std::vector<float> cuts;
  if (distinct.size() < 2) return cuts;
  const Packing packing =
      best_packing(distinct.ends(), static_cast<std::size_t>(params.max_bins), min_bin_rows);
  std::size_t last = 0;
  for (std::size_t end = bin_end(distinct.ends(), 0, 0, packing); end < distinct.size();
       end = bin_end(distinct.ends(), end, cuts.size(), packing)) {
    cuts.push_back(cut_between(distinct.values()[end - 1], distinct.values()[end]));
    last = end;
  }
  if (last > 0 && distinct.num_rows() - distinct.ends()[last - 1] < min_bin_rows) cuts.pop_back();
  return cuts;
}

// Neighbouring columns of the sampled rows, one after the other.
class ColumnGroup {
 public:
  // Half a cache line: little waste in reading rows, enough groups to share among threads.
  static constexpr std::size_t kWidth = 8;

  explicit ColumnGroup(std::size_t num_rows) : num_rows_(num_rows), values_(kWidth * num_rows) {}

  void gather(MatrixView<const float> features, std::span<const std::size_t> rows,
              std::size_t begin, std::size_t end) {
    constexpr std::size_t kAhead = 24;
    const std::size_t width = features.num_columns();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      // The rows lie too far apart for the processor to guess the next one.
      const std::size_t ahead = rows[std::min(i + kAhead, rows.size() - 1)];
      __builtin_prefetch(features.data() + ahead * width + begin);
      __builtin_prefetch(features.data() + ahead * width + end - 1);
      const float* row = features.data() + rows[i] * width;
      for (std::size_t f = begin; f < end; ++f) values_[(f - begin) * num_rows_ + i] = row[f];
    }
  }
  std::span<const float> column(std::size_t i) const {
    return values_.span().subspan(i * num_rows_, num_rows_);
  }

 private:
  std::size_t num_rows_;
  Buffer<float> values_;
};

}  // namespace

void BinParams::visit(ParamVisitor& visitor) {
  visitor.section("model");
  visitor.field("max_bins", max_bins,
                "bins per feature at most, not counting the one for missing values",
                Range{.low = 2, .high = kMostBins});
  visitor.section("advanced");
  visitor.field("sample_rows", sample_rows, "rows the cut points are chosen from; 0 is all",
                kNotNegative);
  visitor.field("min_bin_rows", min_bin_rows, "sampled rows in a bin at least",
                Range{.low = 1, .high = 1e9});
}

BinEdges::BinEdges(std::vector<std::uint64_t> offsets, std::vector<float> cuts)
    : offsets_(std::move(offsets)), cuts_(std::move(cuts)) {
  if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != cuts_.size() ||
      !std::ranges::is_sorted(offsets_)) {
    fail(ErrorKind::kInput, "the offsets of the bin edges do not fit the {} cuts", cuts_.size());
  }
  for (std::size_t f = 0; f < num_features(); ++f) {
    const auto own = this->cuts(f);
    if (own.size() >= kMostBins) {
      fail(ErrorKind::kInput, "feature {} has {} cuts; at most {} are possible", f + 1, own.size(),
           kMostBins - 1);
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!std::isnan(own[i]) && (i == 0 || own[i - 1] < own[i])) continue;
      fail(ErrorKind::kInput, "cut {} of feature {} is {}; cuts must ascend", i + 1, f + 1, own[i]);
    }
  }
}

std::size_t BinEdges::bin(std::size_t feature, float value) const {
  if (std::isnan(value)) return missing_bin(feature);
  const auto own = cuts(feature);
  return static_cast<std::size_t>(std::ranges::lower_bound(own, value) - own.begin());
}

float cut_between(float a, float b) {
  const auto middle = static_cast<float>((static_cast<double>(a) + static_cast<double>(b)) / 2);
  // Rounding may reach b when the two are adjacent, and infinities have no middle.
  return middle >= a && middle < b ? middle : a;
}

std::vector<float> find_cuts(std::span<const float> values, const BinParams& params) {
  check_params(params);
  return cuts_between(DistinctValues(values), params);
}

BinEdges find_bin_edges(MatrixView<const float> features, const RowSample& sample,
                        const BinParams& params, const Context& context) {
  check_params(params);
  const std::size_t num_features = features.num_columns();
  std::vector<std::size_t> rows(sample.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = sample.row(i);
  std::vector<std::vector<float>> cuts(num_features);
  // Workers keep their memory from group to group: fresh pages cost as much as the sorting.
  const std::size_t num_groups = (num_features + ColumnGroup::kWidth - 1) / ColumnGroup::kWidth;
  const auto num_workers = std::min(num_groups, static_cast<std::size_t>(context.threads->count()));
  std::atomic<std::size_t> next_group = 0;
  context.threads->run(num_workers, [&](std::size_t) {
    ColumnGroup group(rows.size());
    DistinctValues distinct;
    for (std::size_t g = next_group++; g < num_groups; g = next_group++) {
      context.check_stop();
      const std::size_t begin = g * ColumnGroup::kWidth;
      const std::size_t end = std::min(begin + ColumnGroup::kWidth, num_features);
      group.gather(features, rows, begin, end);
      for (std::size_t f = begin; f < end; ++f) {
        distinct.count(group.column(f - begin));
        cuts[f] = cuts_between(distinct, params);
      }
    }
  });
  std::vector<std::uint64_t> offsets = {0};
  std::vector<float> all;
  for (const auto& own : cuts) {
    all.insert(all.end(), own.begin(), own.end());
    offsets.push_back(all.size());
  }
  return {std::move(offsets), std::move(all)};
}

}  // namespace glassrank
