#include "glassrank/math/matrix_product.h"

#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

std::vector<double> random_values(std::size_t count, std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "matrix product test"));
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

void add_by_definition(const MatrixProduct& p) {
  for (std::size_t r = 0; r < p.num_rows; ++r) {
    for (std::size_t c = 0; c < p.num_columns; ++c) {
      for (std::size_t k = 0; k < p.num_inner; ++k) {
        p.sum[r * p.sum_row + c] +=
            p.left[r * p.left_row + k * p.left_step] * p.right[k * p.right_row + c];
      }
    }
  }
}

// (1 2) times the rows (1 .. 8) and (10 .. 80), added to ones.
TEST_ON_EVERY_TARGET(MatrixProduct, OfAHandComputedExample) {
  const std::vector<double> left = {1, 2};
  std::vector<double> right(16);
  std::vector<double> sum(8, 1.0);
  for (std::size_t c = 0; c < 8; ++c) {
    right[c] = static_cast<double>(c + 1);
    right[8 + c] = static_cast<double>(10 * (c + 1));
  }
  add_product({.left = left.data(),
               .left_row = 2,
               .right = right.data(),
               .right_row = 8,
               .sum = sum.data(),
               .sum_row = 8,
               .num_rows = 1,
               .num_inner = 2,
               .num_columns = 8});
  EXPECT_EQ(sum, (std::vector<double>{22, 43, 64, 85, 106, 127, 148, 169}));
}

TEST_ON_EVERY_TARGET(MatrixProduct, IsThreePlainLoopsToTheBitEitherWayRound) {
  for (const std::size_t rows : {1, 3, 4, 9}) {
    for (const std::size_t inner : {0, 1, 7}) {
      for (const std::size_t columns : {8, 16, 24}) {
        const auto left = random_values(12 * 12, rows);
        const auto right = random_values(8 * 30, inner);
        for (const bool turned : {false, true}) {
          auto expected = random_values(10 * 26, columns);
          auto sum = expected;
          MatrixProduct product{.left = left.data(),
                                .left_row = turned ? std::size_t{1} : std::size_t{12},
                                .left_step = turned ? std::size_t{12} : std::size_t{1},
                                .right = right.data(),
                                .right_row = 30,
                                .sum = expected.data(),
                                .sum_row = 26,
                                .num_rows = rows,
                                .num_inner = inner,
                                .num_columns = columns};
          add_by_definition(product);
          product.sum = sum.data();
          add_product(product);
          EXPECT_EQ(sum, expected);
        }
      }
    }
  }
}

}  // namespace
}  // namespace glassrank
