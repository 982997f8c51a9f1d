#include "glassrank/explain/counterfactual/counterfactual.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/explain/counterfactual/beam_search.h"
#include "glassrank/explain/counterfactual/exact_search.h"
#include "glassrank/explain/counterfactual/plain_value.h"
#include "glassrank/models/model_kinds.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"
#include "testing/random_gams.h"
#include "testing/rows_data.h"

namespace glassrank {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What any of at most `max_features` moves can reach: the cheapest that passes, the highest score.
struct Exhaustive {
  double cost = kInfinity;
  std::size_t count = 0;
  double highest = -kInfinity;
};

Exhaustive try_everything(const Model& model, const SearchTask& task) {
  Exhaustive best;
  std::vector<Move> moves;
  const std::function<void(std::uint32_t)> go = [&](std::uint32_t feature) {
    if (feature == task.places.size()) {
      const double score = score_row(model, task.changed(moves));
      best.highest = std::max(best.highest, score);
      if (!task.goal.passes(score)) return;
      const double cost = task.cost(moves);
      const bool fewer = best.cost == kInfinity || moves.size() < best.count;
      const bool is_better =
          task.fewest_first && moves.size() != best.count && best.cost < kInfinity
              ? fewer
              : cost < best.cost;
      if (is_better) {
        best.cost = cost;
        best.count = moves.size();
      }
      return;
    }
    go(feature + 1);
    if (moves.size() == task.max_features) return;
    for (std::uint32_t p = 0; p < task.places[feature].size(); ++p) {
      if (p == task.places[feature].own) continue;
      moves.push_back({feature, p});
      go(feature + 1);
      moves.pop_back();
    }
  };
  go(0);
  return best;
}

// Searches a random model and compares with trying everything. Returns whether there was something
// to find.
template <typename Body>
bool expect_cheapest(const Body& body, const std::vector<std::vector<float>>& rows,
                     std::uint64_t seed) {
  const Model model{.body = body, .provenance = {}};
  const Dataset data = data_of_rows(rows);
  const auto scorer = make_scorer(model);
  const Subject subject{*scorer, &model, data};
  const auto limits =
      feature_limits(subject, {.keep_range = seed % 2 == 0, .fix_query_features = false});
  const auto places = feature_places(subject, data.row(0), limits, 10);
  RandomSequence random(CounterRandom(seed, "goal"));
  const double own = score_row(model, data.row(0));
  const SearchTask task{.scorer = *scorer,
                        .row = data.row(0),
                        .places = places,
                        .goal = {own + random.uniform() * 0.8, random.below(2) == 0},
                        .max_features = 1 + random.below(3),
                        .fewest_first = random.below(2) == 0};
  double combinations = 1;
  for (const FeaturePlaces& of_feature : places)
    combinations *= static_cast<double>(of_feature.size());
  if (combinations > 2e5 || task.goal.passes(own)) return false;
  const Exhaustive slow = try_everything(model, task);
  const LeafBoxes boxes = leaf_boxes(as_forest(model), places, task.max_features);
  const SearchResult exact = exact_search(task, boxes, 1000000, {});
  EXPECT_TRUE(exact.is_proved);
  EXPECT_EQ(exact.is_found, slow.cost < kInfinity) << "seed " << seed;
  EXPECT_GE(own + boxes.most_gain, slow.highest - 1e-9);
  const SearchResult beam = beam_search(task, {}, {.score = -kInfinity}, {}).best;
  if (!exact.is_found) {
    EXPECT_FALSE(beam.is_found);
    return false;
  }
  EXPECT_NEAR(exact.cost, slow.cost, 1e-9) << "seed " << seed;
  if (task.fewest_first) {
    EXPECT_EQ(exact.moves.size(), slow.count) << "seed " << seed;
  }
  EXPECT_TRUE(task.goal.passes(score_row(model, task.changed(exact.moves))));
  // The beam may miss; what it claims is true and never better than the best.
  if (beam.is_found) {
    EXPECT_TRUE(task.goal.passes(score_row(model, task.changed(beam.moves))));
    EXPECT_NEAR(beam.cost, task.cost(beam.moves), 1e-12);
    if (!task.fewest_first) {
      EXPECT_GE(beam.cost, slow.cost - 1e-9);
    }
  }
  return true;
}

TEST(ExactSearch, FindsTheCheapestMovesOfForests) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({});
    found += expect_cheapest(forest, rows_for(maker, forest, 30), seed) ? 1 : 0;
  }
  EXPECT_GT(found, 200);
}

TEST(ExactSearch, FindsTheCheapestMovesOfAdditiveModels) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    GamMaker maker(seed);
    const Gam gam = maker.gam({});
    found += expect_cheapest(gam, rows_for(maker, gam, 30), seed) ? 1 : 0;
  }
  EXPECT_GT(found, 100);
}

