#include "glassrank/models/gam/gam_purify.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/gam_edit.h"
#include "testing/message_of.h"
#include "testing/random_gams.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

double largest(const Values& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

double weight_of(const Values& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return sum;
}

// The weighted means of a surface's rows and columns that hold weight.
Values means_of(const GamEffect& surface) {
  const std::size_t num_columns = surface.axes[1].num_cells();
  const std::size_t num_rows = surface.axes[0].num_cells();
  Values sums(num_rows + num_columns);
  Values weights(num_rows + num_columns);
  for (std::size_t c = 0; c < surface.values.size(); ++c) {
    for (const std::size_t line : {c / num_columns, num_rows + c % num_columns}) {
      sums[line] += surface.weights[c] * surface.values[c];
      weights[line] += surface.weights[c];
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = weights[i] > 0 ? sums[i] / weights[i] : 0;
  return sums;
}

// 1 for a above 0, 10 for b above 0, 100 more for both; missing is like low, but no row has it.
Gam one_surface() {
  return Gam({.effects = {{.axes = {{.feature = 1, .edges = {0}}, {.feature = 3, .edges = {0}}},
                           .values = {0, 10, 0, 1, 111, 1, 0, 10, 0},
                           .errors = Values(9, .5),
                           .weights = {1, 1, 0, 1, 1, 0, 0, 0, 0}}},
              .num_features = 4,
              .feature_names = {"o", "a", "p", "b"},
              .intercept = 1});
}

TEST(GamPurify, MovesMainEffectsToNewCurves) {
  const Gam gam = purified(one_surface());
  ASSERT_EQ(gam.effects().size(), 3U);
  EXPECT_EQ(gam.effect_name(0), "a");
  EXPECT_EQ(gam.effect_name(1), "b");
  EXPECT_EQ(gam.effect_name(2), "a x b");
  EXPECT_DOUBLE_EQ(gam.intercept(), 1 + 122 / 4.0);
  // Rows have means 5 and 56, columns 0.5 and 60.5: -+25.5 and -+30 around 30.5. Missing values,
  // without weight, get the mean by the others' weights: that of low ones.
  const auto expect_near = [](const Values& values, const Values& expected) {
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-12);
  };
  expect_near(gam.effects()[0].values, {-25.5, 25.5, -25.5});
  expect_near(gam.effects()[1].values, {-30, 30, -30});
  expect_near(gam.effects()[2].values, {25, -25, 25, -25, 25, -25, 25, -25, 25});
  EXPECT_EQ(gam.effects()[0].weights, (Values{2, 2, 0}));
  EXPECT_EQ(gam.effects()[1].weights, (Values{2, 2, 0}));
  EXPECT_TRUE(gam.effects()[0].errors.empty());
  EXPECT_EQ(gam.effects()[2].errors, Values(9, 0));
}

TEST(GamPurify, KeepsWhatIsPure) {
  const GamEffect pure{.axes = {{.feature = 0, .edges = {0}}, {.feature = 1, .edges = {0}}},
                       .values = {1, -1, 0, -1, 1, 0, 0, 0, 0},
                       .errors = Values(9, .5),
                       .weights = {1, 1, 0, 1, 1, 0, 0, 0, 0}};
  const Gam gam({.effects = {pure}, .num_features = 2, .intercept = 3});
  EXPECT_EQ(purified(gam).parts(), gam.parts());
  GamEffect empty = pure;  // nothing tells what its means are
  empty.values[0] = 5;
  empty.weights.assign(9, 0);
  const Gam without({.effects = {empty}, .num_features = 2});
  EXPECT_EQ(purified(without).parts(), without.parts());
}

TEST(GamPurify, OnlyCentresCurvesWithoutSurfaces) {
  const Gam curves({.effects = {{.axes = {{.feature = 0, .edges = {0}}},
                                 .values = {1, 4, 7},
                                 .weights = {2, 1, 0}}},
                    .num_features = 1,
                    .intercept = 3});
  const Gam pure = purified(curves);
  EXPECT_EQ(pure.effects()[0].values, (Values{-1, 2, 5}));
  EXPECT_EQ(pure.intercept(), 5);
}

TEST(GamPurify, LeavesNothingOfASurfaceWithoutInteraction) {
  const CounterRandom random(3, "additive");
  GamEffect surface{.axes = {{.feature = 0, .edges = {0, 1, 2}}, {.feature = 1, .edges = {0, 1}}}};
  for (std::size_t c = 0; c < 20; ++c) {
    surface.values.push_back(std::exp(random.normal(c / 4)) + random.normal(10 + c % 4));
    surface.weights.push_back(c % 3 == 0 ? 0 : random.uniform(20 + c));
  }
  const Gam pure = purified(Gam({.effects = {surface}, .num_features = 2}));
  EXPECT_EQ(pure.effects()[2].values, Values(20, 0));
  EXPECT_EQ(purified(pure).effects()[2], pure.effects()[2]);
}

// Nothing says which of two features that are missing together the mean of those rows belongs to.
TEST(GamPurify, DividesTheMeanOfBlocksThatShareNoRowOrColumn) {
  const auto with_curves = [](Values first, Values second) {
    const GamEffect surface{.axes = {{.feature = 0, .edges = {0}}, {.feature = 1, .edges = {0}}},
                            .values = Values(9, 0),
                            .weights = {1, 1, 0, 1, 1, 0, 0, 0, 1}};
    return Gam({.effects = {{.axes = {surface.axes[0]}, .values = first, .weights = {2, 2, 1}},
                            {.axes = {surface.axes[1]}, .values = second, .weights = {2, 2, 1}},
                            surface},
                .num_features = 2});
  };
  const Gam one = purified(with_curves({0, 0, 5}, {0, 0, 0}));
  const Gam other = purified(with_curves({0, 0, 0}, {0, 0, 5}));
  EXPECT_NE(one.effects()[0].values, other.effects()[0].values);
  const std::vector<float> missing = {kMissing, kMissing};
  EXPECT_NEAR(one.score(missing), 5, 1e-12);
  EXPECT_NEAR(other.score(missing), 5, 1e-12);
}

TEST(GamPurify, OneSurfaceLeavesOthersAlone) {
  GamParts parts = one_surface().parts();
  GamEffect other = parts.effects[0];
  other.axes[0].feature = 0;
  other.axes[1].feature = 2;
  parts.effects.push_back(other);
  const Gam gam = edited(Gam(parts), parse_edit("purify a x b"));
  ASSERT_EQ(gam.effects().size(), 4U);
  EXPECT_EQ(gam.effects()[3], other);
  EXPECT_EQ(gam.effects()[2], purified(one_surface()).effects()[2]);
  EXPECT_EQ(edited(gam, parse_edit("purify")).parts(), purified(Gam(parts)).parts());
}

TEST(GamPurify, SaysWhatItCannotPurify) {
  GamParts parts = one_surface().parts();
  parts.effects[0].weights.clear();
  EXPECT_EQ(message_of([&] { purified(Gam(parts)); }),
            "a x b holds no weights of its cells, by which to purify; --data gives them");
  parts.effects[0].weights = one_surface().effects()[0].weights;
  parts.effects[0].values.assign(9, 1e308);
  EXPECT_EQ(message_of([&] { purified(Gam(parts)); }),
            "a x b holds values that are too large to purify");
}

// Three features that go together.
Dataset correlated_rows(std::size_t num_rows, std::uint64_t seed) {
  const CounterRandom random(seed, "rows");
  DatasetParts parts;
  parts.features = Buffer<float>(num_rows * 3);
  for (std::size_t r = 0; r < num_rows; ++r) {
    const double common = random.normal(8 * r);
    for (std::size_t f = 0; f < 3; ++f) {
      const bool missing = random.uniform(8 * r + 1 + f) < 0.1;
      const double x = common + 0.2 * random.normal(8 * r + 4 + f);
      parts.features.data()[3 * r + f] = missing ? kMissing : static_cast<float>(x);
    }
    parts.grades.push_back(0);
  }
  parts.schema = Schema::of_features({"a", "b", "c"});
  parts.queries = QueryGroups({"1"}, std::vector<std::size_t>{num_rows});
  return Dataset(std::move(parts));
}

TEST(GamPurify, SplitsTheWeightsOfCurvesAsTheDataWould) {
  const GamEffect curve{.axes = {{.feature = 0, .edges = {-0.5, 0.1, 2}}},
                        .values = {1, 2, 3, 4, 5}};
  GamEffect surface{.axes = {{.feature = 0, .edges = {-1, 0.1, 0.2, 0.7, 3}},
                             {.feature = 2, .edges = {-0.5, 0.5, 1}}}};
  for (std::size_t c = 0; c < 35; ++c) surface.values.push_back(static_cast<double>(c * c % 7));
  GamEffect second = surface;
  second.axes[0].edges = {-2, 0, 0.1, 0.2, 1.5};
  second.axes[1].feature = 1;
  const Dataset data = correlated_rows(500, 7);
  const Gam gam = with_weights(Gam({.effects = {curve, surface, second}, .num_features = 3}), data);
  const Gam pure = purified(gam);
  EXPECT_EQ(pure.effects()[0].axes[0].edges,
            (std::vector<float>{-2, -1, -0.5, 0, 0.1F, 0.2F, 0.7F, 1.5, 2, 3}));
  EXPECT_EQ(pure.parts(), with_weights(pure, data).parts());
}

TEST(GamPurify, CellsKeepTheirWeightWhenTheSurfaceIsOfOtherData) {
  GamParts parts = one_surface().parts();
  parts.effects[0].weights[0] = 97;  // 98 low, 2 high
  parts.effects.push_back({.axes = {{.feature = 1, .edges = {-1, 1}}},
                           .values = {0, 0, 0, 0},
                           .errors = {.1, .1, .1, .1},
                           .weights = {5, 10, 5, 1}});
  const Gam gam = purified(Gam(std::move(parts)));
  EXPECT_EQ(gam.effects()[2].weights, (Values{5, 10, 0, 5, 1}));
  EXPECT_EQ(gam.effects()[2].errors, (Values{0, 0, 0, 0, 0}));
}

// With every effect's weights, of which some rows, columns and whole surfaces have none.
Gam weighted(const Gam& gam, std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "weights"));
  GamParts parts = gam.parts();
  for (GamEffect& effect : parts.effects) {
    effect.weights.assign(effect.num_cells(), 0.0);
    const std::size_t num_columns = effect.axes.back().num_cells();
    const std::size_t empty_row = random.below(2 * num_columns);
    const std::size_t empty_column = random.below(2 * num_columns);
    const bool sparse = random.below(3) == 0;
    for (std::size_t c = 0; c < effect.weights.size(); ++c) {
      if (effect.is_pair() && c / num_columns == empty_row) continue;
      if (c % num_columns == empty_column || (sparse && random.below(4) != 0)) continue;
      effect.weights[c] =
          random.below(2) == 0 ? random.uniform() : static_cast<double>(random.below(50));
    }
  }
  return Gam(std::move(parts));
}

