#include "glassrank/methods/rankgam/tower.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "testing/on_every_target.h"
#include "testing/tower_oracle.h"

namespace glassrank {
namespace {

using testing::TowerOracle;

RandomSequence random_of(std::uint64_t seed) {
  return RandomSequence(CounterRandom(seed, "tower test"));
}

std::vector<float> values(std::size_t n, std::uint64_t seed = 3) {
  std::vector<float> x;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(static_cast<float>(CounterRandom(seed, "values").normal(i) * 5 + 2));
  }
  return x;
}

// One unit a layer: parameters in the order of use.
Tower small_tower(double dropout, const std::vector<float>& parameters) {
  Tower tower({.first = 1, .second = 1, .dropout = dropout}, random_of(1));
  EXPECT_EQ(tower.parameters().size(), parameters.size());
  std::ranges::copy(parameters, tower.parameters().begin());
  return tower;
}

// What the tests below go through: tiles that are whole and that are not, rows that end in the
// middle of a vector, several chunks of 256 rows.
struct Case {
  TowerShape shape;
  std::size_t num_rows;
};
const Case kCases[] = {{{.first = 5, .second = 3, .dropout = 0.25}, 40},
                       {{.first = 1, .second = 1, .dropout = 0}, 7},
                       {{.first = 16, .second = 8, .dropout = 0.5}, 300},
                       {{.first = 9, .second = 17, .dropout = 0.1}, 259}};

// A tower that is not at its start, where gammas are 1 and betas 0.
Tower moved_tower(const TowerShape& shape) {
  Tower tower(shape, random_of(1));
  RandomSequence random = random_of(2);
  for (float& parameter : tower.parameters()) {
    parameter += static_cast<float>(0.3 * random.normal());
  }
  return tower;
}

TEST(Tower, IsItsDefinition) {
  for (const auto& [shape, num_rows] : kCases) {
    const Tower tower = moved_tower(shape);
    const CounterRandom dropout(1, "dropout");
    const std::vector<float> x = values(num_rows);
    TowerPass pass;
    std::vector<float> output(num_rows);
    tower.forward(x, dropout, pass, output);
    const std::vector<double> parameters(tower.parameters().begin(), tower.parameters().end());
    const std::vector<double> expected = TowerOracle(shape, parameters).forward(x, dropout);
    for (std::size_t i = 0; i < num_rows; ++i) EXPECT_NEAR(output[i], expected[i], 1e-5) << i;
  }
}

TEST(Tower, GradientsAreFiniteDifferencesOfTheDefinition) {
  for (const auto& [shape, num_rows] : kCases) {
    const Tower tower = moved_tower(shape);
    const CounterRandom dropout(1, "dropout");
    const std::vector<float> x = values(num_rows);
    const std::vector<float> direction = values(num_rows, 4);  // d loss / d output
    TowerPass pass;
    std::vector<float> output(num_rows);
    tower.forward(x, dropout, pass, output);
    std::vector<float> gradient(shape.num_parameters());
    tower.backward(direction, pass, gradient);

    std::vector<double> parameters(tower.parameters().begin(), tower.parameters().end());
    TowerOracle oracle(shape, parameters);
    const auto loss = [&] {
      const std::vector<double> outputs = oracle.forward(x, dropout);
      return std::inner_product(direction.begin(), direction.end(), outputs.begin(), 0.0);
    };
    std::size_t num_large = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double before = parameters[i];
      constexpr double kStep = 1e-6;
      parameters[i] = before + kStep;
      const double above = loss();
      parameters[i] = before - kStep;
      const double below = loss();
      parameters[i] = before;
      EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep),
                  1e-4 * (1 + std::abs(double{gradient[i]})))
          << "parameter " << i;
      num_large += std::abs(gradient[i]) > 0.01F ? 1 : 0;
    }
    EXPECT_GE(2 * num_large, gradient.size());
  }
}

// Everything a tower can be asked for.
std::vector<float> everything(const Case& of) {
  Tower tower = moved_tower(of.shape);
  std::vector<float> x = values(of.num_rows);
  TowerPass pass;
  std::vector<float> found(of.num_rows);
  tower.forward(x, CounterRandom(1, "dropout"), pass, found);
  std::vector<float> gradient(of.shape.num_parameters());
  tower.backward(values(of.num_rows, 4), pass, gradient);
  tower.remember(pass.statistics, 0.9);
  std::vector<float> scores(of.num_rows);
  tower.score(x, scores);
  found.insert(found.end(), gradient.begin(), gradient.end());
  found.insert(found.end(), scores.begin(), scores.end());
  return found;
}

TEST(Tower, IsTheSameBitsWithAnyInstructions) {
  for (const Case& of : kCases) {
    const std::vector<float> expected = everything(of);
    on_every_target([&] { EXPECT_EQ(everything(of), expected); });
  }
}

