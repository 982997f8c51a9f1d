#include "glassrank/explain/tree_shap/interventional_shap.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/explain/tree_shap/grouped_sums.h"
#include "glassrank/explain/tree_shap/leaf_game.h"
#include "glassrank/explain/tree_shap/leaf_patterns.h"
#include "glassrank/explain/tree_shap/path_weights.h"
#include "glassrank/explain/tree_shap/pattern_index.h"
#include "glassrank/models/forest/forest_scorer.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerBlock = 256;
constexpr std::size_t kRowsPerPairBlock = 64;  // whose interactions are asked for
static_assert(kRowsPerBlock <= PatternIndex::kMaxPatterns);

struct GameTree {
  PatternTree tree;
  std::vector<LeafBackground> backgrounds;        // by leaf
  std::vector<std::vector<std::uint32_t>> pairs;  // by leaf and place_of_pair; made when asked for
};

MatrixView<const float> some_rows(MatrixView<const float> rows, std::size_t begin,
                                  std::size_t end) {
  return {rows.data() + begin * rows.num_columns(), end - begin, rows.num_columns()};
}

GameTree make_game_tree(const Tree& tree, MatrixView<const float> background,
                        const RowColumns& columns) {
  GameTree result{.tree = make_pattern_tree(tree), .backgrounds = {}, .pairs = {}};
  result.backgrounds.resize(result.tree.leaves.size());
  std::vector<std::uint64_t> memory;
  visit_patterns(result.tree, columns, memory,
                 [&](std::size_t leaf, std::span<const std::uint64_t> patterns) {
                   result.backgrounds[leaf] = count_patterns(patterns);
                 });
  for (std::size_t leaf = 0; leaf < result.tree.leaves.size(); ++leaf) {
    if (!result.tree.leaves[leaf].is_wide()) continue;
    for (std::size_t b = 0; b < background.num_rows(); ++b) {
      result.backgrounds[leaf].wide.push_back(
          wide_pattern(result.tree.leaves[leaf], background.row(b)));
    }
  }
  return result;
}

std::size_t max_path_features(std::span<const GameTree> trees) {
  std::size_t most = 0;
  for (const GameTree& tree : trees) {
    for (const PatternLeaf& leaf : tree.tree.leaves) most = std::max(most, leaf.features.size());
  }
  return most;
}

struct Games {
  std::size_t num_features = 0;
  std::size_t num_background = 0;
  double base_value = 0;
  std::vector<GameTree> trees;  // those with nodes
  PathWeights weights{0};

  LeafGame at(const GameTree& tree, std::size_t leaf) const {
    return {.leaf = tree.tree.leaves[leaf],
            .background = tree.backgrounds[leaf],
            .weights = weights,
            .scale = tree.tree.leaves[leaf].value / static_cast<double>(num_background)};
  }
};

// Plays a block of rows at every leaf of some trees. Values go to `sums`, a row after the other;
// interactions, if there is room for them, are added where they are wanted.
class GameWorker {
 public:
  GameWorker(const Games& games, MatrixView<const float> rows, MatrixView<double>* interactions)
      : games_(games), all_rows_(rows), interactions_(interactions) {}

  void load(std::size_t begin, std::size_t end) {
    begin_ = begin;
    rows_ = some_rows(all_rows_, begin, end);
    columns_ = RowColumns(rows_);
    numbers_.resize(rows_.num_rows());
    if (interactions_ == nullptr) return;
    for (std::size_t r = begin; r < end; ++r) std::ranges::fill(interactions_->row(r), 0.0);
  }