// score = a > 3 (2) + b > 5 (1) + (c > 1 and d > 1) (4); a and c of spread 1, b of 10, d of 2.
Model four_feature_forest() {
  const auto stump = [](std::uint32_t feature, float threshold, double high) {
    return Tree{.nodes = {{.feature = feature, .threshold = threshold, .left = ~0, .right = ~1}},
                .leaf_values = {0, high},
                .statistics = {}};
  };
  Tree both{.nodes = {{.feature = 2, .threshold = 1, .left = ~0, .right = 1},
                      {.feature = 3, .threshold = 1, .left = ~1, .right = ~2}},
            .leaf_values = {0, 0, 4},
            .statistics = {}};
  return {.body = Forest({.trees = {stump(0, 3, 2), stump(1, 5, 1), both},
                          .num_features = 4,
                          .feature_names = {"a", "b", "c", "d"}}),
          .provenance = {}};
}

// Documents 1 to 4 of one query score 0, 2, 4 and 7; values spread by 1, 10, 1 and 2.
Dataset four_documents() {
  return data_of_rows({{2.5F, 0, 0.5F, 0}, {4, -5, 0.5F, 0}, {1, 0, 1.5F, 4}, {4, 20, 2.5F, 4}},
                      {.names = {"a", "b", "c", "d"}});
}

class FourDocuments : public testing::Test {
 protected:
  Counterfactual find(const CounterfactualGoal& goal, const CounterfactualParams& params = {},
                      bool as_black_box = false) {
    const Subject subject{*scorer_, as_black_box ? nullptr : &model_, data_};
    const ExplainedQuery query = view_query(subject, data_, 0, {});
    const std::vector<std::string> names = {"A", "B", "C", "D"};
    return find_counterfactual(subject, query, names, goal, params, {});
  }

  Model model_ = four_feature_forest();
  std::unique_ptr<const Scorer> scorer_ = make_scorer(model_);
  Dataset data_ = four_documents();
};

TEST_F(FourDocuments, PassTheNextOneWithOneFeature) {
  // A ties with B by a alone, and is above B because it comes first.
  const Counterfactual result = find({.document = 0, .above = 1});
  EXPECT_TRUE(result.is_reached);
  EXPECT_EQ(result.optimality, Optimality::kProved);
  ASSERT_EQ(result.changes.size(), 1U);
  EXPECT_EQ(result.changes[0].feature, "a");
  EXPECT_EQ(result.changes[0].from, 2.5F);
  EXPECT_GT(result.changes[0].to, 3.0F);
  EXPECT_LT(result.changes[0].to, 3.03F);
  EXPECT_EQ(result.rank_before, 3U);
  EXPECT_EQ(result.rank_after, 2U);
  EXPECT_EQ(result.text,
            "Raise a from 2.5 to 3.01, and document A moves from rank 4 to rank 3, above document "
            "B. Apart from rounding, no smaller change of at most 3 features does it.");
}

TEST_F(FourDocuments, NeedTwoFeaturesThatWorkTogether) {
  const Counterfactual result = find({.document = 0, .above = 2});
  EXPECT_EQ(result.optimality, Optimality::kProved);
  ASSERT_EQ(result.changes.size(), 2U);
  EXPECT_EQ(result.changes[0].feature, "c");
  EXPECT_EQ(result.changes[1].feature, "d");
  EXPECT_EQ(result.score_after, 4);
  EXPECT_EQ(result.changes[1].to, 2);  // d is whole in the data
  const Counterfactual top = find({.document = 0, .top = 2});
  EXPECT_EQ(top.rank_after, 1U);
}

TEST_F(FourDocuments, KeepWithinTheLimits) {
  const Counterfactual fixed = find({.document = 0, .above = 2}, {.limits = {.fix = {"d"}}});
  EXPECT_FALSE(fixed.is_reached);
  EXPECT_EQ(fixed.optimality, Optimality::kImpossible);
  EXPECT_EQ(fixed.score_after, 3);  // a and b are the best that is left
  EXPECT_EQ(fixed.text.substr(0, 97),
            "No change of at most 3 features within the limits brings document A above document C. "
            "The highest");
  const Counterfactual range =
      find({.document = 0, .above = 1}, {.limits = {.limits = {"a: ..2.9"}}});
  EXPECT_NE(range.changes[0].feature, "a");
  const Counterfactual stepped =
      find({.document = 0, .above = 1}, {.limits = {.limits = {"a: step 0.75"}}});
  EXPECT_EQ(stepped.changes[0].to, 3.25F);
  const Counterfactual whole =
      find({.document = 0, .above = 1}, {.limits = {.limits = {"a: whole up"}, .only = {"a"}}});
  EXPECT_EQ(whole.changes[0].to, 4);
  const Counterfactual down =
      find({.document = 0, .above = 1}, {.limits = {.limits = {"a: down"}, .only = {"a"}}});
  EXPECT_EQ(down.optimality, Optimality::kImpossible);
}

