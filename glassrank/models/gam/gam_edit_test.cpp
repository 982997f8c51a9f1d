#include "glassrank/models/gam/gam_edit.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/models/gam/monotone.h"
#include "testing/message_of.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;

// price: cells 5 | 1 | 2 | 4 | 3 and missing 9, weights 1 3 1 1 1 and 2; price x pages: 3 x 3.
Gam two_effects() {
  const GamEffect curve{.axes = {{.feature = 0, .edges = {10, 20, 30, 40}}},
                        .values = {5, 1, 2, 4, 3, 9},
                        .errors = {.1, .1, .1, .1, .1, .1},
                        .weights = {1, 3, 1, 1, 1, 2}};
  const GamEffect surface{.axes = {{.feature = 0, .edges = {10}}, {.feature = 1, .edges = {7}}},
                          .values = {1, 2, 0, 3, 6, 0, 0, 0, 8},
                          .errors = {},
                          .weights = {}};
  return Gam({.effects = {curve, surface},
              .num_features = 2,
              .feature_names = {"price", "pages"},
              .intercept = 1});
}

Values curve_after(std::string_view text) {
  return edited(two_effects(), parse_edit(text)).effects()[0].values;
}
Values surface_after(std::string_view text) {
  return edited(two_effects(), parse_edit(text)).effects()[1].values;
}

TEST(GamEdit, FlattensToTheWeightedMean) {
  // (5 + 3 * 1 + 2 + 4 + 3) / 7 = 17 / 7; missing values keep theirs.
  EXPECT_EQ(curve_after("flatten price"),
            (Values{17.0 / 7, 17.0 / 7, 17.0 / 7, 17.0 / 7, 17.0 / 7, 9}));
  // 15 lies in cell 1, 25 in cell 2: (3 * 1 + 2) / 4.
  EXPECT_EQ(curve_after("flatten price 15..25"), (Values{5, 1.25, 1.25, 4, 3, 9}));
  EXPECT_EQ(curve_after("flatten price 35.."), (Values{5, 1, 2, 3.5, 3.5, 9}));
  EXPECT_EQ(curve_after("flatten price ..10"), (Values{5, 1, 2, 4, 3, 9}));
  // Without weights every cell counts alike.
  EXPECT_EQ(surface_after("flatten price x pages"), (Values{3, 3, 0, 3, 3, 0, 0, 0, 8}));
  EXPECT_EQ(surface_after("flatten price x pages ..10 x .."),
            (Values{1.5, 1.5, 0, 3, 6, 0, 0, 0, 8}));
  EXPECT_EQ(surface_after("flatten price x pages 10.. x 7..7"),
            (Values{2, 2, 0, 2, 6, 0, 0, 0, 8}));
}

TEST(GamEdit, ClampsValues) {
  EXPECT_EQ(curve_after("clamp price to 2..4"), (Values{4, 2, 2, 4, 3, 9}));
  EXPECT_EQ(curve_after("clamp price 35.. to ..3"), (Values{5, 1, 2, 3, 3, 9}));
  EXPECT_EQ(curve_after("clamp price missing to 0..0"), (Values{5, 1, 2, 4, 3, 0}));
  EXPECT_EQ(surface_after("clamp price x pages missing x missing to 0..1"),
            (Values{1, 2, 0, 3, 6, 0, 0, 0, 1}));
}

TEST(GamEdit, SmoothsByTheWeightsOfNeighbours) {
  // Cell 0: (5 + 3 * 1) / 4 = 2; cell 1: (5 + 3 + 2) / 5 = 2; cell 2: (3 + 2 + 4) / 5 = 1.8;
  // cell 3: (2 + 4 + 3) / 3 = 3; cell 4: (4 + 3) / 2 = 3.5.
  EXPECT_EQ(curve_after("smooth price by 1"), (Values{2, 2, 1.8, 3, 3.5, 9}));
  EXPECT_EQ(curve_after("smooth price 35.. by 1"), (Values{5, 1, 2, 3.5, 3.5, 9}));
  EXPECT_EQ(surface_after("smooth price x pages by 1"), (Values{3, 3, 0, 3, 3, 0, 0, 0, 8}));
}

