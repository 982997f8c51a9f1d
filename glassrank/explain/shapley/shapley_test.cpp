#include "glassrank/explain/shapley/shapley.h"

#include <bit>
#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "glassrank/explain/shapley/exact_shapley.h"
#include "glassrank/explain/shapley/kernel_regression.h"
#include "glassrank/explain/shapley/paired_coalitions.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

CounterRandom some_random(std::uint64_t lane = 0) { return {11, "shapley test", lane}; }

// A game of additive parts, pairs and a triple, so that its Shapley values are known: a part of
// several players is shared evenly.
struct PartsGame {
  explicit PartsGame(std::size_t num_players, double interaction = 1) : players(num_players) {
    RandomSequence random(CounterRandom(num_players, "parts"));
    values.resize(num_players);
    for (std::size_t i = 0; i < num_players; ++i) {
      add({i}, random.normal());
      add({i, random.below(num_players)}, interaction * random.normal());
      add({i, random.below(num_players), random.below(num_players)}, interaction * random.normal());
    }
  }
  void add(std::vector<std::size_t> members, double amount) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    for (const std::size_t i : members) values[i] += amount / static_cast<double>(members.size());
    parts.emplace_back(std::move(members), amount);
  }
  double worth(std::span<const std::uint8_t> coalition) const {
    double sum = 3;
    for (const auto& [members, amount] : parts) {
      bool all = true;
      for (const std::size_t i : members) all = all && coalition[i] != 0;
      sum += all ? amount : 0;
    }
    return sum;
  }
  Game game() const {
    return {.num_players = players,
            .num_outputs = 2,
            .evaluate = [this](CoalitionView coalitions, std::span<double> worths) {
              for (std::size_t c = 0; c < coalitions.num_rows(); ++c) {
                worths[2 * c] = worth(coalitions.row(c));
                worths[2 * c + 1] = -10 * worths[2 * c];
              }
            }};
  }

  std::size_t players;
  std::vector<std::pair<std::vector<std::size_t>, double>> parts;
  std::vector<double> values;
};

// Two left gloves and a right one; a pair is worth 1. The right one gets 2/3, each left one 1/6.
TEST(ExactShapley, OfTheGloveGame) {
  const Game gloves{.num_players = 3,
                    .evaluate = [](CoalitionView coalitions, std::span<double> worths) {
                      for (std::size_t c = 0; c < coalitions.num_rows(); ++c) {
                        const auto row = coalitions.row(c);
                        worths[c] = row[2] != 0 && row[0] + row[1] > 0 ? 1 : 0;
                      }
                    }};
  const ShapleyValues values = exact_shapley(gloves, {}).front();
  EXPECT_NEAR(values.values[0], 1.0 / 6, 1e-15);
  EXPECT_NEAR(values.values[1], 1.0 / 6, 1e-15);
  EXPECT_NEAR(values.values[2], 2.0 / 3, 1e-15);
  EXPECT_EQ(values.base, 0);
  EXPECT_EQ(values.full, 1);
}

TEST(ExactShapley, SharesPartsEvenly) {
  for (std::size_t players = 1; players <= 10; ++players) {
    const PartsGame parts(players);
    const auto outputs = exact_shapley(parts.game(), {});
    for (std::size_t i = 0; i < players; ++i) {
      EXPECT_NEAR(outputs[0].values[i], parts.values[i], 1e-12);
      EXPECT_NEAR(outputs[1].values[i], -10 * parts.values[i], 1e-11);
    }
  }
}

TEST(ExactShapley, HasALimit) {
  const Game game{.num_players = 21, .evaluate = {}};
  EXPECT_EQ(message_of([&] { exact_shapley(game, {}); }),
            "exact Shapley values of 21 features would need 2^21 coalitions; at most 20 features "
            "can be asked exactly, sampling (mode = paired) has no limit");
}

// The regression over every coalition, in both ways to choose them, is the definition.
TEST(KernelRegression, OfAllCoalitionsIsExact) {
  for (std::size_t players = 2; players <= 10; ++players) {
    const PartsGame parts(players);
    const Game game = parts.game();
    const std::uint64_t all = (std::uint64_t{1} << players) - 2;
    PairedCoalitions paired(players, all, some_random());
    CoalitionWorths worths(game);
    worths.evaluate(paired.set(), {});
    auto outputs = evaluate_ends(game);
    ASSERT_TRUE(fit_kernel_regression(paired.set(), worths, {}, outputs, {}));
    const auto shap =
        shapley_values(game, {.mode = ShapleyMode::kShap, .samples = all}, some_random(), {});
    for (std::size_t i = 0; i < players; ++i) {
      EXPECT_NEAR(outputs[0].values[i], parts.values[i], 1e-12) << players;
      EXPECT_NEAR(shap.outputs[0].values[i], parts.values[i], 1e-12) << players;
      EXPECT_EQ(outputs[0].errors[i], 0);
      EXPECT_EQ(shap.outputs[0].errors[i], 0);
    }
  }
}

TEST(Shapley, OfFewPlayersIsExactWithinTheSamples) {
  const PartsGame parts(6);
  const ShapleyResult result = shapley_values(parts.game(), {}, some_random(), {});
  EXPECT_TRUE(result.is_exact);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(result.outputs[0].values[i], parts.values[i], 1e-12);
}