TEST(GamPurify, KeepsScoresAndLeavesNoMeans) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    GamMaker maker(seed);
    const Gam gam = weighted(maker.gam({.most_edges = 12}), seed);
    const Gam pure = purified(gam);
    for (int i = 0; i < 50; ++i) {
      const std::vector<float> row = maker.row(gam);
      const double score = gam.score(row);
      RC_ASSERT(std::abs(pure.score(row) - score) <= 1e-9 * std::max(1.0, std::abs(score)));
    }
    for (const GamEffect& effect : pure.effects()) {
      if (effect.is_pair()) RC_ASSERT(largest(means_of(effect)) < 1e-9);
      double sum = 0;
      for (std::size_t c = 0; c < effect.values.size(); ++c) {
        sum += effect.weights[c] * effect.values[c];
      }
      RC_ASSERT(std::abs(sum) < 1e-9 * std::max(1.0, weight_of(effect.weights)));
    }
    const Gam again = purified(pure);
    RC_ASSERT(again.effects().size() == pure.effects().size());
    for (std::size_t e = 0; e < pure.effects().size(); ++e) {
      RC_ASSERT(again.effects()[e].axes == pure.effects()[e].axes);
      RC_ASSERT(again.effects()[e].weights == pure.effects()[e].weights);
      for (std::size_t c = 0; c < pure.effects()[e].values.size(); ++c) {
        RC_ASSERT(std::abs(again.effects()[e].values[c] - pure.effects()[e].values[c]) < 1e-9);
      }
    }
  }));
}