TEST_F(FourDocuments, HaveNothingToDoWhenTheyAreThere) {
  const Counterfactual result = find({.document = 3, .top = 1});
  EXPECT_TRUE(result.is_reached);
  EXPECT_EQ(result.text, "Nothing needs to change: document D is at rank 1.");
  EXPECT_EQ(find({.document = 0, .top = 9}).optimality, Optimality::kAlready);
}

TEST_F(FourDocuments, AreChangedWithoutLookingIntoTheModel) {
  const Counterfactual result = find({.document = 0, .above = 2}, {}, true);
  EXPECT_TRUE(result.is_reached);
  EXPECT_EQ(result.optimality, Optimality::kBestFound);
  ASSERT_EQ(result.changes.size(), 2U);
  // Brought back from the values that occur, 1.5 and 4, to those that do.
  EXPECT_GT(result.changes[0].to, 1.0F);
  EXPECT_LT(result.changes[0].to, 1.03F);
  EXPECT_EQ(result.changes[1].to, 2);  // whole in the data
}

// a and b are any numbers, c is whole, d is 0 or 1.
class ALine : public ::testing::Test {
 protected:
  // Scores are a_weight a + 2 b + c + 3 d + e. The first document, all 0, is to pass the second,
  // which has `goal` by e alone.
  Counterfactual find(double a_weight, float goal, const CounterfactualParams& params = {}) {
    const auto score = [=](MatrixView<const float> rows, std::span<double> scores) {
      for (std::size_t r = 0; r < rows.num_rows(); ++r) {
        const auto row = rows.row(r);
        scores[r] = a_weight * row[0] + 2 * row[1] + row[2] + 3 * row[3] + row[4];
      }
    };
    const auto scorer = make_function_scorer(5, score);
    const Dataset data = data_of_rows({{0, 0, 0, 0, 0},
                                       {0, 0, 0, 0, goal},
                                       {5.5F, 0, 0, 1, 0},
                                       {19.75F, 0, 10, 0, 0},
                                       {0, 19.5F, 20, 1, 0}});
    const Subject subject{*scorer, nullptr, data};
    const ExplainedQuery query = view_query(subject, data, 0, {});
    const std::vector<std::string> names = {"A", "B", "C", "D", "E"};
    return find_counterfactual(subject, query, names, {.document = 0, .above = 1}, params, {});
  }
};

TEST_F(ALine, IsLeftAtTheNearestPointThatPasses) {
  const Counterfactual result = find(0, 16.5F, {.limits = {.only = {"f0", "f1"}}});
  ASSERT_EQ(result.changes.size(), 1U);
  EXPECT_EQ(result.changes[0].feature, "f1");
  EXPECT_NEAR(result.changes[0].to, 8.25F, 0.05 * 8.25F);
  EXPECT_GE(result.score_after, 16.5);
  EXPECT_EQ(result.optimality, Optimality::kBestFound);
}

TEST_F(ALine, KeepsWholeNumbersWholeAndSwitchesOnOrOff) {
  const Counterfactual whole = find(0, 16.5F, {.limits = {.only = {"f2"}}});
  ASSERT_EQ(whole.changes.size(), 1U);
  EXPECT_EQ(whole.changes[0].to, 17);
  const Counterfactual step =
      find(0, 16.5F, {.limits = {.limits = {"f1: step 2"}, .only = {"f1"}}});
  ASSERT_EQ(step.changes.size(), 1U);
  EXPECT_EQ(step.changes[0].to, 10);
  const Counterfactual on = find(0, 2.5F, {.limits = {.only = {"f3"}}});
  ASSERT_EQ(on.changes.size(), 1U);
  EXPECT_EQ(on.changes[0].to, 1);
}

// At the values that occur, a alone costs less than b; between them b does.
TEST_F(ALine, TakesTheFeatureThatIsCheapestBetweenTheValues) {
  const Counterfactual result = find(1, 4, {.limits = {.only = {"f0", "f1"}}});
  ASSERT_EQ(result.changes.size(), 1U);
  EXPECT_EQ(result.changes[0].feature, "f1");
  EXPECT_NEAR(result.changes[0].to, 2.05, 0.0501);
}

