#include "glassrank/math/cholesky.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;

// 4a + 2b = 8 and 2a + 3b = 7 give a = 5/4, b = 3/2.
TEST(Cholesky, SolvesAHandComputedExample) {
  const auto factor = Cholesky::of(Values{4, 2, 2, 3}, 2);
  ASSERT_TRUE(factor);
  Values x = {8, 7};
  factor->solve(x);
  EXPECT_DOUBLE_EQ(x[0], 1.25);
  EXPECT_DOUBLE_EQ(x[1], 1.5);
  // The inverse is (3 -2; -2 4) / 8.
  const Values inverse = factor->inverse();
  EXPECT_DOUBLE_EQ(inverse[0], 0.375);
  EXPECT_DOUBLE_EQ(inverse[1], -0.25);
  EXPECT_DOUBLE_EQ(inverse[2], -0.25);
  EXPECT_DOUBLE_EQ(inverse[3], 0.5);
}

TEST(Cholesky, InverseTimesMatrixIsTheIdentity) {
  RandomSequence random(CounterRandom(1, "cholesky"));
  for (const std::size_t n : {1, 2, 5, 40}) {
    Values root(n * n);
    for (double& value : root) value = random.normal();
    Values matrix(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) matrix[i * n + j] += root[k * n + i] * root[k * n + j];
        matrix[i * n + j] += i == j ? 0.5 : 0;
      }
    }
    const auto factor = Cholesky::of(matrix, n);
    ASSERT_TRUE(factor);
    const Values inverse = factor->inverse();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += matrix[i * n + k] * inverse[k * n + j];
        EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-10) << n << " " << i << " " << j;
      }
    }
  }
}

TEST(Cholesky, AppendedColumnsGiveTheSameBitsAsTheWholeMatrix) {
  RandomSequence random(CounterRandom(2, "cholesky"));
  constexpr std::size_t kSize = 30;
  Values root(kSize * kSize);
  for (double& value : root) value = random.normal();
  const auto entry = [&](std::size_t i, std::size_t j) {
    double sum = i == j ? 0.5 : 0;
    for (std::size_t k = 0; k < kSize; ++k) sum += root[k * kSize + i] * root[k * kSize + j];
    return sum;
  };
  auto grown = Cholesky::of(Values{entry(0, 0)}, 1);
  for (std::size_t n = 2; n <= kSize; ++n) {
    Values column;
    for (std::size_t i = 0; i < n; ++i) column.push_back(entry(i, n - 1));
    ASSERT_TRUE(grown->append(column));
    Values matrix;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix.push_back(entry(std::min(i, j), std::max(i, j)));
    }
    EXPECT_EQ(grown->inverse(), Cholesky::of(matrix, n)->inverse()) << n;
  }
}

TEST(Cholesky, RefusesAColumnThatSaysNothingNew) {
  auto factor = Cholesky::of(Values{4, 2, 2, 3}, 2);
  EXPECT_FALSE(factor->append(Values{8, 4, 16}));  // twice the first column
  EXPECT_EQ(factor->size(), 2U);
  Values x = {8, 7};
  factor->solve(x);
  EXPECT_DOUBLE_EQ(x[0], 1.25);
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  EXPECT_FALSE(Cholesky::of(Values{1, 1, 1, 1}, 2));
  EXPECT_FALSE(Cholesky::of(Values{1, 2, 2, 1}, 2));
  EXPECT_FALSE(Cholesky::of(Values{0}, 1));
}

}  // namespace
}  // namespace glassrank
