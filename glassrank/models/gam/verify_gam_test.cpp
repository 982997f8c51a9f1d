#include "glassrank/models/gam/verify_gam.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/gam_forest.h"
#include "glassrank/models/model_kinds.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

const std::vector<std::string> kNames = {"price", "pages", "age", "year"};

// A chain that splits on every feature given.
Tree tree_of(std::vector<std::uint32_t> features) {
  Tree tree;
  const auto size = static_cast<std::int32_t>(features.size());
  for (std::int32_t n = 0; n < size; ++n) {
    tree.nodes.push_back({.feature = features[static_cast<std::size_t>(n)],
                          .threshold = static_cast<float>(n),
                          .left = ~n,
                          .right = n + 1 < size ? n + 1 : ~size});
  }
  for (std::int32_t leaf = 0; leaf <= size; ++leaf) tree.leaf_values.push_back(leaf);
  return tree;
}

Model forest_of(std::vector<Tree> trees) {
  return {.body = Forest({.trees = std::move(trees), .num_features = 4}), .provenance = {}};
}

TEST(VerifyGam, ListsTheEffectsOfAForest) {
  const Verification found =
      verify(forest_of({tree_of({0}), tree_of({}), tree_of({2, 0}), tree_of({0}), tree_of({2})}));
  EXPECT_TRUE(found.is_additive());
  EXPECT_TRUE(found.has_heredity());
  EXPECT_EQ(found.without_power, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(verification_text(found, kNames),
            "additive    yes: each of the 5 trees uses at most two features\n"
            "effects     2 curves, 1 surface\n"
            "heredity    yes: every feature of a surface has a curve\n"
            "no power    2 of 4 features cannot influence a score: pages, year\n"
            "\n"
            "effect       trees\n"
            "price            2\n"
            "age              1\n"
            "price x age      1\n");
}

TEST(VerifyGam, NamesTreesThatAreNotAdditiveAndSurfacesWithoutCurves) {
  const Verification found = verify(forest_of({tree_of({0, 1}), tree_of({3, 1, 0}), tree_of({1})}));
  EXPECT_FALSE(found.is_additive());
  EXPECT_FALSE(found.has_heredity());
  EXPECT_EQ(verification_text(found, kNames),
            "additive    no: 1 of 3 trees use more than two features\n"
            "  tree 1 uses price, pages, year\n"
            "effects     1 curve, 1 surface\n"
            "heredity    no\n"
            "  price x pages: no curve of price\n"
            "no power    1 of 4 features cannot influence a score: age\n"
            "\n"
            "effect         trees\n"
            "pages              1\n"
            "price x pages      1\n");
}

TEST(VerifyGam, KnowsTables) {
  const Model model{.body = as_gam(forest_of({tree_of({0, 1})})), .provenance = {}};
  EXPECT_EQ(verification_text(verify(model), kNames),
            "additive    yes: the model is tables of one or two features\n"
            "effects     0 curves, 1 surface\n"
            "heredity    no\n"
            "  price x pages: no curve of price and pages\n"
            "no power    2 of 4 features cannot influence a score: age, year\n"
            "\n"
            "effect\n"
            "price x pages\n");
}

TEST(VerifyGam, TablesCountByTheirValues) {
  const auto curve = [](std::uint32_t feature, std::vector<double> values) {
    return GamEffect{.axes = {{.feature = feature, .edges = {1}}}, .values = std::move(values)};
  };
  const auto surface = [](std::uint32_t first, std::uint32_t second, std::vector<double> values) {
    return GamEffect{.axes = {{.feature = first, .edges = {1}}, {.feature = second, .edges = {1}}},
                     .values = std::move(values)};
  };
  const auto text = [](std::vector<GamEffect> effects) {
    const Model model{.body = Gam({.effects = std::move(effects), .num_features = 4}),
                      .provenance = {}};
    return verification_text(verify(model), kNames);
  };
  // A curve of 0 gives no heredity; a missing value's cell that differs is an effect.
  EXPECT_EQ(text({curve(0, {0, 0, 0}), curve(1, {2, 2, 3}), curve(3, {5, 5, 5}),
                  surface(0, 1, {1, 2, 3, 1, 2, 4, 1, 2, 3})}),
            "additive    yes: the model is tables of one or two features\n"
            "effects     1 curve, 1 surface\n"
            "constant    2 tables hold one value everywhere: price, year\n"
            "heredity    no\n"
            "  price x pages: no curve of price\n"
            "no power    2 of 4 features cannot influence a score: age, year\n"
            "\n"
            "effect\n"
            "pages\n"
            "price x pages\n");
  // Surfaces that change with one feature only are curves: of the second, of the first.
  EXPECT_EQ(
      text({surface(0, 1, {1, 2, 3, 1, 2, 3, 1, 2, 3}), surface(2, 3, {1, 1, 1, 2, 2, 2, 3, 3, 3}),
            surface(1, 2, {7, 7, 7, 7, 7, 7, 7, 7, 7})}),
      "additive    yes: the model is tables of one or two features\n"
      "effects     2 curves, 0 surfaces\n"
      "constant    1 table holds one value everywhere: pages x age\n"
      "heredity    yes: every feature of a surface has a curve\n"
      "no power    2 of 4 features cannot influence a score: price, year\n"
      "\n"
      "effect\n"
      "pages\n"
      "age\n");
}

TEST(VerifyGam, FeaturesWithoutPowerNeverChangeAScore) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    ForestMaker maker(seed);
    const Forest forest = maker.forest({});
    const Model model{.body = forest, .provenance = {}};
    const Verification found = verify(model);
    std::vector<float> row = maker.row(forest);
    const std::vector<float> other = maker.row(forest);
    const double before = score_row(model, row);
    for (const std::uint32_t f : found.without_power) row[f] = other[f];
    RC_ASSERT(score_row(model, row) == before);
  }));
}

TEST(VerifyDirections, TellsHowScoresChangeWithEveryFeature) {
  // a rises by 1 and its surface with b falls by 3 where b is above 0; c never rises.
  const GamEffect curve{
      .axes = {{.feature = 0, .edges = {2}}}, .values = {0, 1, 5}, .errors = {}, .weights = {}};
  const GamEffect surface{.axes = {{.feature = 0, .edges = {2}}, {.feature = 1, .edges = {0}}},
                          .values = {0, 0, 0, 0, -3, 0, 0, 0, 0},
                          .errors = {},
                          .weights = {}};
  const GamEffect down{
      .axes = {{.feature = 2, .edges = {7}}}, .values = {4, 1, 0}, .errors = {}, .weights = {}};
  const Gam gam({.effects = {curve, surface, down}, .num_features = 4});
  const std::vector<VerifiedDirection> found = verify_directions(gam);
  ASSERT_EQ(found.size(), 3U);  // the fourth feature has no power
  EXPECT_EQ(found[0].text(), "falls and rises");
  EXPECT_EQ(found[0].change.largest_fall, 2);
  EXPECT_EQ(found[0].change.largest_rise, 1);
  EXPECT_EQ(found[1].text(), "never rises");
  EXPECT_EQ(found[2].text(), "never rises");
  EXPECT_EQ(directions_text(found, std::vector<std::string>{"a", "b", "c", "d"}),
            "as it grows  the score        falls by up to  rises by up to\n"
            "a            falls and rises          2 at 2          1 at 2\n"
            "b            never rises              3 at 0               -\n"
            "c            never rises              3 at 7               -\n");
}

}  // namespace
}  // namespace glassrank
