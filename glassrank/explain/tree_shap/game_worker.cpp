#include "glassrank/explain/tree_shap/game_worker.h"

#include <algorithm>

namespace glassrank {

void GameWorker::load(std::size_t begin, std::size_t end) {
  begin_ = begin;
  rows_ = {all_rows_.data() + begin * all_rows_.num_columns(), end - begin,
           all_rows_.num_columns()};
  columns_ = RowColumns(rows_);
  numbers_.resize(rows_.num_rows());
  if (interactions_ == nullptr) return;
  for (std::size_t r = begin; r < end; ++r) std::ranges::fill(interactions_->row(r), 0.0);
}

void GameWorker::add(TreeRange trees, std::span<double> sums) {
  const std::span<const GameTree> all(games_.trees);
  for (const GameTree& tree : all.subspan(trees.begin, trees.end - trees.begin)) {
    visit_patterns(tree.tree, columns_, patterns_,
                   [&](std::size_t leaf, std::span<const std::uint64_t> patterns) {
                     play(tree, leaf, patterns, sums);
                   });
    for (std::size_t leaf = 0; leaf < tree.tree.leaves.size(); ++leaf) {
      if (tree.tree.leaves[leaf].is_wide()) play_wide(tree, leaf, sums);
    }
  }
}

void GameWorker::play(const GameTree& tree, std::size_t leaf,
                      std::span<const std::uint64_t> patterns, std::span<double> sums) {
  const LeafGame game = games_.at(tree, leaf);
  index_.clear();
  for (std::size_t r = 0; r < patterns.size(); ++r) {
    numbers_[r] = static_cast<std::uint32_t>(index_.number_of(patterns[r]));
  }
  const std::size_t d = game.num_features();
  const std::size_t num_pairs = interactions_ == nullptr ? 0 : d * (d - 1) / 2;
  const std::size_t num_patterns = index_.patterns().size();
  values_.resize(std::max(values_.size(), num_patterns * d));
  pair_values_.resize(std::max(pair_values_.size(), num_patterns * num_pairs));
  plays_.assign(num_patterns, 0);
  for (std::size_t i = 0; i < num_patterns; ++i) {
    const std::uint64_t pattern = index_.patterns()[i];
    plays_[i] = game.values(pattern, {values_.data() + i * d, d}) ? 1 : 0;
    if (plays_[i] != 0 && num_pairs > 0) {
      game.interactions(pattern, {pair_values_.data() + i * num_pairs, num_pairs});
    }
  }
  for (std::size_t r = 0; r < patterns.size(); ++r) {
    if (plays_[numbers_[r]] == 0) continue;
    add_row(tree, leaf, r, values_.data() + numbers_[r] * d,
            pair_values_.data() + numbers_[r] * num_pairs, sums);
  }
}

void GameWorker::play_wide(const GameTree& tree, std::size_t leaf, std::span<double> sums) {
  const LeafGame game = games_.at(tree, leaf);
  const std::size_t d = game.num_features();
  std::vector<double> values(d);
  std::vector<double> pairs(interactions_ == nullptr ? 0 : d * (d - 1) / 2);
  for (std::size_t r = 0; r < rows_.num_rows(); ++r) {
    const std::vector<std::uint8_t> passes = wide_pattern(game.leaf, rows_.row(r));
    game.wide_values(passes, values);
    if (interactions_ != nullptr) game.wide_interactions(passes, pairs);
    add_row(tree, leaf, r, values.data(), pairs.data(), sums);
  }
}

void GameWorker::add_row(const GameTree& tree, std::size_t leaf, std::size_t row,
                         const double* values, const double* pairs, std::span<double> sums) const {
  const std::vector<std::uint32_t>& features = tree.tree.leaves[leaf].features;
  double* const sum = sums.data() + row * games_.num_features;
  for (std::size_t i = 0; i < features.size(); ++i) sum[features[i]] += values[i];
  if (interactions_ == nullptr) return;
  const std::vector<std::uint32_t>& places = tree.pairs[leaf];
  double* const pair_sums = interactions_->row(begin_ + row).data();
  for (std::size_t p = 0; p < places.size(); ++p) pair_sums[places[p]] += pairs[p];
}

}  // namespace glassrank