TEST(GamEdit, MakesCurvesMonotone) {
  const auto after = [](std::string_view text) {
    const Gam alone = edited(two_effects(), parse_edit("drop price x pages"));
    return edited(alone, parse_edit(text)).effects()[0].values;
  };
  // Up: 5 1 pool at (5 + 3) / 4 = 2; 2 stays; 4 3 pool at 3.5.
  EXPECT_EQ(after("monotone up price"), (Values{2, 2, 2, 3.5, 3.5, 9}));
  // Down: 1 2 4 3: 1 and 2 pool at 1.25, with 4 at (5 + 4) / 5 = 1.8, with 3 at 12 / 6 = 2.
  EXPECT_EQ(after("monotone down price"), (Values{5, 2, 2, 2, 2, 9}));
  EXPECT_EQ(after("monotone up price 15.."), (Values{5, 1, 2, 3.5, 3.5, 9}));
}

TEST(GamEdit, MakesCurveAndSurfacesMonotoneTogether) {
  EXPECT_FALSE(monotonicity(two_effects(), 0).never_falls());
  const Gam up = edited(two_effects(), parse_edit("monotone up price"));
  EXPECT_TRUE(monotonicity(up, 0).never_falls());
  // At the edge 10 the surface rises by 0 at least (where pages are missing), so that the curve
  // must not fall; it shares its fall of 4 with these cells of the surface, which it would leave
  // alone by itself.
  EXPECT_NE(up.effects()[1].values, two_effects().effects()[1].values);
  EXPECT_EQ(up.effects()[1].values[8], 8);  // price is missing: no place in the order
  EXPECT_EQ(up.effects()[0].values[5], 9);
  EXPECT_EQ(up.effects()[0].errors[0], 0);
  // pages have no curve; the surface alone.
  EXPECT_TRUE(
      monotonicity(edited(two_effects(), parse_edit("monotone down pages")), 1).never_rises());
}

TEST(GamEdit, DropsAnEffectAndKeepsItsMean) {
  const Gam gam = edited(two_effects(), parse_edit("drop price"));
  ASSERT_EQ(gam.effects().size(), 1U);
  EXPECT_EQ(gam.effect_name(0), "price x pages");
  EXPECT_EQ(gam.intercept(), 1 + (5 + 3 + 2 + 4 + 3 + 18) / 9.0);
  // Without weights: (1 + 2 + 3 + 6) / 4.
  EXPECT_EQ(edited(two_effects(), parse_edit("drop price x pages")).intercept(), 1 + 3);
}

TEST(GamEdit, ForgetsTheErrorsOfChangedCells) {
  EXPECT_EQ(edited(two_effects(), parse_edit("clamp price to 2..4")).effects()[0].errors,
            (Values{0, 0, .1, .1, .1, .1}));
}

TEST(GamEdit, IsRecordedInTheProvenance) {
  Model model{.body = two_effects(), .provenance = {{"method", "ilmart"}}};
  model = edited(model, parse_edit("monotone up price 0..100"));
  model.provenance.emplace_back("edit.1.measured", "ndcg@10 0.5 before, 0.6 after");
  model = edited(model, parse_edit("  smooth   price x pages  "));
  EXPECT_EQ(model.provenance, (Provenance{{"method", "ilmart"},
                                          {"edit.1", "monotone up price 0..100"},
                                          {"edit.1.measured", "ndcg@10 0.5 before, 0.6 after"},
                                          {"edit.2", "smooth price x pages by 2"}}));
  EXPECT_EQ(num_edits(model.provenance), 2U);
}

