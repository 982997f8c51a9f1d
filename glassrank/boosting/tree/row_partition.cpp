#include "glassrank/boosting/tree/row_partition.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "glassrank/base/parallel.h"
#include "glassrank/boosting/tree/partition_kernel.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 4'096;
constexpr std::size_t kParallelRows = 2 * kChunkRows;  // fewer are divided before others wake up

}  // namespace

// Consecutive rows of one range, divided on their own.
struct RowPartition::Chunk {
  RowRange rows;
  bool is_active = false;
  std::size_t num_left = 0;
  std::size_t left_to = 0;  // where its halves go
  std::size_t right_to = 0;
  std::size_t num_right() const { return rows.size() - num_left; }
};

RowPartition::RowPartition(BinnedDataset data, Context context)
    : data_(std::move(data)),
      context_(std::move(context)),
      rows_(data_.num_rows()),
      right_(data_.num_rows()),
      left_(data_.num_rows()) {}

std::span<std::uint32_t> RowPartition::start_all() {
  parallel_for(context_, data_.num_rows(), kParallelRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) rows_[r] = static_cast<std::uint32_t>(r);
  });
  return rows_.span().first(data_.num_rows());
}

std::span<std::uint32_t> RowPartition::start(std::span<const std::uint32_t> rows) {
  std::ranges::copy(rows, rows_.data());
  return rows_.span().first(rows.size());
}

std::size_t RowPartition::split_range(const PartitionRule& rule, RowRange range) {
  std::uint32_t* rows = rows_.data() + range.begin;
  const std::size_t num_left = partition_rows(rule, this->rows(range), rows, right_.data());
  std::copy_n(right_.data(), range.size() - num_left, rows + num_left);
  return num_left;
}

// Each chunk is divided apart; then both halves move to where the counts of the chunks before them
// say.
RowPartition::Counts RowPartition::split_chunks(const PartitionRule& rule, const LeafRows& leaf) {
  std::vector<Chunk> chunks;
  for (const bool is_active : {true, false}) {
    const RowRange range = is_active ? leaf.active : leaf.idle;
    for (std::size_t at = range.begin; at < range.end; at += kChunkRows) {
      chunks.push_back(
          {.rows = {at, std::min(at + kChunkRows, range.end)}, .is_active = is_active});
    }
  }
  context_.threads->run(chunks.size(), [&](std::size_t c) {
    const RowRange range = chunks[c].rows;
    chunks[c].num_left =
        partition_rows(rule, rows(range), left_.data() + range.begin, right_.data() + range.begin);
  });
  Counts counts;
  for (Chunk& chunk : chunks) {
    std::size_t& count = chunk.is_active ? counts.active : counts.idle;
    chunk.left_to = (chunk.is_active ? leaf.active : leaf.idle).begin + count;
    count += chunk.num_left;
  }
  Counts ends{.active = leaf.active.begin + counts.active, .idle = leaf.idle.begin + counts.idle};
  for (Chunk& chunk : chunks) {
    std::size_t& end = chunk.is_active ? ends.active : ends.idle;
    chunk.right_to = end;
    end += chunk.num_right();
  }
  context_.threads->run(chunks.size(), [&](std::size_t c) {
    const Chunk& chunk = chunks[c];
    std::copy_n(left_.data() + chunk.rows.begin, chunk.num_left, rows_.data() + chunk.left_to);
    std::copy_n(right_.data() + chunk.rows.begin, chunk.num_right(), rows_.data() + chunk.right_to);
  });
  return counts;
}

RowPartition::Halves RowPartition::split(const LeafRows& leaf, const Split& split) {
  const PartitionRule rule{
      .column = data_.column(split.feature),
      .bin = split.bin,
      .also_left = split.missing_left ? static_cast<std::uint32_t>(data_.missing_bin(split.feature))
                                      : split.bin,
      .set = split.is_set ? &split.bins : nullptr};
  const Counts left =
      leaf.size() < kParallelRows || context_.threads->count() == 1
          ? Counts{.active = split_range(rule, leaf.active), .idle = split_range(rule, leaf.idle)}
          : split_chunks(rule, leaf);
  const std::size_t active = leaf.active.begin + left.active;
  const std::size_t idle = leaf.idle.begin + left.idle;
  return {.left = {.active = {leaf.active.begin, active}, .idle = {leaf.idle.begin, idle}},
          .right = {.active = {active, leaf.active.end}, .idle = {idle, leaf.idle.end}}};
}

}  // namespace glassrank
