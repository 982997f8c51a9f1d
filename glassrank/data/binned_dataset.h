#pragma once
// Ranking data as bins: what tree learners read instead of the float matrix.
//
// One column of codes per feature, a byte each when the feature has at most 256 codes (with the
// missing bin), two bytes otherwise; columns begin on 64-byte borders. The convention of codes is
// that of bin_edges.h. Immutable, cheap to copy (copies share everything), and on its own: it
// shares the table of the rows with the values it was made from but does not keep those alive.
// Memory: 1 or 2 bytes a value, 4 bytes a row for grades. Cost: one pass over the matrix in tiles
// that fit the cache, rows in parallel; the result does not depend on the number of threads.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/bin_edges.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/row_table.h"

namespace glassrank {

// The codes of one feature.
class BinColumn {
 public:
  BinColumn(const std::uint8_t* bytes, std::size_t size, bool is_wide)
      : bytes_(bytes), size_(size), is_wide_(is_wide) {}

  std::size_t size() const { return size_; }
  bool is_wide() const { return is_wide_; }
  std::span<const std::uint8_t> narrow() const { return {bytes_, size_}; }  // if not is_wide()
  std::span<const std::uint16_t> wide() const {                             // if is_wide()
    return {reinterpret_cast<const std::uint16_t*>(bytes_), size_};
  }
  std::size_t operator[](std::size_t row) const { return is_wide_ ? wide()[row] : bytes_[row]; }

 private:
  const std::uint8_t* bytes_;
  std::size_t size_;
  bool is_wide_;
};

// Where the columns lie in one block of bytes.
class CodeLayout {
 public:
  CodeLayout(const BinEdges& edges, std::size_t num_rows);
  static bool is_wide(std::size_t num_bins) { return num_bins > 256; }

  std::size_t begin(std::size_t feature) const { return begins_[feature]; }
  // One past the last code; zeros fill the bytes from here to the next column.
  std::size_t end(std::size_t feature) const { return ends_[feature]; }
  std::size_t num_bytes() const { return begins_.back(); }

 private:
  std::vector<std::size_t> begins_;  // num_features + 1
  std::vector<std::size_t> ends_;
};

struct BinnedParts {
  std::shared_ptr<const RowTable> table;
  std::shared_ptr<const BinEdges> edges;
  // Rows with a missing value, per feature; on all machines, as is the number of rows (0: those of
  // the table).
  std::vector<std::uint64_t> num_missing;
  std::shared_ptr<const void> owner;    // keeps `codes` alive
  std::span<const std::uint8_t> codes;  // as CodeLayout says
  std::uint64_t num_all_rows = 0;
};

class BinnedDataset {
 public:
  // Throws Error{kInput} if the parts do not fit together. Codes themselves are trusted.
  explicit BinnedDataset(BinnedParts parts);

  std::size_t num_rows() const { return parts_.table->num_rows(); }
  std::size_t num_all_rows() const { return parts_.num_all_rows; }  // on all machines
  std::size_t num_features() const { return parts_.table->num_features(); }
  std::size_t num_queries() const { return parts_.table->queries.num_queries(); }

  BinColumn column(std::size_t feature) const;
  const BinEdges& edges() const { return *parts_.edges; }
  const std::shared_ptr<const BinEdges>& shared_edges() const { return parts_.edges; }
  std::size_t num_value_bins(std::size_t feature) const { return edges().num_value_bins(feature); }
  std::size_t missing_bin(std::size_t feature) const { return edges().missing_bin(feature); }
  std::size_t num_bins(std::size_t feature) const { return edges().num_bins(feature); }
  bool is_category(std::size_t feature) const { return table().schema.is_category(feature); }
  // The bins of a feature of categories that hold one each, ascending.
  std::vector<std::uint32_t> category_bins(std::size_t feature) const;
  // On all machines.
  std::size_t num_missing(std::size_t feature) const { return parts_.num_missing[feature]; }
  // On all machines. No split on the feature can tell rows apart: there is no cut, and either no or
  // every value is missing.
  bool is_constant(std::size_t feature) const;

  const RowTable& table() const { return *parts_.table; }
  std::span<const float> grades() const { return parts_.table->grades; }
  std::span<const float> weights() const { return parts_.table->weights; }  // empty: all 1
  double weight(std::size_t row) const { return weights().empty() ? 1.0 : weights()[row]; }
  const QueryGroups& queries() const { return parts_.table->queries; }
  std::span<const std::string> feature_names() const { return parts_.table->feature_names(); }
  std::span<const std::uint8_t> codes() const { return parts_.codes; }
  std::span<const std::uint64_t> missing_counts() const { return parts_.num_missing; }

 private:
  BinnedParts parts_;
  CodeLayout layout_;
};

// Parts of this machine's rows with the counts of all. Collective.
BinnedParts counted_together(BinnedParts parts, const Context& context);

// Cut points from the data itself, on all machines, then its codes. Collective, as are the others.
// The sample depends on context.seed.
BinnedDataset bin_dataset(const Dataset& data, const BinParams& params, const Context& context);

// Other data (validation, test) in the bins of the training data. Values beyond the training range
// fall into the first or last value bin, NaN into the missing bin, even where training had none.
// Throws Error{kInput} if the number of features differs.
BinnedDataset bin_with(const Dataset& data, std::shared_ptr<const BinEdges> edges,
                       const Context& context);

}  // namespace glassrank