// Whatever was moved between a surface and its curves before, rows without data included.
TEST(GamPurify, IsTheSameForModelsWithTheSameScores) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    RandomSequence random(CounterRandom(seed, "same"));
    GamParts parts{.num_features = 2};
    for (std::uint32_t f = 0; f < 2; ++f) {
      parts.effects.push_back({.axes = {{.feature = f, .edges = {-1, 0, 1}}}});
      for (int c = 0; c < 5; ++c) parts.effects[f].values.push_back(random.normal());
    }
    parts.effects.push_back({.axes = {parts.effects[0].axes[0], parts.effects[1].axes[0]}});
    for (std::size_t c = 0; c < 25; ++c) {
      parts.effects[2].values.push_back(random.normal());
      // Row 4 and column 2 are empty; the first row and the first column hold all others together.
      const bool empty = c / 5 == 4 || c % 5 == 2;
      const bool some = c / 5 == 0 || c % 5 == 0 || random.below(2) == 0;
      parts.effects[2].weights.push_back(empty || !some ? 0 : 1 + random.uniform());
    }
    for (std::size_t f = 0; f < 2; ++f) {
      parts.effects[f].weights.assign(5, 0.0);
      for (std::size_t c = 0; c < 25; ++c) {
        parts.effects[f].weights[f == 0 ? c / 5 : c % 5] += parts.effects[2].weights[c];
      }
    }
    const Gam pure = purified(Gam(parts));
    for (std::size_t i = 0; i < 5; ++i) {
      const double of_row = random.normal();
      const double of_column = random.normal();
      parts.effects[0].values[i] += of_row;
      parts.effects[1].values[i] += of_column;
      for (std::size_t c = 0; c < 25; ++c) {
        parts.effects[2].values[c] -= (c / 5 == i ? of_row : 0) + (c % 5 == i ? of_column : 0);
      }
    }
    const Gam other = purified(Gam(parts));
    for (std::size_t e = 0; e < 3; ++e) {
      for (std::size_t c = 0; c < pure.effects()[e].values.size(); ++c) {
        RC_ASSERT(std::abs(pure.effects()[e].values[c] - other.effects()[e].values[c]) < 1e-9);
      }
    }
  }));
}

