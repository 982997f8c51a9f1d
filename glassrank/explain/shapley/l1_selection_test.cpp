#include "glassrank/explain/shapley/l1_selection.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/explain/shapley/shapley.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

// 40 players of whom number 3 adds 5, number 17 takes 4 and the pair (8, 9) adds 2 together.
Game few_that_count() {
  return {.num_players = 40, .evaluate = [](CoalitionView coalitions, std::span<double> worths) {
            for (std::size_t c = 0; c < coalitions.num_rows(); ++c) {
              const auto row = coalitions.row(c);
              worths[c] = 1 + 5 * row[3] - 4 * row[17] + 2 * row[8] * row[9];
            }
          }};
}

std::vector<std::uint32_t> chosen_of(const ShapleyResult& result) {
  std::vector<std::uint32_t> chosen;
  const auto& values = result.outputs.front().values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) chosen.push_back(static_cast<std::uint32_t>(i));
  }
  return chosen;
}

ShapleyResult with_l1(ShapleyMode mode, const char* l1_reg, std::uint64_t samples = 200) {
  return shapley_values(few_that_count(), {.mode = mode, .samples = samples, .l1_reg = l1_reg},
                        CounterRandom(5, "l1"), {});
}

TEST(L1Selection, NumFeaturesLetsTheLargestIn) {
  for (const ShapleyMode mode : {ShapleyMode::kPaired, ShapleyMode::kShap}) {
    EXPECT_EQ(chosen_of(with_l1(mode, "num_features(2)")), (std::vector<std::uint32_t>{3, 17}));
    EXPECT_EQ(chosen_of(with_l1(mode, "num_features(4)")),
              (std::vector<std::uint32_t>{3, 8, 9, 17}));
  }
}

TEST(L1Selection, ValuesOfThoseLetInAddUpToTheGain) {
  const ShapleyValues values = with_l1(ShapleyMode::kShap, "num_features(4)").outputs.front();
  EXPECT_NEAR(values.values[3], 5, 0.5);
  EXPECT_NEAR(values.values[17], -4, 0.5);
  EXPECT_NEAR(values.values[3] + values.values[17] + values.values[8] + values.values[9], 3, 1e-10);
}

TEST(L1Selection, AicAndBicFindThoseThatCount) {
  for (const char* rule : {"aic", "bic"}) {
    const std::vector<std::uint32_t> chosen = chosen_of(with_l1(ShapleyMode::kShap, rule, 400));
    for (const std::uint32_t player : {3U, 17U, 8U, 9U}) {
      EXPECT_NE(std::find(chosen.begin(), chosen.end(), player), chosen.end()) << rule << player;
    }
    EXPECT_LT(chosen.size(), 40U) << rule;
  }
}

// By its own rule shap chooses when it saw less than a fifth of all coalitions.
TEST(L1Selection, AutoIsAicInModeShapOnly) {
  EXPECT_EQ(chosen_of(with_l1(ShapleyMode::kShap, "auto")),
            chosen_of(with_l1(ShapleyMode::kShap, "aic")));
  EXPECT_EQ(chosen_of(with_l1(ShapleyMode::kPaired, "auto")),
            chosen_of(with_l1(ShapleyMode::kPaired, "none")));
}

// Recorded: shap's rows for all coalitions of 7 players, scikit-learn 1.9.1's lars_path and
// LassoLarsIC on them, and shap's own elimination for the values.
TEST(L1Selection, ChoosesAsScikitLearnDoes) {
  const Game game{.num_players = 7,
                  .evaluate = [](CoalitionView coalitions, std::span<double> worths) {
                    for (std::size_t c = 0; c < coalitions.num_rows(); ++c) {
                      const auto z = coalitions.row(c);
                      worths[c] = 1 + 5 * z[3] - 4 * z[5] + 2 * z[1] * z[2] +
                                  0.6 * z[0] * z[4] * z[6] + 0.2 * z[0] + 0.03 * z[4] -
                                  1.5 * z[1] * z[5] + 4 * ((z[0] + z[1] + z[2] + z[6]) % 2);
                    }
                  }};
  const std::vector<std::pair<const char*, std::vector<double>>> recorded = {
      {"num_features(2)", {0, 0, 0, 6.04, 0, -3.71, 0}},
      {"num_features(3)", {0, 0, 1.36, 5.36, 0, -4.39, 0}},
      {"num_features(4)", {0.57, 0, 1.17, 5.17, 0, -4.58, 0}},
      {"bic", {0.57, 0, 1.17, 5.17, 0, -4.58, 0}},
      {"aic", {0.4, 0.25, 1, 5, 0.23, -4.75, 0.2}}};
  for (const auto& [rule, expected] : recorded) {
    const ShapleyValues values =
        shapley_values(game, {.mode = ShapleyMode::kShap, .samples = 126, .l1_reg = rule},
                       CounterRandom(1, "recorded"), {})
            .outputs.front();
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(values.values[i], expected[i], 1e-9) << rule;
  }
}

TEST(L1Selection, AGameWithoutGainChoosesNobody) {
  const Game flat{.num_players = 30, .evaluate = [](CoalitionView, std::span<double> worths) {
                    std::fill(worths.begin(), worths.end(), 2.0);
                  }};
  const ShapleyResult result = shapley_values(flat, {.mode = ShapleyMode::kShap, .samples = 200},
                                              CounterRandom(1, "flat"), {});
  EXPECT_EQ(result.outputs.front().values, std::vector<double>(30));
}

TEST(L1Selection, RefusesOtherRules) {
  for (const char* rule : {"lasso", "num_features()", "num_features(0)", "num_features(x)", ""}) {
    EXPECT_EQ(message_of([&] { parse_l1_reg(rule); }),
              std::string("l1_reg '") + rule +
                  "' is not one of auto, none, aic, bic, num_features(K) with K from 1");
  }
}

TEST(L1Selection, NeedsEnoughCoalitionsToTellAVariance) {
  EXPECT_EQ(message_of([&] { with_l1(ShapleyMode::kShap, "aic", 12); }),
            "12 coalitions of 40 features are too few to choose features by aic or bic; at least "
            "22 samples are needed");
}

}  // namespace
}  // namespace glassrank
