#include "glassrank/boosting/histogram/quantise.h"

#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "testing/boosting_fixture.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

using testing::with_threads;

testing::Gradients random_gradients(std::size_t n) {
  const CounterRandom random(4, "quantise_test");
  testing::Gradients g;
  for (std::size_t i = 0; i < n; ++i) {
    const bool none = i % 10 == 0;
    g.gradient.push_back(none ? 0 : static_cast<float>(std::pow(random.normal(2 * i), 3)));
    g.hessian.push_back(none ? 0 : static_cast<float>(std::abs(random.normal(2 * i + 1))));
  }
  return g;
}

std::vector<std::uint32_t> all_rows(std::size_t n) {
  std::vector<std::uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

TEST_ON_EVERY_TARGET(Quantise, PacksAndUnpacks) {
  for (const int g : {-2047, -1, 0, 1, 2047}) {
    for (const int h : {0, 1, 4095}) {
      EXPECT_EQ(packed_gradient(pack(g, h)), g);
      EXPECT_EQ(packed_hessian(pack(g, h)), h);
    }
  }
}

TEST_ON_EVERY_TARGET(Quantise, EqualsTheDefinitionForAnyThreads) {
  const std::size_t n = 40'003;
  const testing::Gradients g = random_gradients(n);
  const TreeGradients view{g.gradient, g.hessian, 3};
  for (const int threads : {1, 2, 4}) {
    const Context context = with_threads(threads, 8);
    const Scales scales = choose_scales(view, all_rows(n), 1, context);
    std::vector<std::int32_t> packed(n);
    quantise(view, scales, packed, context);
    const std::uint32_t key = random_key(8, 3);
    for (std::uint32_t i = 0; i < n; ++i) {
      ASSERT_EQ(packed[i], quantise_row(g.gradient[i], g.hessian[i], scales, key, i));
    }
  }
}

// As if every row stood for 2^20 rows on as many machines.
class ManyMachines final : public Communicator {
 public:
  int size() const override { return 1 << 20; }
  int rank() const override { return 0; }
  void sum(std::span<std::int32_t> /*values*/) const override {}
  void sum(std::span<std::int64_t> values) const override {
    for (std::int64_t& value : values) value <<= 20;
  }
  void max(std::span<double> /*values*/) const override {}
  std::vector<Bytes> gather(std::span<const std::byte> own) const override {
    return {Bytes(own.begin(), own.end())};
  }
  void broadcast(Bytes& /*bytes*/, int /*root*/) const override {}
  void sum_scatter(std::span<const std::int32_t>, std::span<const std::size_t>,
                   std::span<std::int32_t>) const override {}
  void sum_scatter(std::span<const std::int64_t>, std::span<const std::size_t>,
                   std::span<std::int64_t>) const override {}
};

TEST_ON_EVERY_TARGET(Quantise, SumsOfBillionsOfRowsFit32Bits) {
  for (const std::size_t n : {std::size_t{1000}, std::size_t{1030}, std::size_t{4095}}) {
    const testing::Gradients g = random_gradients(n);
    const TreeGradients view{g.gradient, g.hessian, 3};
    Context context = with_threads(1);
    context.communicator = std::make_shared<ManyMachines>();
    for (const double share : {1.0, 0.9}) {
      const Scales scales = choose_scales(view, all_rows(n), share, context);
      double gradient = 0;
      double hessian = 0;
      for (std::size_t i = 0; i < n; ++i) {
        gradient += std::abs(g.gradient[i]) / scales.gradient;
        hessian += g.hessian[i] / scales.hessian;
      }
      EXPECT_LT(gradient * 0x1p20, 0x1p31 * 0.9901) << n;
      EXPECT_LT(hessian * 0x1p20, 0x1p31 * 0.9901) << n;
      if (n == 1000 && share == 1) {
        EXPECT_NEAR(gradient / static_cast<double>(n), 2, 1e-3);  // as it is for any fewer
      }
    }
  }
}

// A power of two changes no mantissa, so nothing else may change; 2^-140 leaves float32 few bits,
// 2^120 none above.
TEST_ON_EVERY_TARGET(Quantise, TheUnitOfGradientsDoesNotMatter) {
  const std::size_t n = 3'000;
  const testing::Gradients g = random_gradients(n);
  const auto packed_at = [&](float unit, double share) {
    testing::Gradients scaled = g;
    for (float& x : scaled.gradient) x *= unit;
    for (float& x : scaled.hessian) x *= unit;
    const TreeGradients view{scaled.gradient, scaled.hessian, 3};
    const Scales scales = choose_scales(view, all_rows(n), share, with_threads(2));
    std::vector<std::int32_t> packed(n);
    quantise(view, scales, packed, with_threads(2));
    return packed;
  };
  for (const double share : {1.0, 0.2, 0.001}) {
    const std::vector<std::int32_t> expected = packed_at(1, share);
    for (const float unit : {0x1p-115F, 0x1p-100F, 0x1p-60F, 0x1p60F, 0x1p100F, 0x1p120F}) {
      EXPECT_EQ(packed_at(unit, share), expected) << unit << " share " << share;
    }
    // Of the smallest numbers there are, only the expectation is kept.
    const std::vector<std::int32_t> tiny = packed_at(0x1p-140F, share);
    double sum = 0;
    double expected_sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += packed_hessian(tiny[i]);
      expected_sum += packed_hessian(expected[i]);
      ASSERT_LE(packed_hessian(tiny[i]), kLargestHessian);
      ASSERT_LE(std::abs(packed_gradient(tiny[i])), kLargestGradient);
    }
    EXPECT_NEAR(sum, expected_sum, 0.1 * expected_sum + 30);
  }
}