TEST(Tower, UsesItsMemoryAgain) {
  // A pass that has held more rows and another tower's shape gives what a new one gives.
  TowerPass used;
  for (const auto& [shape, num_rows] : kCases) {
    const Tower tower = moved_tower(shape);
    TowerPass fresh;
    std::vector<float> output(num_rows);
    std::vector<float> expected(num_rows);
    tower.forward(values(num_rows), CounterRandom(1, "dropout"), fresh, expected);
    tower.forward(values(num_rows), CounterRandom(1, "dropout"), used, output);
    EXPECT_EQ(output, expected);
    std::vector<float> gradient(shape.num_parameters());
    std::vector<float> expected_gradient(shape.num_parameters());
    tower.backward(values(num_rows, 4), fresh, expected_gradient);
    tower.backward(values(num_rows, 4), used, gradient);
    EXPECT_EQ(gradient, expected_gradient);
  }
}

TEST(Tower, IsTheSumOfUnitsWorkedOutByHand) {
  // One unit a layer, no dropout, values -1 and 1 (mean 0, variance 1). With e = sqrt(1.001):
  // normalised -1/e, 1/e; weight 1; variance 1/1.001, so divided by d = sqrt(1/1.001 + .001);
  // ReLU gives 0 and a = 1/(e d); times weight 1, mean a/2, variance a^2/4: normalised
  // -+ (a/2)/sqrt(a^2/4 + .001); ReLU, times 2.
  const Tower tower = small_tower(0, {1, 0, 1, 1, 0, 1, 1, 0, 2});
  TowerPass pass;
  std::vector<float> output(2);
  tower.forward(std::vector<float>{-1, 1}, CounterRandom(1, "dropout"), pass, output);
  const double a = 1 / (std::sqrt(1.001) * std::sqrt(1 / 1.001 + 0.001));
  EXPECT_NEAR(output[0], 0, 1e-6);
  EXPECT_NEAR(output[1], 2 * (a / 2) / std::sqrt(a * a / 4 + 0.001), 1e-6);
}

TEST(Tower, ScoresAsItTrainsWhenTheBatchIsAllItHasSeen) {
  // Without dropout and with the batch's own means, training and scoring are one function.
  TowerShape shape{.dropout = 0};
  Tower tower = moved_tower(shape);
  const std::vector<float> x = values(300);
  TowerPass pass;
  std::vector<float> output(x.size());
  for (int i = 0; i < 3; ++i) {
    tower.forward(x, CounterRandom(1, "dropout"), pass, output);
    tower.remember(pass.statistics, 0.999);
  }
  std::vector<float> scores(x.size());
  tower.score(x, scores);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(scores[i], output[i], 1e-5);
}

TEST(Tower, DropsTheShareOfUnitsAskedFor) {
  // Gammas 0 and betas 1: every unit is 1 but for dropout, so the second layer's is the output.
  const Tower tower = small_tower(0.25, {1, 0, 1, 0, 1, 1, 0, 1, 1});
  const std::vector<float> x = values(4000);
  TowerPass pass;
  std::vector<float> output(x.size());
  tower.forward(x, CounterRandom(1, "dropout"), pass, output);
  std::size_t dropped = 0;
  for (const float value : output) {
    dropped += value == 0 ? 1 : 0;
    EXPECT_TRUE(value == 0 || std::abs(value - 4.0F / 3) < 1e-6F);
  }
  EXPECT_NEAR(static_cast<double>(dropped) / static_cast<double>(x.size()), 0.25, 0.02);
}

TEST(Tower, TakesTheMeanOfBatchesWithoutABiasToTheStart) {
  Tower tower({.first = 1, .second = 1, .dropout = 0}, random_of(1));
  // A batch of mean 100: after it, 100 is the middle, whatever the momentum.
  TowerPass pass;
  std::vector<float> output(3);
  tower.forward(std::vector<float>{99, 100, 101}, CounterRandom(1, "d"), pass, output);
  tower.remember(pass.statistics, 0.999);
  std::vector<float> scores(3);
  tower.score(std::vector<float>{99, 100, 101}, scores);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(scores[i], output[i], 1e-5);
}

TEST(Tower, TellsLargeValuesApart) {
  // Values near 1e6, a float32's step of 1/16 apart: differences count, not the distance from 0.
  Tower tower({.dropout = 0}, random_of(3));
  std::vector<float> large;
  std::vector<float> small;
  for (int i = 0; i < 100; ++i) {
    large.push_back(999'000.0F + static_cast<float>(i) / 16);
    small.push_back(static_cast<float>(i) / 16);
  }
  TowerPass pass;
  std::vector<float> output(large.size());
  std::vector<float> expected(large.size());
  tower.forward(small, CounterRandom(1, "d"), pass, expected);
  tower.forward(large, CounterRandom(1, "d"), pass, output);
  tower.remember(pass.statistics, 0.999);
  std::vector<float> scores(large.size());
  tower.score(large, scores);
  for (std::size_t i = 0; i < large.size(); ++i) {
    EXPECT_NEAR(output[i], expected[i], 1e-5);
    EXPECT_NEAR(scores[i], expected[i], 1e-5);
  }
}

}  // namespace
}  // namespace glassrank
