#pragma once
// Builds histograms of packed gradients: tables that stay in the first-level cache, then planes.
//
// A table holds one field as [code] of packed words (quantise.h), 1 KiB for a field of one byte.
// Rows are taken in chunks: their bytes are copied together once, 32 at a time; then the tables of
// those fields are updated in a pass or two over the chunk, one addition per row and field. Before
// the 16-bit halves can overflow the tables are added to the int32 planes of the histogram and
// cleared. Shared fields and pairs have planes of their own, from which the features' are summed at
// the end. Lists (row_lists.h) are one pass; the sum of a commonest code is the leaf's total minus
// the sums of the other codes. Threads: rows are shared out piece by piece for large leaves, blocks
// for middling ones. Everything is integer sums: the result does not depend on any of it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/context.h"
#include "glassrank/boosting/histogram/packed_histogram.h"
#include "glassrank/boosting/histogram/row_blocks.h"

namespace glassrank {

class HistogramBuilder {
 public:
  HistogramBuilder(const BinnedDataset& data, const RowBlocks& blocks, Context context);

  // Overwrites `out` with the sums of packed[row] over the rows.
  void build(std::span<const std::uint32_t> rows, std::span<const std::int32_t> packed,
             PackedHistogram& out);

 private:
  using Plane = Buffer<std::int32_t> PackedHistogram::*;
  static constexpr std::array<Plane, 2> kPlanes = {&PackedHistogram::gradient,
                                                   &PackedHistogram::hessian};

  // What one worker needs for itself.
  struct Worker {
    Buffer<std::int32_t> tables;       // of every field group, one after the other
    Buffer<std::uint8_t> chunk_codes;  // [pass][row][32]
    std::vector<std::int32_t> chunk_packed;
    PackedHistogram planes;  // empty for the first worker
    PackedHistogram joint;   // planes of shared fields and pairs
    bool is_empty = true;    // nothing was flushed to the planes yet
    RowSums since_flush;
    RowSums since_begin;
  };
  // 32 bytes of a row, added together (chunk_pass.h).
  enum class PassKind { kBytes, kPairs, kList };
  struct Pass {
    PassKind kind = PassKind::kBytes;
    std::size_t num_adds = 0;  // a row
    std::size_t table = 0;     // of the first field, in values
    std::size_t turn = 0;      // to fetch: the longest first
    const ListExtras* extras = nullptr;
  };
  struct Passes {
    std::vector<Pass> passes;
    std::vector<std::size_t> bytes;  // where each begins in a row
  };
  struct Work {
    std::span<const std::uint32_t> rows;
    std::span<const std::int32_t> packed;
    std::size_t first_group = 0;
    std::size_t last_group = 0;
    PackedHistogram* out = nullptr;
    Passes of_groups = {};
  };
  struct Fetch;
  Passes passes(std::size_t first_group, std::size_t last_group) const;
  std::size_t first_group_of(std::size_t worker) const;
  Fetch fetch(const Work& work, std::size_t pass) const;
  static void begin(Worker& worker);
  void run(Worker& worker, const Work& work) const;
  void add_rows(Worker& worker, const Work& work) const;
  void add_chunk(Worker& worker, const Work& work, std::size_t begin, std::size_t end) const;
  void flush(Worker& worker, const Work& work, bool packed) const;
  void sum_shared(Plane plane, const std::int32_t* joint, const FieldGroup& group,
                  PackedHistogram& out) const;
  void finish(Plane plane, const Work& work, const PackedHistogram& joint,
              std::int32_t total) const;
  void merge(Plane plane, const Work& work);
  void build_by_rows(const Work& whole);
  void build_by_blocks(const Work& whole);
  void add_wide(std::span<const std::uint32_t> rows, std::span<const std::int32_t> packed,
                PackedHistogram& out) const;

  BinnedDataset data_;
  const RowBlocks& blocks_;
  Context context_;
  // Groups whose planes are those of features as they are: listed and single ones.
  std::size_t num_plain_groups_ = 0;
  std::size_t plain_plane_size_ = 0;
  // Of field groups, in values; one more at the end.
  std::vector<std::size_t> plane_begins_;
  std::vector<std::size_t> table_begins_;
  std::vector<std::size_t> additions_before_;  // groups, a row; one more at the end
  std::vector<Worker> workers_;
};

}  // namespace glassrank