TEST_F(FourDocuments, TakeFewFeaturesOrSmallChanges) {
  // All of a, b, c, d to pass D, which scores 7: tie, for A comes first.
  const Counterfactual all = find({.document = 0, .above = 3}, {.max_features = 4});
  EXPECT_TRUE(all.is_reached);
  EXPECT_EQ(all.changes.size(), 4U);
  EXPECT_EQ(all.optimality, Optimality::kBestFound);
  EXPECT_EQ(find({.document = 0, .above = 3}).optimality, Optimality::kImpossible);
  const Counterfactual few =
      find({.document = 0, .above = 1}, {.max_features = 4, .cost = ChangeCost::kCount});
  EXPECT_EQ(few.optimality, Optimality::kProved);
}

TEST_F(FourDocuments, SayWhatDoesNotFit) {
  const auto message = [&](const CounterfactualGoal& goal, const LimitParams& limits = {}) {
    return message_of([&] { find(goal, {.limits = limits}); });
  };
  EXPECT_EQ(message({.document = 4, .top = 1}), "query q1 has 4 documents; there is no document 5");
  EXPECT_EQ(message({.document = 1, .above = 1}), "document 2 of query q1 cannot be above itself");
  EXPECT_EQ(message({.document = 1}),
            "say what the document is to pass: another document, or the first k");
  const CounterfactualGoal goal{.document = 0, .top = 1};
  EXPECT_EQ(message(goal, {.limits = {"a 1..2"}}),
            "limit 'a 1..2' has no colon; write it as 'price: 5..20 down'");
  EXPECT_EQ(message(goal, {.limits = {"a: 3..2"}}),
            "limit 'a: 3..2': from 3 to 2; the lower end comes first");
  EXPECT_EQ(message(goal, {.limits = {"a: x..2"}}), "limit 'a: x..2': 'x' is not a number");
  EXPECT_EQ(message(goal, {.limits = {"a: step 0"}}), "limit 'a: step 0': a step is above 0");
  EXPECT_EQ(
      message(goal, {.limits = {"a: upward"}}),
      "limit 'a: upward': 'upward' is none of LOW..HIGH, up, down, whole, step NUMBER, fixed");
  EXPECT_EQ(message(goal, {.fix = {"e"}}).substr(0, 19), "unknown feature 'e'");
}

TEST(FeatureLimits, KnowRangesWholeNumbersAndQueryFeatures) {
  // f0 belongs to the query, f1 is whole, f2 is not.
  const Dataset data =
      data_of_rows({{1, 2, 0.5F}, {1, 4, 1.5F}, {2, 8, 4}, {2, 9, 5}}, {.sizes = {2, 2}});
  const auto scorer = make_function_scorer(3, [](auto, auto) {});
  const auto limits = feature_limits({*scorer, nullptr, data}, {});
  EXPECT_TRUE(limits[0].is_fixed);
  EXPECT_TRUE(limits[1].is_whole);
  EXPECT_FALSE(limits[1].is_fixed);
  EXPECT_EQ(limits[1].low, 2);
  EXPECT_EQ(limits[1].high, 9);
  EXPECT_FALSE(limits[2].is_whole);
  // Named, a feature of the query may change after all.
  EXPECT_FALSE(feature_limits({*scorer, nullptr, data}, {.only = {"f0"}})[0].is_fixed);
}

TEST(FeatureLimits, GiveTheNearestAllowedValue) {
  const FeatureLimit any{.low = 0, .high = 10};
  EXPECT_EQ(any.nearest(2, 3, 5), std::nextafter(3.0F, 4.0F));
  EXPECT_EQ(any.nearest(8, 3, 5), 5.0F);
  EXPECT_EQ(any.nearest(4, 3, 5), 4.0F);
  EXPECT_EQ(any.nearest(2, 10, 20), std::nullopt);
  const FeatureLimit whole{.is_whole = true};
  EXPECT_EQ(whole.nearest(2, 3.2F, 5), 4.0F);
  EXPECT_EQ(whole.nearest(2, 3.2F, 3.8F), std::nullopt);
  const FeatureLimit stepped{.step = 0.1};
  EXPECT_EQ(stepped.nearest(0, 0.25F, 1), 0.3F);
  EXPECT_EQ(stepped.nearest(0, 0.25F, 0.28F), std::nullopt);
}

TEST(PlainValue, HasTheFewestDigitsInBetween) {
  EXPECT_EQ(plain_value(3.0000002F, 3.2F), 3.1F);
  EXPECT_EQ(plain_value(3.0000002F, 3.05F), 3.01F);
  EXPECT_EQ(plain_value(2.9999998F, 2.7F), 2.9F);
  EXPECT_EQ(plain_value(1234.5F, 1300), 1300.0F);
  EXPECT_EQ(plain_value(-0.12345F, -0.11F), -0.12F);
  EXPECT_EQ(plain_value(-1, 1), 0.0F);
  EXPECT_EQ(plain_value(3.0000002F, 3.0000002F), 3.0000002F);
}

}  // namespace
}  // namespace glassrank
