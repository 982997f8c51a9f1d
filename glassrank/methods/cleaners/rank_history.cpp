#include "glassrank/methods/cleaners/rank_history.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

std::uint32_t rank_of(std::size_t slot, std::span<const double> scores) {
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    rank += scores[i] > scores[slot] || (scores[i] == scores[slot] && i < slot) ? 1U : 0U;
  }
  return rank;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> rank_history(const Forest& forest, const Dataset& data,
                                                     std::span<const std::uint32_t> rows,
                                                     std::span<const std::size_t> rounds,
                                                     const Context& context) {
  std::vector<std::vector<std::uint32_t>> ranks(rows.size());
  const auto trees = forest.trees();
  parallel_for(context, data.num_queries(), 1, [&](std::size_t query, std::size_t) {
    const RowRange range = data.queries().rows(query);
    const auto first = std::ranges::lower_bound(rows, range.begin);
    const auto last = std::ranges::lower_bound(first, rows.end(), range.end);
    if (first == last) return;
    std::vector<double> scores(range.size(), forest.base_score());
    std::size_t num_trees = 0;
    for (const std::size_t round : rounds) {
      for (; num_trees < round; ++num_trees) {
        const Tree& tree = trees[num_trees];
        for (std::size_t slot = 0; slot < scores.size(); ++slot) {
          scores[slot] += tree.leaf_values[leaf_of(tree, data.row(range.begin + slot))];
        }
      }
      for (auto row = first; row != last; ++row) {
        ranks[static_cast<std::size_t>(row - rows.begin())].push_back(
            rank_of(*row - range.begin, scores));
      }
    }
  });
  return ranks;
}

std::vector<std::size_t> history_rounds(std::size_t first, std::size_t last) {
  std::vector<std::size_t> rounds;
  for (const double share : {0.0, 0.1, 0.25, 0.5, 0.75, 1.0}) {
    const auto round =
        first + static_cast<std::size_t>(std::llround(share * static_cast<double>(last - first)));
    if (rounds.empty() || round > rounds.back()) rounds.push_back(round);
  }
  return rounds;
}

}  // namespace glassrank
