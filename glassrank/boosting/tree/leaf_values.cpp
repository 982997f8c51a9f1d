#include "glassrank/boosting/tree/leaf_values.h"

#include <algorithm>

#include "glassrank/math/exact_sum.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkRows = 8192;

// A piece of one leaf's rows, small enough to share out evenly.
struct Piece {
  std::size_t leaf;
  RowRange range;
};

std::vector<Piece> cut_leaves(std::span<const LeafRows> leaves) {
  std::vector<Piece> pieces;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    for (const RowRange range : {leaves[leaf].active, leaves[leaf].idle}) {
      for (std::size_t at = range.begin; at < range.end; at += kChunkRows) {
        pieces.push_back({leaf, {at, std::min(at + kChunkRows, range.end)}});
      }
    }
  }
  return pieces;
}

}  // namespace

std::vector<LeafSums> sum_leaves(const RowPartition& partition, std::span<const LeafRows> leaves,
                                 const TreeGradients& gradients, const Context& context) {
  const std::vector<Piece> pieces = cut_leaves(leaves);
  std::vector<FloatSums> parts(pieces.size());
  context.threads->run(pieces.size(), [&](std::size_t p) {
    parts[p].add(partition.rows(pieces[p].range), gradients.gradient.data(),
                 gradients.hessian.data());
  });
  std::vector<FloatSums> totals(leaves.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) totals[pieces[p].leaf] += parts[p];
  add_up(totals, *context.communicator);
  std::vector<LeafSums> sums;
  for (const FloatSums& total : totals) sums.push_back({total.gradient(), total.hessian()});
  return sums;
}

void add_leaf_values(const RowPartition& partition, std::span<const LeafRows> leaves,
                     std::span<const double> values, std::span<double> scores,
                     const Context& context) {
  const std::vector<Piece> pieces = cut_leaves(leaves);
  context.threads->run(pieces.size(), [&](std::size_t p) {
    const double value = values[pieces[p].leaf];
    for (const std::uint32_t row : partition.rows(pieces[p].range)) scores[row] += value;
  });
}

}  // namespace glassrank