TEST(GamEdit, ReadsBackWhatItWrites) {
  for (const char* text :
       {"flatten a", "flatten feature 3 ..5", "smooth a x b 1..2 x missing by 7",
        "monotone up a 0.5..", "monotone down long name x", "clamp a -1e-30..2 to -0.5..",
        "clamp a x b to ..3", "drop a x b", "purify", "purify a x b"}) {
    EXPECT_EQ(to_text(parse_edit(text)), text);
    EXPECT_EQ(parse_edit(to_text(parse_edit(text))), parse_edit(text));
  }
  EXPECT_EQ(parse_edit("flatten a x b 1..2 x 3..4").effect, "a x b");
}

// A name may look like a set of categories: the set is the last one, behind the effect.
TEST(GamEdit, TakesTheLastSetOfCategories) {
  for (const char* text :
       {"flatten brand in {red} new in {blue,green}", "flatten brand in {red} new",
        "clamp brand in {old} x pages in {red} to ..3", "clamp a in {b} c in { to ..3"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(to_text(parse_edit(text)), text);
  }
  const GamEdit edit = parse_edit("flatten brand in {red} new in { blue, green }");
  EXPECT_EQ(edit.effect, "brand in {red} new");
  ASSERT_EQ(edit.ranges.size(), 1U);
  EXPECT_EQ(edit.ranges[0].categories, (std::vector<std::string>{"blue", "green"}));
}

TEST(GamEdit, SaysWhatIsWrong) {
  const auto problem = [](std::string_view text) {
    return message_of([&] { edited(two_effects(), parse_edit(text)); });
  };
  EXPECT_EQ(problem("flaten price"), "unknown edit 'flaten'; did you mean 'flatten'?");
  EXPECT_EQ(problem(""), "unknown edit ''; known: flatten, smooth, monotone, clamp, drop, purify");
  EXPECT_EQ(problem("monotone price"), "'monotone' must be followed by up or down, not 'price'");
  EXPECT_EQ(problem("drop"), "say which effect, for example 'drop price' or 'drop price x pages'");
  EXPECT_EQ(problem("drop price 1..2"), "'drop' takes a whole effect; 'flatten' takes a range");
  EXPECT_EQ(problem("purify price"), "price is a curve; only surfaces can be purified");
  EXPECT_EQ(problem("purify price x pages 1..2 x missing"),
            "'purify' takes a whole surface, or all of them");
  for (const char* text : {"purify", "purify price x pages"}) {
    EXPECT_EQ(problem(text),
              "price x pages holds no weights of its cells, by which to purify; --data gives them");
  }
  EXPECT_EQ(problem("clamp price"), "'clamp' must end in 'to LOW..HIGH', the limits of its values");
  EXPECT_EQ(problem("clamp price to missing"),
            "'clamp' must end in 'to LOW..HIGH', the limits of its values");
  EXPECT_EQ(problem("smooth price by 0"),
            "'by 0': a moving average goes over 1 to 1000 cells to either side");
  EXPECT_EQ(problem("smooth price by 1001"),
            "'by 1001': a moving average goes over 1 to 1000 cells to either side");
  EXPECT_EQ(problem("smooth price by two"),
            "'by' must be followed by a number of cells, not 'two'");
  EXPECT_EQ(problem("flatten price 50..60"),
            "the range 50..60 is outside of price, whose edges run from 10 to 40");
  EXPECT_EQ(problem("flatten price ..5"),
            "the range ..5 is outside of price, whose edges run from 10 to 40");
  EXPECT_EQ(problem("flatten price 1..2 x 3..4"), "price takes one range, for example 0..100");
  EXPECT_EQ(problem("flatten price x pages 1..2"),
            "price x pages takes one range for each of its features, for example 0..100 x 20..");
  EXPECT_EQ(problem("monotone up price x pages"),
            "price x pages is a surface; only curves can be made monotone");
}

// Every edit, as a line that ends where its effect is named.
constexpr const char* kEveryEdit[] = {"flatten {}",       "smooth {}", "monotone up {}",
                                      "clamp {} to 0..1", "drop {}",   "purify {}"};

std::string problem_of(const char* edit, std::string_view effect) {
  const std::string text = fmt::format(fmt::runtime(edit), effect);
  return message_of([&] { edited(two_effects(), parse_edit(text)); });
}

TEST(GamEdit, SaysWhichEffectWouldBeRight) {
  for (const char* edit : kEveryEdit) {
    EXPECT_EQ(problem_of(edit, "prize"), "unknown effect 'prize'; did you mean 'price'?");
    EXPECT_EQ(problem_of(edit, "colour"), "unknown effect 'colour'; known: price, price x pages");
    EXPECT_EQ(problem_of(edit, "pages x price"),
              "unknown effect 'pages x price'; did you mean 'price x pages'?");
    const bool is_monotone = std::string_view(edit).starts_with("monotone");
    EXPECT_EQ(problem_of(edit, "pages"),
              is_monotone ? "no error"
                          : "the model has no curve of 'pages'; it is part of price x pages");
    const std::string text = fmt::format(fmt::runtime(edit), "price");
    EXPECT_EQ(message_of([&] { edited(Gam(), parse_edit(text)); }),
              "the model has no effects, so none to edit");
    const Gam without = edited(two_effects(), parse_edit("drop price"));
    EXPECT_EQ(message_of([&] { edited(without, parse_edit(text)); }),
              is_monotone ? "no error"
                          : "the model has no curve of 'price'; it is part of price x pages");
  }
  const Gam only_price({.effects = {two_effects().effects()[0]},
                        .num_features = 2,
                        .feature_names = {"price", "pages"}});
  EXPECT_EQ(message_of([&] { edited(only_price, parse_edit("drop pages")); }),
            "the model does not use 'pages'");
}

TEST(GamEdit, RefusesRangesWithoutCells) {
  for (const char* edit : {"flatten {}", "smooth {}", "monotone down {}", "clamp {} to 0..1"}) {
    EXPECT_EQ(problem_of(edit, "price 9..8"),
              "the range 9..8 is empty; the smaller number comes first");
    for (const char* range : {"nan..8", "9..nan", "nan..nan", "nan.."}) {
      EXPECT_EQ(
          problem_of(edit, fmt::format("price {}", range)),
          fmt::format("the range {}: no value is NaN; 'missing' is the range of those", range));
    }
    EXPECT_EQ(problem_of(edit, "price 50..60"),
              "the range 50..60 is outside of price, whose edges run from 10 to 40");
    EXPECT_EQ(problem_of(edit, "price 1e300.."),
              "the range 1e+300.. is outside of price, whose edges run from 10 to 40");
    EXPECT_EQ(problem_of(edit, "price inf.."),
              "the range inf.. is outside of price, whose edges run from 10 to 40");
    EXPECT_EQ(problem_of(edit, "price 1..b"),
              "'1..b' is no range; write 0..100, ..100, 20.. or missing");
  }
  for (const char* edit : {"flatten {}", "smooth {}", "clamp {} to 0..1"}) {
    EXPECT_EQ(problem_of(edit, "price x pages 9..11 x 8..9"),
              "the range 8..9 is outside of pages, whose edges run from 7 to 7");
  }
  const Gam flat({.effects = {{.axes = {{.feature = 0, .edges = {}}}, .values = {1, 2}}},
                  .num_features = 1,
                  .feature_names = {"price"}});
  EXPECT_EQ(message_of([&] { edited(flat, parse_edit("clamp price 0..1 to ..0")); }),
            "the range 0..1 is outside of price, which has no edges: one cell holds every value");
}

TEST(GamEdit, RefusesLimitsThatAreNone) {
  EXPECT_EQ(problem_of("clamp {} to nan..1", "price"),
            "no value lies within nan..1; limits are LOW..HIGH, LOW.. or ..HIGH");
  EXPECT_EQ(problem_of("clamp {} to 0..nan", "price x pages"),
            "no value lies within 0..nan; limits are LOW..HIGH, LOW.. or ..HIGH");
  EXPECT_EQ(problem_of("clamp {} to 3..2", "price"),
            "no value lies within 3..2; limits are LOW..HIGH, LOW.. or ..HIGH");
  EXPECT_EQ(problem_of("clamp {} to inf..", "price"),
            "no value lies within inf..; limits are LOW..HIGH, LOW.. or ..HIGH");
  EXPECT_EQ(problem_of("clamp {} to ..", "price"),
            "'to ..' limits nothing; give 'clamp' a limit: LOW..HIGH, LOW.. or ..HIGH");
}

TEST(GamEdit, SaysHowTheCellOfMissingValuesIsSet) {
  for (const char* edit : {"flatten {}", "smooth {}", "monotone up {}"}) {
    EXPECT_EQ(problem_of(edit, "price missing"),
              "missing values have one cell, without neighbours; 'clamp price missing to 0..0' "
              "sets it");
  }
  EXPECT_EQ(problem_of("smooth {}", "price x pages missing"),
            "price x pages takes one range for each of its features, for example 0..100 x 20..");
  // Of a surface, missing values of one feature are a whole row of cells.
  EXPECT_EQ(surface_after("flatten price x pages missing x .."),
            (Values{1, 2, 0, 3, 6, 0, 0, 0, 8}));
  EXPECT_EQ(problem_of("smooth {}", "price x pages missing x missing"),
            "missing values have one cell, without neighbours; 'clamp price x pages missing x "
            "missing to 0..0' sets it");
}

TEST(GamEdit, ChecksEditsThatWereNeverText) {
  const auto problem = [](const GamEdit& edit) {
    return message_of([&] { edited(two_effects(), edit); });
  };
  EXPECT_EQ(problem({.kind = EditKind::kSmooth, .effect = "price", .window = -3}),
            "'by -3': a moving average goes over 1 to 1000 cells to either side");
  EXPECT_EQ(problem({.kind = EditKind::kDrop, .effect = "price", .ranges = {{.low = 0}}}),
            "'drop' takes a whole effect; 'flatten' takes a range");
  EXPECT_EQ(problem({.kind = EditKind::kClamp, .effect = "price", .limits = {.low = 2, .high = 1}}),
            "no value lies within 2..1; limits are LOW..HIGH, LOW.. or ..HIGH");
}

TEST(GamEdit, TakesOneRangeOfAFeatureWithoutACurve) {
  EXPECT_EQ(message_of([] {
              edited(two_effects(), {.kind = EditKind::kMonotoneUp,
                                     .effect = "pages",
                                     .ranges = {{.low = 0, .high = 1}, {.low = 0, .high = 1}}});
            }),
            "pages takes one range, for example 0..100");
}

TEST(GamEdit, MonotoneModelsAreMonotoneAndCurvesKeepTheirMean) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    GamMaker maker(seed);
    const Gam gam = maker.gam({.errors = false, .weights = false, .most_edges = 30});
    for (std::size_t e = 0; e < gam.effects().size(); ++e) {
      const GamEffect& before = gam.effects()[e];
      if (before.is_pair()) continue;
      const Gam after = edited(gam, {.kind = EditKind::kMonotoneUp, .effect = gam.effect_name(e)});
      const std::uint32_t feature = before.axes[0].feature;
      RC_ASSERT(monotonicity(after, feature).never_falls());
      const bool is_alone = std::ranges::none_of(gam.effects(), [&](const GamEffect& other) {
        return other.is_pair() &&
               (other.axes[0].feature == feature || other.axes[1].feature == feature);
      });
      if (!is_alone) continue;
      const std::vector<double>& values = after.effects()[e].values;
      double change = 0;
      for (std::size_t c = 0; c < before.axes[0].missing_cell(); ++c) {
        change += values[c] - before.values[c];
        if (c > 0) RC_ASSERT(values[c - 1] <= values[c]);
      }
      RC_ASSERT(std::abs(change) < 1e-9);
      RC_ASSERT(values.back() == before.values.back());
    }
  }));
}

}  // namespace
}  // namespace glassrank