TEST(Shapley, OfNoneOrOnePlayer) {
  const Game none{.num_players = 0, .evaluate = [](CoalitionView, std::span<double> worths) {
                    std::fill(worths.begin(), worths.end(), 4.0);
                  }};
  for (const ShapleyMode mode :
       {ShapleyMode::kPaired, ShapleyMode::kShap, ShapleyMode::kPermutation, ShapleyMode::kExact}) {
    const auto nothing = shapley_values(none, {.mode = mode}, some_random(), {}).outputs.front();
    EXPECT_TRUE(nothing.values.empty());
    EXPECT_EQ(nothing.base, 4);
    const PartsGame one(1);
    const auto all = shapley_values(one.game(), {.mode = mode}, some_random(), {}).outputs.front();
    EXPECT_NEAR(all.values[0], all.full - all.base, 1e-15);
  }
}

struct Case {
  ShapleyMode mode;
  std::uint64_t samples;
};
class SampledShapley : public ::testing::TestWithParam<Case> {
 protected:
  ShapleyParams params() const {
    return {
        .mode = GetParam().mode, .samples = GetParam().samples, .max_error = 0, .l1_reg = "none"};
  }
};

TEST_P(SampledShapley, AddsUpToTheGain) {
  const PartsGame parts(18);
  for (const ShapleyValues& output :
       shapley_values(parts.game(), params(), some_random(), {}).outputs) {
    const double sum = std::accumulate(output.values.begin(), output.values.end(), output.base);
    EXPECT_NEAR(sum, output.full, 1e-10 * std::abs(output.full));
  }
}

// Over many samples the deviations from the truth are of the size that the standard errors say:
// rarely more than three of them, and neither tiny nor twice as large on average.
TEST_P(SampledShapley, IsWithinItsStandardErrors) {
  const PartsGame parts(18);
  double squares = 0;
  int beyond = 0;
  int count = 0;
  for (std::uint64_t run = 0; run < 40; ++run) {
    const auto output =
        shapley_values(parts.game(), params(), some_random(run), {}).outputs.front();
    for (std::size_t i = 0; i < 18; ++i) {
      if (output.errors[i] < 1e-7) {  // an order and its reverse are exact for parts of two
        EXPECT_NEAR(output.values[i], parts.values[i], 1e-6);
        continue;
      }
      const double z = (output.values[i] - parts.values[i]) / output.errors[i];
      squares += z * z;
      beyond += std::abs(z) > 3 ? 1 : 0;
      ++count;
    }
  }
  EXPECT_GT(count, 300);
  EXPECT_LT(beyond, count / 50);
  const double size = std::sqrt(squares / count);
  EXPECT_GT(size, 0.5);
  EXPECT_LT(size, 1.25);
}

TEST_P(SampledShapley, OfASumHasNoError) {
  const PartsGame parts(18, 0);
  const auto output = shapley_values(parts.game(), params(), some_random(), {}).outputs.front();
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_NEAR(output.values[i], parts.values[i], 1e-10);
    EXPECT_NEAR(output.errors[i], 0, 1e-7);
  }
}

TEST_P(SampledShapley, HasTheSameBytesForAnyThreads) {
  const PartsGame parts(18);
  const auto with = [&](int threads) {
    const Context context{.threads = std::make_shared<const Threads>(threads)};
    return shapley_values(parts.game(), params(), some_random(), context).outputs;
  };
  const auto one = with(1);
  for (const int threads : {2, 4}) {
    const auto some = with(threads);
    EXPECT_EQ(one[0].values, some[0].values);
    EXPECT_EQ(one[0].errors, some[0].errors);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, SampledShapley,
                         ::testing::Values(Case{ShapleyMode::kPaired, 120},
                                           Case{ShapleyMode::kPaired, 1000},
                                           Case{ShapleyMode::kShap, 1000},
                                           Case{ShapleyMode::kPermutation, 1000}));

TEST(Shapley, StopsWhenErrorsAreSmall) {
  const PartsGame parts(18, 0.01);
  const ShapleyResult early =
      shapley_values(parts.game(), {.samples = 4000, .max_error = 0.05}, some_random(), {});
  EXPECT_LT(early.num_evaluated, 1000U);
  EXPECT_TRUE(is_settled(early.outputs, 0.05));
  const ShapleyResult all =
      shapley_values(parts.game(), {.samples = 4000, .max_error = 0}, some_random(), {});
  EXPECT_EQ(all.num_evaluated, 4000U);
}

TEST(Shapley, TooFewSamplesAreAnError) {
  const PartsGame parts(30);
  EXPECT_EQ(message_of([&] { shapley_values(parts.game(), {.samples = 61}, some_random(), {}); }),
            "61 samples are too few for 30 features that count; take at least 62 (samples), or let "
            "few features in (mode = shap, or l1_reg = num_features(K))");
  EXPECT_EQ(message_of([&] {
              shapley_values(parts.game(), {.mode = ShapleyMode::kPermutation, .samples = 115},
                             some_random(), {});
            }),
            "115 samples are too few for 30 features that count; take at least 116 (samples), or "
            "let few features in (mode = shap, or l1_reg = num_features(K))");
  EXPECT_EQ(message_of([&] {
              shapley_values(parts.game(),
                             {.mode = ShapleyMode::kShap, .samples = 20, .l1_reg = "none"},
                             some_random(), {});
            }),
            "20 samples are too few for 30 features that count; take at least 124 (samples), or "
            "let few features in (mode = shap, or l1_reg = num_features(K))");
}

}  // namespace
}  // namespace glassrank
