#pragma once
// Sums over the trees of a forest for many rows, shared out among threads, with the same bits
// however that is done.
//
// Trees are added up group by group, and the groups' sums in order; the borders of groups depend on
// the forest alone. Many rows: a thread takes a block of rows through all groups. Few rows: threads
// take a block through one group each. Either way a row's sum is ((g0 + g1) + g2) + ...
//
// A worker is what one thread needs: load(begin, end) takes a block of rows, add(trees, sums) adds
// what these trees give that block.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/parallel.h"

namespace glassrank {

struct GroupedSums {
  static constexpr std::size_t kTreesPerGroup = 64;

  std::size_t num_rows = 0;
  std::size_t rows_per_block = 0;
  std::size_t num_trees = 0;
  std::size_t sums_per_block = 0;

  std::size_t num_blocks() const { return (num_rows + rows_per_block - 1) / rows_per_block; }
  std::size_t num_groups() const { return (num_trees + kTreesPerGroup - 1) / kTreesPerGroup; }
  std::size_t begin_of(std::size_t block) const { return block * rows_per_block; }
  std::size_t end_of(std::size_t block) const {
    return std::min(num_rows, begin_of(block) + rows_per_block);
  }
};

struct TreeRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

template <typename Worker>
std::vector<double> sum_group(const GroupedSums& shape, Worker& worker, std::size_t group) {
  std::vector<double> sums(shape.sums_per_block);
  const std::size_t first = group * GroupedSums::kTreesPerGroup;
  worker.add(TreeRange{.begin = first,
                       .end = std::min(first + GroupedSums::kTreesPerGroup, shape.num_trees)},
             std::span(sums));
  return sums;
}

// The first one gets the second.
inline void add_sums(std::span<double> total, std::span<const double> part) {
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
}

// Threads share out the rows. make() gives a worker; write(worker, begin, end, sums) gets the sums
// of each block, and the worker that made them.
template <typename Make, typename Write>
void sum_by_rows(const GroupedSums& shape, const Make& make, const Write& write,
                 const Context& context) {
  constexpr std::size_t kBlocksAtOnce = 4;  // a worker is made once for them
  parallel_for(
      context, shape.num_blocks(), kBlocksAtOnce, [&](std::size_t first, std::size_t last) {
        auto worker = make();
        for (std::size_t block = first; block < last; ++block) {
          worker.load(shape.begin_of(block), shape.end_of(block));
          std::vector<double> total(shape.sums_per_block);
          for (std::size_t group = 0; group < shape.num_groups(); ++group) {
            context.check_stop();
            add_sums(total, sum_group(shape, worker, group));
          }
          write(worker, shape.begin_of(block), shape.end_of(block), std::span<const double>(total));
        }
      });
}

// Threads share out the rows, and if these are few the groups of trees too.
template <typename Make, typename Write>
void sum_by_rows_or_trees(const GroupedSums& shape, const Make& make, const Write& write,
                          const Context& context) {
  const auto threads = static_cast<std::size_t>(context.threads->count());
  const std::size_t num_groups = shape.num_groups();
  if (threads == 1 || shape.num_blocks() >= 16 * threads) {
    return sum_by_rows(shape, make, write, context);
  }
  std::vector<std::vector<double>> parts(shape.num_blocks() * num_groups);
  parallel_for(context, parts.size(), 1, [&](std::size_t task, std::size_t) {
    context.check_stop();
    const std::size_t block = task / num_groups;
    auto worker = make();
    worker.load(shape.begin_of(block), shape.end_of(block));
    parts[task] = sum_group(shape, worker, task % num_groups);
  });
  auto worker = make();
  for (std::size_t block = 0; block < shape.num_blocks(); ++block) {
    std::vector<double> total(shape.sums_per_block);
    for (std::size_t group = 0; group < num_groups; ++group) {
      add_sums(total, parts[block * num_groups + group]);
    }
    write(worker, shape.begin_of(block), shape.end_of(block), std::span<const double>(total));
  }
}

}  // namespace glassrank
