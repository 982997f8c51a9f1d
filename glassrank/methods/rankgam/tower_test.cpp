#include "glassrank/methods/rankgam/tower.h"

#include <cmath>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

RandomSequence random_of(std::uint64_t seed) {
  return RandomSequence(CounterRandom(seed, "tower test"));
}

std::vector<double> values(std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(CounterRandom(3, "values").normal(i) * 5 + 2);
  return x;
}

TEST(Tower, GradientsAreThoseOfFiniteDifferences) {
  const TowerShape shape{.first = 5, .second = 3, .dropout = 0.25};
  Tower<double> tower(shape, random_of(1));
  const CounterRandom dropout(1, "dropout");
  const std::vector<double> x = values(40);
  const std::vector<double> direction = values(40);  // d loss / d output
  TowerPass<double> pass;
  std::vector<double> output(x.size());
  const auto loss = [&] {
    tower.forward(x, dropout, pass, output);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += direction[i] * output[i];
    return sum;
  };
  loss();
  std::vector<double> gradient(shape.num_parameters());
  tower.backward(direction, pass, gradient);
  ASSERT_EQ(tower.parameters().size(), gradient.size());
  std::size_t num_large = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    double& parameter = tower.parameters()[i];
    const double before = parameter;
    constexpr double kStep = 1e-6;
    parameter = before + kStep;
    const double above = loss();
    parameter = before - kStep;
    const double below = loss();
    parameter = before;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 1e-4 * (1 + std::abs(gradient[i])))
        << "parameter " << i;
    num_large += std::abs(gradient[i]) > 0.01 ? 1 : 0;
  }
  EXPECT_GT(num_large, gradient.size() / 2);
}

TEST(Tower, IsTheSumOfUnitsWorkedOutByHand) {
  // One unit a layer, no dropout, values -1 and 1 (mean 0, variance 1). With e = sqrt(1.001):
  // normalised -1/e, 1/e; weight 1; variance 1/1.001, so divided by d = sqrt(1/1.001 + .001);
  // ReLU gives 0 and a = 1/(e d); times weight 1, mean a/2, variance a^2/4: normalised
  // -+ (a/2)/sqrt(a^2/4 + .001); ReLU, times 2.
  Tower<double> tower({.first = 1, .second = 1, .dropout = 0}, random_of(1));
  const std::vector<double> parameters = {1, 0, 1, 1, 0, 1, 1, 0, 2};
  ASSERT_EQ(tower.parameters().size(), parameters.size());
  std::ranges::copy(parameters, tower.parameters().begin());
  TowerPass<double> pass;
  std::vector<double> output(2);
  tower.forward(std::vector<double>{-1, 1}, CounterRandom(1, "dropout"), pass, output);
  const double a = 1 / (std::sqrt(1.001) * std::sqrt(1 / 1.001 + 0.001));
  EXPECT_NEAR(output[0], 0, 1e-12);
  EXPECT_NEAR(output[1], 2 * (a / 2) / std::sqrt(a * a / 4 + 0.001), 1e-12);
}

TEST(Tower, ScoresAsItTrainsWhenTheBatchIsAllItHasSeen) {
  // Without dropout and with the batch's own means, training and scoring are one function.
  Tower<double> tower({.dropout = 0}, random_of(2));
  const std::vector<double> x = values(200);
  TowerPass<double> pass;
  std::vector<double> output(x.size());
  for (int i = 0; i < 3; ++i) {
    tower.forward(x, CounterRandom(1, "dropout"), pass, output);
    tower.remember(pass.statistics, 0.999);
  }
  std::vector<float> scores(x.size());
  tower.score(std::vector<float>(x.begin(), x.end()), scores);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(scores[i], output[i], 1e-4);
}

TEST(Tower, DropsTheShareOfUnitsAskedFor) {
  Tower<float> tower({.dropout = 0.25}, random_of(2));
  const std::vector<double> x = values(2000);
  TowerPass<float> pass;
  std::vector<float> output(x.size());
  tower.forward(std::vector<float>(x.begin(), x.end()), CounterRandom(1, "dropout"), pass, output);
  std::size_t dropped = 0;
  std::size_t active = 0;
  for (Eigen::Index u = 0; u < pass.first.normal.rows(); ++u) {
    for (Eigen::Index i = 0; i < pass.first.normal.cols(); ++i) {
      if (pass.first.normal(u, i) <= 0) continue;  // beta 0, gamma 1: ReLU is 0
      ++active;
      const float factor = pass.first.factor(u, i);
      dropped += factor == 0 ? 1 : 0;
      EXPECT_TRUE(factor == 0 || std::abs(factor - 4.0F / 3) < 1e-6F);
    }
  }
  EXPECT_NEAR(static_cast<double>(dropped) / static_cast<double>(active), 0.25, 0.01);
}

TEST(Tower, TakesTheMeanOfBatchesWithoutABiasToTheStart) {
  Tower<double> tower({.first = 1, .second = 1, .dropout = 0}, random_of(1));
  // A batch of mean 100: after it, 100 is the middle, whatever the momentum.
  TowerPass<double> pass;
  std::vector<double> output(3);
  tower.forward(std::vector<double>{99, 100, 101}, CounterRandom(1, "d"), pass, output);
  tower.remember(pass.statistics, 0.999);
  std::vector<float> scores(3);
  tower.score(std::vector<float>{99, 100, 101}, scores);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(scores[i], output[i], 1e-4);
}

}  // namespace
}  // namespace glassrank
