#include "glassrank/boosting/row_partition.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/partition_kernel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 16'384;

struct ChunkHalves {
  std::size_t num_left = 0;
  std::size_t left_begin = 0;
  std::size_t right_begin = 0;
};

}  // namespace

RowPartition::RowPartition(BinnedDataset data, Context context)
    : data_(std::move(data)),
      context_(std::move(context)),
      rows_(data_.num_rows()),
      scratch_(data_.num_rows()) {}

std::span<std::uint32_t> RowPartition::start_all() {
  for (std::size_t r = 0; r < data_.num_rows(); ++r) rows_[r] = static_cast<std::uint32_t>(r);
  return rows_.span().first(data_.num_rows());
}

std::span<std::uint32_t> RowPartition::start(std::span<const std::uint32_t> rows) {
  std::ranges::copy(rows, rows_.data());
  return rows_.span().first(rows.size());
}

std::size_t RowPartition::split_range(RowRange range, const Split& split) {
  const std::size_t size = range.size();
  const PartitionRule rule{
      .column = data_.column(split.feature),
      .bin = split.bin,
      .also_left = split.missing_left ? static_cast<std::uint32_t>(data_.missing_bin(split.feature))
                                      : split.bin};
  std::uint32_t* rows = rows_.data() + range.begin;
  std::uint32_t* scratch = scratch_.data() + range.begin;
  if (size <= kChunkRows || context_.threads->count() == 1) {
    const std::size_t num_left = partition_rows(rule, {rows, size}, rows, scratch);
    std::copy_n(scratch, size - num_left, rows + num_left);
    return num_left;
  }
  // Each chunk is divided into its own part of scratch; then both halves move to where the counts
  // of the chunks before them say.
  std::vector<ChunkHalves> chunks((size + kChunkRows - 1) / kChunkRows);
  parallel_for(context_, size, kChunkRows, [&](std::size_t begin, std::size_t end) {
    std::uint32_t right[kChunkRows];
    const std::size_t num_left =
        partition_rows(rule, {rows + begin, end - begin}, scratch + begin, right);
    std::copy_n(right, end - begin - num_left, scratch + begin + num_left);
    chunks[begin / kChunkRows].num_left = num_left;
  });
  std::size_t num_left = 0;
  for (ChunkHalves& chunk : chunks) {
    chunk.left_begin = num_left;
    num_left += chunk.num_left;
  }
  for (std::size_t c = 0, at = num_left; c < chunks.size(); ++c) {
    chunks[c].right_begin = at;
    at += std::min(kChunkRows, size - c * kChunkRows) - chunks[c].num_left;
  }
  parallel_for(context_, size, kChunkRows, [&](std::size_t begin, std::size_t end) {
    const ChunkHalves& chunk = chunks[begin / kChunkRows];
    std::copy_n(scratch + begin, chunk.num_left, rows + chunk.left_begin);
    std::copy_n(scratch + begin + chunk.num_left, end - begin - chunk.num_left,
                rows + chunk.right_begin);
  });
  return num_left;
}

RowPartition::Halves RowPartition::split(const LeafRows& leaf, const Split& split) {
  const std::size_t active = leaf.active.begin + split_range(leaf.active, split);
  const std::size_t idle = leaf.idle.begin + split_range(leaf.idle, split);
  return {.left = {.active = {leaf.active.begin, active}, .idle = {leaf.idle.begin, idle}},
          .right = {.active = {active, leaf.active.end}, .idle = {idle, leaf.idle.end}}};
}

}  // namespace glassrank
