#pragma once
// Cut points: how each feature's values become a small number of bins.
//
//   bin(x) = number of cuts strictly below x,   so   x <= cuts[b]  <=>  bin(x) <= b.
//
// A feature with c cuts has c + 1 value bins, 0 .. c, and bin c + 1 is kept for missing values
// (NaN), whether or not the training data has any: a NaN met later always has a place of its own,
// and 255 value bins and the missing one still fit a byte. -0 equals +0.
//
// Choosing the cuts (equal mass; heavy values alone): the distinct values of a sample of rows, in
// ascending order, are packed into bins from the left. A bin takes values while it holds at most T
// rows; a value with more than T rows is alone. T is the smallest capacity for which max_bins bins
// are enough: 0 (every distinct value its own bin) when they fit, and never more than
// 2 * rows / max_bins + 1. Only as many of the first bins as needed use T, the others T - 1, so
// that a few distinct values too many do not halve the bins.
// min_bin_rows goes first: a bin takes further values until it holds that many sampled rows, and a
// last bin that cannot is joined to the one before.
// A cut between neighbours a < b is the float m nearest to their middle with a <= m < b.
// Categories (schema.h) are bins of their own, with the same convention: the edges of a category's
// code (category_names.h) are cuts. The most frequent ones have a bin, as long as max_bins are
// enough; if they do not cover 99 % of the rows then, more do, until they cover them.
// max_categories limits this, and 0 keeps to max_bins. A category needs min_bin_rows sampled rows.
// All others lie in the bins between and behind, several in one bin: those are no category, and
// stand for rare and unseen ones alike. A bin between that is as wide as one code is that category.
// Cost: a radix sort of the sample per feature, features in parallel.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/base/params.h"
#include "glassrank/data/row_sample.h"
#include "glassrank/data/schema.h"

namespace glassrank {

struct BinParams {
  int max_bins = 255;
  std::int64_t sample_rows = 200'000;
  int min_bin_rows = 3;
  int max_categories = 4096;

  void visit(ParamVisitor& visitor);
};

class BinEdges {
 public:
  // No feature.
  BinEdges() = default;
  // The ascending cuts of feature f are cuts[offsets[f] .. offsets[f + 1]). Throws Error{kInput}
  // when offsets do not fit, cuts are NaN or do not ascend strictly, or a feature has over 65,534.
  BinEdges(std::vector<std::uint64_t> offsets, std::vector<float> cuts);

  std::size_t num_features() const { return offsets_.size() - 1; }
  std::span<const float> cuts(std::size_t feature) const {
    return std::span(cuts_).subspan(offsets_[feature], offsets_[feature + 1] - offsets_[feature]);
  }
  std::size_t num_value_bins(std::size_t feature) const { return cuts(feature).size() + 1; }
  std::size_t missing_bin(std::size_t feature) const { return num_value_bins(feature); }
  // The value bins and the missing one: codes are in [0, num_bins).
  std::size_t num_bins(std::size_t feature) const { return num_value_bins(feature) + 1; }
  // Of a feature of categories: the one that a bin holds; none where it holds others.
  std::optional<std::uint32_t> category_of(std::size_t feature, std::size_t bin) const;
  // By binary search; coding many rows is faster with BinCoder.
  std::size_t bin(std::size_t feature, float value) const;

  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const float> all_cuts() const { return cuts_; }
  bool operator==(const BinEdges&) const = default;

 private:
  std::vector<std::uint64_t> offsets_ = {0};
  std::vector<float> cuts_;
};

// The cuts of one feature from its values in any order, NaN among them.
// Throws Error{kUsage} when a parameter is out of its range.
std::vector<float> find_cuts(std::span<const float> values, const BinParams& params);

// The same for the codes of categories.
std::vector<float> find_category_cuts(std::span<const float> values, const BinParams& params);

// Values of this machine's rows.
struct RowValues {
  MatrixView<const float> features;
  std::size_t first_row = 0;  // its number among the rows of all machines (shard.h)
  const Schema& schema;
};

// The cuts of every column from the sampled rows of all machines; the schema says which are
// categories. The same for any number of threads and machines. Collective: sampled values are
// gathered, some columns at a time.
BinEdges find_bin_edges(const RowValues& rows, const RowSample& sample, const BinParams& params,
                        const Context& context);

// The cut between neighbouring values a < b: a <= m < b, also when no float lies between.
float cut_between(float a, float b);

}  // namespace glassrank