TEST_ON_EVERY_TARGET(Quantise, SumsAreUnbiased) {
  const std::size_t n = 100'000;
  const testing::Gradients g = random_gradients(n);
  for (const double share : {1.0, 0.3}) {
    const TreeGradients view{g.gradient, g.hessian, 0};
    const Scales scales = choose_scales(view, all_rows(n), share, with_threads(1));
    std::vector<std::int32_t> packed(n);
    quantise(view, scales, packed, with_threads(1));
    double sum = 0;
    double expected = 0;
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += packed_hessian(packed[i]) * static_cast<double>(scales.hessian);
      expected += g.hessian[i];
      size += std::abs(g.gradient[i]);
    }
    EXPECT_NEAR(sum / expected, 1, 0.01);
    EXPECT_GT(size, 0);
  }
}

TEST_ON_EVERY_TARGET(Quantise, GivesTheWantedShareOfActiveRows) {
  const std::size_t n = 100'000;
  const testing::Gradients g = random_gradients(n);
  for (const double share : {0.2, 0.33, 0.5}) {
    const TreeGradients view{g.gradient, g.hessian, 0};
    const Scales scales = choose_scales(view, all_rows(n), share, with_threads(1));
    std::vector<std::int32_t> packed(n);
    quantise(view, scales, packed, with_threads(1));
    auto rows = all_rows(n);
    std::vector<std::uint32_t> scratch(n);
    const std::size_t num_active = split_active(packed, rows, scratch, with_threads(2));
    EXPECT_NEAR(static_cast<double>(num_active) / static_cast<double>(n), share, 0.01);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(packed[rows[i]] != 0, i < num_active);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.begin() + num_active));
    EXPECT_TRUE(std::is_sorted(rows.begin() + num_active, rows.end()));
  }
}

TEST_ON_EVERY_TARGET(Quantise, SplitsSomeRowsToo) {
  const std::vector<std::int32_t> packed = {0, 5, 0, 7, 9};
  std::vector<std::uint32_t> rows = {0, 1, 2, 4};
  std::vector<std::uint32_t> scratch(5);
  EXPECT_EQ(split_active(packed, rows, scratch, with_threads(1)), 2U);
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{1, 4, 0, 2}));
}

TEST_ON_EVERY_TARGET(Quantise, WithoutGradientsEveryRowIsIdle) {
  const std::vector<float> zeros(100);
  const TreeGradients view{zeros, zeros, 0};
  const Scales scales = choose_scales(view, all_rows(100), 0.3, with_threads(1));
  std::vector<std::int32_t> packed(100, 1);
  quantise(view, scales, packed, with_threads(1));
  for (const std::int32_t p : packed) EXPECT_EQ(p, 0);
}

}  // namespace
}  // namespace glassrank
