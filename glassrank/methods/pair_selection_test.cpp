#include "glassrank/methods/pair_selection.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/boosting/binned_tree.h"
#include "glassrank/boosting/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::with_threads;

// Relevant iff features 0 and 1 have the same sign: no main effect of either. Feature 2 decides a
// little by itself, feature 3 nothing.
Dataset xor_data() {
  const CounterRandom random(5, "xor data");
  const std::size_t num_queries = 60;
  const std::size_t query_size = 20;
  DatasetParts parts;
  parts.features = Buffer<float>(num_queries * query_size * 4);
  for (std::size_t row = 0; row < num_queries * query_size; ++row) {
    float* values = parts.features.data() + 4 * row;
    for (std::size_t f = 0; f < 4; ++f) {
      values[f] = static_cast<float>(random.normal(8 * row + f));
    }
    const bool is_same = (values[0] > 0) == (values[1] > 0);
    parts.grades.push_back(static_cast<float>((is_same ? 2 : 0) + (values[2] > 1 ? 1 : 0)));
  }
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < num_queries; ++q) ids.push_back(std::to_string(q));
  parts.queries = QueryGroups(ids, std::vector<std::size_t>(num_queries, query_size));
  parts.feature_names = {"a", "b", "c", "d"};
  return Dataset(std::move(parts));
}

struct Case {
  Dataset data = xor_data();
  LambdamartParams params = {};
  LambdamartData binned = prepare_lambdamart(data, nullptr, params, with_threads(1));
  Forest main_effects = {Forest({.trees = {}, .num_features = 4})};
  std::vector<std::uint32_t> features = {0, 1, 2, 3};

  std::vector<RankedPair> select(const PairSelectionParams& selection, std::size_t num_pairs) {
    return select_pairs({.data = binned,
                         .params = params,
                         .main_effects = main_effects,
                         .features = features,
                         .num_pairs = num_pairs},
                        selection, with_threads(1));
  }
};

TEST(PairSelection, FindsAPairWithoutMainEffects) {
  Case c;
  for (const PairSelection method : {PairSelection::kContribution, PairSelection::kFast}) {
    const std::vector<RankedPair> pairs = c.select({.method = method, .max_rounds = 40}, 6);
    ASSERT_FALSE(pairs.empty());
    EXPECT_EQ(pairs[0].first, 0U);
    EXPECT_EQ(pairs[0].second, 1U);
    EXPECT_TRUE(std::ranges::is_sorted(pairs, std::greater<>(), &RankedPair::gain));
  }
  // Those of the paper come in the order of their trees: the root is the best single split.
  const std::vector<RankedPair> seen = c.select({.max_rounds = 40}, 6);
  EXPECT_TRUE(std::ranges::any_of(
      seen, [](const RankedPair& pair) { return pair.first == 0 && pair.second == 1; }));
}

TEST(PairSelection, StopsAtThePairsWantedOrAtTheLastRound) {
  Case c;
  for (const PairSelection method : {PairSelection::kPaper, PairSelection::kFirstSeen}) {
    EXPECT_EQ(c.select({.method = method, .max_rounds = 500}, 2).size(), 2U);
    EXPECT_EQ(c.select({.method = method, .max_rounds = 1}, 6).size(), 1U);
  }
  EXPECT_TRUE(c.select({}, 0).empty());
}

TEST(PairSelection, KeepsToTheFeaturesOfTheMainEffects) {
  Case c;
  c.features = {0, 2, 3};
  for (const auto& [name, method] : EnumNames<PairSelection>::table()) {
    SCOPED_TRACE(name);
    const std::vector<RankedPair> pairs = c.select({.method = method, .max_rounds = 60}, 6);
    EXPECT_FALSE(pairs.empty());
    for (const RankedPair& pair : pairs) {
      EXPECT_NE(pair.first, 1U);
      EXPECT_NE(pair.second, 1U);
      EXPECT_LT(pair.first, pair.second);
    }
  }
  c.features = {0};
  EXPECT_TRUE(c.select({}, 1).empty());
}

TEST(PairSelection, EveryTreeOfThePaperShowsAPair) {
  // With two features there is one pair: the first tree shows it even if feature 2 alone would be
  // better twice.
  Case c;
  c.features = {2, 3};
  const std::vector<RankedPair> pairs = c.select({.max_rounds = 1}, 1);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].first, 2U);
  EXPECT_EQ(pairs[0].second, 3U);
  EXPECT_GT(pairs[0].gain, 0);
}

TEST(PairSelection, LooksAtWhatTheMainEffectsLeaveOver) {
  // Feature 2 is explained already: FAST then finds the pair (0, 1) further ahead of (0, 2).
  Case c;
  const auto ratio = [&] {
    double first = 0;
    double second = 0;
    for (const RankedPair& pair : c.select({.method = PairSelection::kFast}, 6)) {
      if (pair.first == 0 && pair.second == 1) first = pair.gain;
      if (pair.first == 2 && pair.second == 3) second = pair.gain;
    }
    return first / second;
  };
  const double before = ratio();
  c.params.boosting.num_trees = 30;
  c.params.boosting.num_leaves = 2;
  c.params.train_metric = false;
  const TreeFeatureSets only_third({{2}}, 4);
  c.main_effects =
      train_lambdamart(c.binned, c.params, {.constraint = &only_third}, with_threads(1)).forest;
  EXPECT_GT(ratio(), before);
}

TEST(FeaturesOf, AreThoseOfTheNodesOnce) {
  const Tree tree{.nodes = {{.feature = 5, .threshold = 1, .left = 1, .right = ~2},
                            {.feature = 2, .threshold = 1, .left = 2, .right = ~1},
                            {.feature = 5, .threshold = 0, .left = ~0, .right = ~3}},
                  .leaf_values = {0, 1, 2, 3}};
  EXPECT_EQ(features_of(tree), (std::vector<std::uint32_t>{2, 5}));
  EXPECT_TRUE(features_of(Tree{.leaf_values = {1}}).empty());
}

}  // namespace
}  // namespace glassrank
