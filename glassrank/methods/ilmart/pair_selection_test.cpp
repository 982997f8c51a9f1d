#include "glassrank/methods/ilmart/pair_selection.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/boosting/tree/binned_tree.h"
#include "testing/boosting_fixture.h"

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
  parts.schema = Schema::of_features({"a", "b", "c", "d"});
  return Dataset(std::move(parts));
}

struct Case {
  Dataset data = xor_data();
  LambdamartParams params = {};
  LambdamartData binned = prepare_lambdamart(data, nullptr, params, with_threads(1));
  Forest main_effects = {Forest({.trees = {}, .num_features = 4})};
  std::vector<std::uint32_t> features = {0, 1, 2, 3};

  std::vector<RankedFeaturePair> select(const PairSelectionParams& selection,
                                        std::size_t num_pairs) {
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
    const std::vector<RankedFeaturePair> pairs = c.select({.method = method, .max_rounds = 40}, 6);
    ASSERT_FALSE(pairs.empty());
    EXPECT_EQ(pairs[0].first, 0U);
    EXPECT_EQ(pairs[0].second, 1U);
    EXPECT_TRUE(std::ranges::is_sorted(pairs, std::greater<>(), &RankedFeaturePair::statistic));
  }
  // Those of the paper come in the order of their trees: the root is the best single split.
  const std::vector<RankedFeaturePair> seen = c.select({.max_rounds = 40}, 6);
  EXPECT_TRUE(std::ranges::any_of(
      seen, [](const RankedFeaturePair& pair) { return pair.first == 0 && pair.second == 1; }));
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
    const std::vector<RankedFeaturePair> pairs = c.select({.method = method, .max_rounds = 60}, 6);
    EXPECT_FALSE(pairs.empty());
    for (const RankedFeaturePair& pair : pairs) {
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
  const std::vector<RankedFeaturePair> pairs = c.select({.max_rounds = 1}, 1);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].first, 2U);
  EXPECT_EQ(pairs[0].second, 3U);
  EXPECT_GT(pairs[0].statistic, 0);
}

// One query of xor_data's rows, values rounded to whole numbers so that repetitions move no bin;
// where feature 2 is above 0, rows have weight 3 or are there three times.
Dataset heavy_rows(bool repeated) {
  const Dataset once = xor_data();
  DatasetParts parts;
  std::vector<float> values;
  for (std::size_t row = 0; row < once.num_rows(); ++row) {
    const bool is_heavy = once.row(row)[2] > 0;
    for (int copy = 0; copy < (repeated && is_heavy ? 3 : 1); ++copy) {
      for (const float value : once.row(row)) values.push_back(std::round(value));
      parts.grades.push_back(once.grades()[row]);
      if (!repeated) parts.weights.push_back(is_heavy ? 3 : 1);
    }
  }
  parts.features = Buffer<float>(values.size());
  std::ranges::copy(values, parts.features.data());
  parts.queries = QueryGroups({"q"}, std::vector<std::size_t>{parts.grades.size()});
  parts.schema = Schema::of_features({"a", "b", "c", "d"});
  return Dataset(std::move(parts));
}

TEST(PairSelection, ContributionsCountWeightsAsRepetitions) {
  const auto pairs_of = [](bool repeated) {
    Case c;
    c.params.objective.objective = "squared_error";
    c.params.boosting.min_leaf_rows = 1;
    c.params.boosting.precision = Precision::kFull;
    c.binned = prepare_lambdamart(heavy_rows(repeated), nullptr, c.params, with_threads(1));
    return c.select({.method = PairSelection::kContribution, .max_rounds = 10}, 6);
  };
  const std::vector<RankedFeaturePair> weighted = pairs_of(false);
  const std::vector<RankedFeaturePair> repeated = pairs_of(true);
  ASSERT_EQ(weighted.size(), repeated.size());
  ASSERT_FALSE(weighted.empty());
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    EXPECT_EQ(weighted[i].first, repeated[i].first);
    EXPECT_EQ(weighted[i].second, repeated[i].second);
    EXPECT_NEAR(weighted[i].statistic, repeated[i].statistic, 1e-6);
  }
}

TEST(PairSelection, LooksAtWhatTheMainEffectsLeaveOver) {
  // Feature 2 is explained already: FAST then finds the pair (0, 1) further ahead of (0, 2).
  Case c;
  const auto ratio = [&] {
    double first = 0;
    double second = 0;
    for (const RankedFeaturePair& pair : c.select({.method = PairSelection::kFast}, 6)) {
      if (pair.first == 0 && pair.second == 1) first = pair.statistic;
      if (pair.first == 2 && pair.second == 3) second = pair.statistic;
    }
    return first / second;
  };
  const double before = ratio();
  c.params.boosting.num_trees = 30;
  c.params.boosting.num_leaves = 2;
  c.params.watch.train_metric = false;
  const TreeFeatureSets only_third({{2}}, 4);
  c.main_effects =
      train_lambdamart(c.binned, c.params, {.constraint = &only_third}, with_threads(1)).forest;
  EXPECT_GT(ratio(), before);
}

}  // namespace
}  // namespace glassrank