// Solves a x = b for a symmetric positive definite a, by elimination.
Values solve(std::vector<Values> a, Values b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = i + 1; j < b.size(); ++j) {
      const double factor = a[j][i] / a[i][i];
      for (std::size_t k = i; k < b.size(); ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  }
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

// The oracle: the fit of intercept + row + column, the last of each being what makes means 0.
TEST(GamPurify, TakesTheWeightedLeastSquaresFit) {
  constexpr std::size_t kRows = 5;
  constexpr std::size_t kColumns = 4;
  RandomSequence random(CounterRandom(5, "oracle"));
  GamEffect surface{.axes = {{.feature = 0, .edges = {1, 2, 3}}, {.feature = 1, .edges = {1, 2}}}};
  for (std::size_t c = 0; c < kRows * kColumns; ++c) {
    surface.values.push_back(random.normal());
    surface.weights.push_back(random.below(3) == 0 ? 0 : random.uniform());
  }
  // Unknowns: 1 for every row and for every column but the first.
  constexpr std::size_t kUnknowns = kRows + kColumns - 1;
  std::vector<Values> normal(kUnknowns, Values(kUnknowns));
  Values right(kUnknowns);
  const auto unknowns_of = [](std::size_t cell) {
    std::vector<std::size_t> unknowns = {cell / kColumns};
    if (cell % kColumns > 0) unknowns.push_back(kRows + cell % kColumns - 1);
    return unknowns;
  };
  for (std::size_t c = 0; c < surface.values.size(); ++c) {
    for (const std::size_t i : unknowns_of(c)) {
      right[i] += surface.weights[c] * surface.values[c];
      for (const std::size_t j : unknowns_of(c)) normal[i][j] += surface.weights[c];
    }
  }
  const Values fit = solve(normal, right);
  const Gam pure = purified(Gam({.effects = {surface}, .num_features = 2}));
  for (std::size_t c = 0; c < surface.values.size(); ++c) {
    double fitted = 0;
    for (const std::size_t i : unknowns_of(c)) fitted += fit[i];
    EXPECT_NEAR(pure.effects()[2].values[c], surface.values[c] - fitted, 1e-10) << c;
    EXPECT_NEAR(pure.intercept() + pure.effects()[0].values[c / kColumns] +
                    pure.effects()[1].values[c % kColumns],
                fitted, 1e-10);
  }
}

// Where taking the means in turn would need many thousand sweeps.
TEST(GamPurify, ConvergesWhenTheFeaturesGoTogether) {
  constexpr std::size_t kCells = 200;
  GamEffect surface{.axes = {{.feature = 0}, {.feature = 1}}};
  for (std::size_t i = 0; i + 2 < kCells; ++i) {
    for (GamAxis& axis : surface.axes) axis.edges.push_back(static_cast<float>(i));
  }
  RandomSequence random(CounterRandom(6, "diagonal"));
  for (std::size_t c = 0; c < kCells * kCells; ++c) {
    const std::size_t row = c / kCells;
    const std::size_t column = c % kCells;
    surface.values.push_back(random.normal() + static_cast<double>(row));
    surface.weights.push_back(row == column || row == column + 1 ? 1 : 0);
  }
  const Gam pure = purified(Gam({.effects = {surface}, .num_features = 2}));
  EXPECT_LT(largest(means_of(pure.effects()[2])), 1e-9);
}

}  // namespace
}  // namespace glassrank
