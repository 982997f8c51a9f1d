#include "glassrank/math/gram.h"

#include <memory>

#include <gtest/gtest.h>

#include "testing/on_every_target.h"
#include "testing/random_samples.h"

namespace glassrank {
namespace {

std::vector<double> gram_by_definition(const LinearSample& sample) {
  const std::size_t size = sample.num_columns();
  std::vector<double> gram(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i; j < size; ++j) {
      double sum = 0;
      for (std::size_t r = 0; r < sample.num_rows(); ++r) {
        sum += sample.weights[r] * sample.inputs(r, i) * sample.inputs(r, j);
      }
      gram[i * size + j] = gram[j * size + i] = sum;
    }
  }
  return gram;
}

TEST(Gram, IsTheDefinitionToTheBitOnEveryTargetAndAnyThreads) {
  for (const std::size_t columns : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 30}) {
    const RandomSample sample(columns == 7 ? 700 : 40, columns, columns);
    const std::vector<double> expected = gram_by_definition(sample.view());
    on_every_target([&] {
      for (const int threads : {1, 2, 4}) {
        const Context context{.threads = std::make_shared<const Threads>(threads)};
        EXPECT_EQ(weighted_gram(sample.view().inputs, sample.weights, context), expected);
      }
    });
  }
}

// Rows (1 2) and (3 4) with weights 1 and 10, targets 5 and 6.
TEST(Gram, OfAHandComputedExample) {
  const std::vector<double> rows = {1, 2, 3, 4};
  const std::vector<double> weights = {1, 10};
  const std::vector<double> targets = {5, 6};
  const MatrixView<const double> view(rows.data(), 2, 2);
  EXPECT_EQ(weighted_gram(view, weights, {}), (std::vector<double>{91, 122, 122, 164}));
  EXPECT_EQ(weighted_moments(view, weights, targets), (std::vector<double>{185, 250}));
}

}  // namespace
}  // namespace glassrank