  void add(TreeRange trees, std::span<double> sums) {
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

 private:
  void play(const GameTree& tree, std::size_t leaf, std::span<const std::uint64_t> patterns,
            std::span<double> sums) {
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

  void play_wide(const GameTree& tree, std::size_t leaf, std::span<double> sums) {
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

  void add_row(const GameTree& tree, std::size_t leaf, std::size_t row, const double* values,
               const double* pairs, std::span<double> sums) const {
    const std::vector<std::uint32_t>& features = tree.tree.leaves[leaf].features;
    double* const sum = sums.data() + row * games_.num_features;
    for (std::size_t i = 0; i < features.size(); ++i) sum[features[i]] += values[i];
    if (interactions_ == nullptr) return;
    const std::vector<std::uint32_t>& places = tree.pairs[leaf];
    double* const pair_sums = interactions_->row(begin_ + row).data();
    for (std::size_t p = 0; p < places.size(); ++p) pair_sums[places[p]] += pairs[p];
  }

  const Games& games_;
  MatrixView<const float> all_rows_;
  MatrixView<double>* interactions_;
  std::size_t begin_ = 0;
  MatrixView<const float> rows_;
  RowColumns columns_{{}};
  std::vector<std::uint64_t> patterns_;
  PatternIndex index_;
  std::vector<std::uint32_t> numbers_;  // by row, of its pattern
  std::vector<double> values_;          // by pattern
  std::vector<double> pair_values_;
  std::vector<std::uint8_t> plays_;
};

FeaturePair pair_of(std::uint32_t a, std::uint32_t b) {
  return {.first = std::min(a, b), .second = std::max(a, b)};
}

// All pairs of features that share a path.
std::vector<FeaturePair> path_pairs(std::span<const GameTree> trees) {
  std::vector<FeaturePair> pairs;
  for (const GameTree& tree : trees) {
    for (const PatternLeaf& leaf : tree.tree.leaves) {
      for (std::size_t j = 1; j < leaf.features.size(); ++j) {
        for (std::size_t i = 0; i < j; ++i) {
          pairs.push_back(pair_of(leaf.features[i], leaf.features[j]));
        }
      }
    }
    std::ranges::sort(pairs);
    const auto repeated = std::ranges::unique(pairs);
    pairs.erase(repeated.begin(), repeated.end());
  }
  return pairs;
}

void place_pairs(std::span<GameTree> trees, std::span<const FeaturePair> pairs) {
  for (GameTree& tree : trees) {
    for (const PatternLeaf& leaf : tree.tree.leaves) {
      std::vector<std::uint32_t>& places = tree.pairs.emplace_back();
      for (std::size_t j = 1; j < leaf.features.size(); ++j) {  // the order of place_of_pair
        for (std::size_t i = 0; i < j; ++i) {
          const FeaturePair pair = pair_of(leaf.features[i], leaf.features[j]);
          const auto found = std::ranges::lower_bound(pairs, pair);
          places.push_back(static_cast<std::uint32_t>(found - pairs.begin()));
        }
      }
    }
  }
}

}  // namespace

void check_background(MatrixView<const float> background, std::size_t num_features) {
  if (background.num_rows() == 0) {
    fail(ErrorKind::kUsage, "interventional values need background rows; there are none");
  }
  if (background.num_columns() < num_features) {
    fail(ErrorKind::kUsage, "background rows of {} features for a model of {}",
         background.num_columns(), num_features);
  }
}

struct InterventionalTreeShap::State {
  State(const Forest& forest, MatrixView<const float> background, const Context& context) {
    check_background(background, forest.num_features());
    games.num_features = forest.num_features();
    games.num_background = background.num_rows();
    std::vector<double> scores(background.num_rows());
    ForestScorer(forest).score(background, scores, context);
    games.base_value = std::accumulate(scores.begin(), scores.end(), 0.0) /
                       static_cast<double>(background.num_rows());
    std::vector<const Tree*> split;
    for (const Tree& tree : forest.trees()) {
      if (!tree.nodes.empty()) split.push_back(&tree);
    }
    games.trees.resize(split.size());
    const RowColumns columns(background);
    parallel_for(context, split.size(), 1, [&](std::size_t t, std::size_t) {
      context.check_stop();
      games.trees[t] = make_game_tree(*split[t], background, columns);
    });
    games.weights = PathWeights(max_path_features(games.trees));
  }

  std::span<const FeaturePair> all_pairs() {
    std::call_once(pairs_made, [&] {
      pairs = path_pairs(games.trees);
      place_pairs(games.trees, pairs);
    });
    return pairs;
  }
  GroupedSums shape(std::size_t num_rows, std::size_t rows_per_block) const {
    return {.num_rows = num_rows,
            .rows_per_block = rows_per_block,
            .num_trees = games.trees.size(),
            .sums_per_block = rows_per_block * games.num_features};
  }
  auto writer(MatrixView<double> values) const {
    return [this, values](const GameWorker&, std::size_t begin, std::size_t end,
                          std::span<const double> sums) {
      for (std::size_t r = begin; r < end; ++r) {
        std::copy_n(sums.data() + (r - begin) * games.num_features, games.num_features,
                    values.row(r).data());
      }
    };
  }

  Games games;
  std::once_flag pairs_made;
  std::vector<FeaturePair> pairs;
};

InterventionalTreeShap::InterventionalTreeShap(const Forest& forest,
                                               MatrixView<const float> background,
                                               const Context& context)
    : state_(std::make_unique<State>(forest, background, context)) {}
InterventionalTreeShap::~InterventionalTreeShap() = default;

std::size_t InterventionalTreeShap::num_features() const { return state_->games.num_features; }
double InterventionalTreeShap::base_value() const { return state_->games.base_value; }
std::span<const FeaturePair> InterventionalTreeShap::pairs() const { return state_->all_pairs(); }

void InterventionalTreeShap::values_checked(MatrixView<const float> rows, MatrixView<double> values,
                                            const Context& context) const {
  sum_by_rows_or_trees(
      state_->shape(rows.num_rows(), kRowsPerBlock),
      [&] { return GameWorker(state_->games, rows, nullptr); }, state_->writer(values), context);
}

void InterventionalTreeShap::interactions_checked(MatrixView<const float> rows,
                                                  MatrixView<double> values,
                                                  MatrixView<double> interactions,
                                                  const Context& context) const {
  state_->all_pairs();
  sum_by_rows(
      state_->shape(rows.num_rows(), kRowsPerPairBlock),
      [&] { return GameWorker(state_->games, rows, &interactions); }, state_->writer(values),
      context);
}

}  // namespace glassrank
