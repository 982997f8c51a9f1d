#include "glassrank/data/bin_edges.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "glassrank/base/buffer.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
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

struct Filling {
  std::size_t capacity = 0;      // rows a bin of several values may hold,
  std::size_t num_larger = 0;    // one more in the first so many bins
  std::size_t min_bin_rows = 1;  // rows every bin must hold
};

// Where bin number `bin`, which starts at the distinct value `begin`, ends.
std::size_t bin_end(std::span<const std::size_t> ends, std::size_t begin, std::size_t bin,
                    Filling packing) {
  const std::size_t before = begin == 0 ? 0 : ends[begin - 1];
  const std::size_t capacity = packing.capacity + (bin < packing.num_larger ? 1 : 0);
  const std::size_t fits = first_above(ends, begin, before + capacity);
  const std::size_t enough = first_above(ends, begin, before + packing.min_bin_rows - 1) + 1;
  return std::min(std::max(fits, enough), ends.size());
}

bool fits_into(std::size_t max_bins, std::span<const std::size_t> ends, Filling packing) {
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
Filling best_packing(std::span<const std::size_t> ends, std::size_t max_bins,
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
  const Filling packing =
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

// Rows that the categories with a bin of their own should have, if max_bins are not enough for it.
constexpr double kCoveredShare = 0.99;

struct CategoryCount {
  std::uint32_t code = 0;
  std::size_t num_rows = 0;
};

// Every code with the rows that have it, the most frequent first.
std::vector<CategoryCount> count_categories(const DistinctValues& distinct) {
  std::vector<CategoryCount> counts;
  std::size_t before = 0;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const std::size_t num_rows = distinct.ends()[i] - before;
    before = distinct.ends()[i];
    const float value = distinct.values()[i];
    if (!(value > -1.0F) || !(value < static_cast<float>(kMostCategoryCodes))) continue;
    const auto code = static_cast<std::uint32_t>(value);
    if (counts.empty() || counts.back().code != code) counts.push_back({.code = code});
    counts.back().num_rows += num_rows;
  }
  std::ranges::stable_sort(counts, std::greater<>(), &CategoryCount::num_rows);
  return counts;
}

std::vector<float> cuts_around(const DistinctValues& distinct, const BinParams& params) {
  const std::vector<CategoryCount> counts = count_categories(distinct);
  double num_rows = 0;
  for (const CategoryCount& category : counts) num_rows += static_cast<double>(category.num_rows);
  std::set<float> cuts;
  double num_covered = 0;
  const bool only_max_bins = params.max_categories == 0;
  const auto most = only_max_bins ? counts.size() : static_cast<std::size_t>(params.max_categories);
  for (const CategoryCount& category : std::span(counts).first(std::min(counts.size(), most))) {
    if (category.num_rows < static_cast<std::size_t>(params.min_bin_rows)) break;
    const float edges[] = {edge_below(category.code), edge_below(category.code + 1)};
    const auto num_new = std::ranges::count_if(edges, [&](float e) { return !cuts.contains(e); });
    const std::size_t num_bins = cuts.size() + static_cast<std::size_t>(num_new) + 1;
    const bool is_covered = only_max_bins || num_covered >= kCoveredShare * num_rows;
    if (is_covered && num_bins > static_cast<std::size_t>(params.max_bins)) break;
    cuts.insert(std::begin(edges), std::end(edges));
    num_covered += static_cast<double>(category.num_rows);
  }
  return {cuts.begin(), cuts.end()};
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
                "maximum number of bins per feature, without the one for missing values",
                Range{.low = 2, .high = kMostBins});
  visitor.section("advanced");
  visitor.field("sample_rows", sample_rows,
                "number of rows from which cut points are chosen; 0 is all", kNotNegative);
  visitor.field("min_bin_rows", min_bin_rows, "minimum number of sampled rows in a bin",
                Range{.low = 1, .high = 1e9});
  visitor.field("max_categories", max_categories,
                "maximum number of categories of a feature that get a bin of their own; if there "
                "are more than max_bins, only those that cover 99 % of the rows do; 0 is max_bins",
                Range{.low = 0, .high = kMostBins / 2});
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

std::optional<std::uint32_t> BinEdges::category_of(std::size_t feature, std::size_t bin) const {
  const auto own = cuts(feature);
  if (bin == 0 || bin >= own.size()) return std::nullopt;
  return category_between(own[bin - 1], own[bin]);
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

std::vector<float> find_category_cuts(std::span<const float> values, const BinParams& params) {
  check_params(params);
  return cuts_around(DistinctValues(values), params);
}

namespace {

using Cuts = std::vector<std::vector<float>>;  // of every feature

void find_cuts_of(std::span<const float> column, bool is_category, const BinParams& params,
                  DistinctValues& distinct, std::vector<float>& cuts) {
  distinct.count(column);
  cuts = is_category ? cuts_around(distinct, params) : cuts_between(distinct, params);
}

Cuts find_own_cuts(const RowValues& rows, std::span<const std::size_t> sampled,
                   const BinParams& params, const Context& context) {
  const std::size_t num_features = rows.features.num_columns();
  Cuts cuts(num_features);
  // Workers keep their memory from group to group: fresh pages cost as much as the sorting.
  const std::size_t num_groups = (num_features + ColumnGroup::kWidth - 1) / ColumnGroup::kWidth;
  const auto num_workers = std::min(num_groups, static_cast<std::size_t>(context.threads->count()));
  std::atomic<std::size_t> next_group = 0;
  context.threads->run(num_workers, [&](std::size_t) {
    ColumnGroup group(sampled.size());
    DistinctValues distinct;
    for (std::size_t g = next_group++; g < num_groups; g = next_group++) {
      context.check_stop();
      const std::size_t begin = g * ColumnGroup::kWidth;
      const std::size_t end = std::min(begin + ColumnGroup::kWidth, num_features);
      group.gather(rows.features, sampled, begin, end);
      for (std::size_t f = begin; f < end; ++f) {
        find_cuts_of(group.column(f - begin), rows.schema.is_category(f), params, distinct,
                     cuts[f]);
      }
    }
  });
  return cuts;
}

// The same from the sampled rows of all machines, in their order: values of some columns at a time
// go to everybody, which bounds memory.
Cuts find_cuts_together(const RowValues& rows, std::span<const std::size_t> sampled,
                        const BinParams& params, const Context& context) {
  constexpr std::size_t kWidth = 8 * ColumnGroup::kWidth;
  const std::size_t num_features = rows.features.num_columns();
  Cuts cuts(num_features);
  for (std::size_t begin = 0; begin < num_features; begin += kWidth) {
    const std::size_t width = std::min(kWidth, num_features - begin);
    std::vector<float> own(width * sampled.size());  // column by column
    for (std::size_t i = 0; i < sampled.size(); ++i) {
      for (std::size_t f = 0; f < width; ++f) {
        own[f * sampled.size() + i] = rows.features(sampled[i], begin + f);
      }
    }
    const auto parts = context.communicator->gather(std::as_bytes(std::span(own)));
    parallel_for(context, width, 1, [&](std::size_t f, std::size_t) {
      std::vector<float> column;
      for (const Communicator::Bytes& part : parts) {
        const std::size_t num_rows = part.size() / sizeof(float) / width;
        const auto* values = reinterpret_cast<const float*>(part.data()) + f * num_rows;
        column.insert(column.end(), values, values + num_rows);
      }
      DistinctValues distinct;
      find_cuts_of(column, rows.schema.is_category(begin + f), params, distinct, cuts[begin + f]);
    });
  }
  return cuts;
}

}  // namespace

BinEdges find_bin_edges(const RowValues& rows, const RowSample& sample, const BinParams& params,
                        const Context& context) {
  check_params(params);
  const RowRange chosen = sample.within(rows.first_row, rows.first_row + rows.features.num_rows());
  std::vector<std::size_t> sampled(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    sampled[i] = sample.row(chosen.begin + i) - rows.first_row;
  const Cuts cuts = context.communicator->is_alone()
                        ? find_own_cuts(rows, sampled, params, context)
                        : find_cuts_together(rows, sampled, params, context);
  std::vector<std::uint64_t> offsets = {0};
  std::vector<float> all;
  for (const auto& own : cuts) {
    all.insert(all.end(), own.begin(), own.end());
    offsets.push_back(all.size());
  }
  return {std::move(offsets), std::move(all)};
}

}  // namespace glassrank
