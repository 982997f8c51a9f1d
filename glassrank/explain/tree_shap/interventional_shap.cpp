#include "glassrank/explain/tree_shap/interventional_shap.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/explain/tree_shap/game_worker.h"
#include "glassrank/explain/tree_shap/grouped_sums.h"
#include "glassrank/models/forest/forest_scorer.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerBlock = 256;
constexpr std::size_t kRowsPerPairBlock = 64;  // whose interactions are asked for
static_assert(kRowsPerBlock <= PatternIndex::kMaxPatterns);

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
