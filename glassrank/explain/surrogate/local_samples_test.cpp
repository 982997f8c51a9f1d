#include "glassrank/explain/surrogate/local_samples.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "testing/explained_rows.h"

namespace glassrank {
namespace {

class LocalSamplesTest : public ::testing::Test {
 protected:
  LocalSamples draw(const LocalSampling& sampling, const Context& context = {}) const {
    return draw_local_samples(
        {.document = data_.row(0), .players = players_, .quartiles = quartiles_, .mask = mask_},
        sampling, CounterRandom(1, "samples"), context);
  }

  Dataset data_ = normal_query(200, 6, 1);
  std::vector<std::uint32_t> players_ = {0, 2, 3, 5};
  std::vector<QuartileBins> quartiles_ = quartile_bins(data_.features(), {});
  std::vector<float> mask_ = {10, 11, 12, 13, 14, 15};
};

TEST_F(LocalSamplesTest, TheFirstIsTheDocument) {
  for (const LocalSampler sampler : {LocalSampler::kQuartile, LocalSampler::kMask}) {
    const LocalSamples samples = draw({.num_samples = 20, .sampler = sampler});
    const auto row = samples.rows.view().row(0);
    EXPECT_TRUE(std::equal(row.begin(), row.end(), data_.row(0).begin()));
    EXPECT_EQ(samples.weights[0], 1);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(samples.inputs[i], 1);
  }
}

TEST_F(LocalSamplesTest, BinaryInputsSayWhetherTheQuartileIsTheOwnOne) {
  const LocalSamples samples = draw({.num_samples = 300});
  const auto rows = samples.rows.view();
  double ones = 0;
  for (std::size_t s = 1; s < 300; ++s) {
    double zeros = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t f = players_[i];
      const bool is_own = quartiles_[f].bin_of(rows(s, f)) == quartiles_[f].bin_of(data_.row(0)[f]);
      EXPECT_EQ(samples.input_view()(s, i), is_own ? 1 : 0);
      zeros += is_own ? 0 : 1;
      ones += is_own ? 1 : 0;
    }
    EXPECT_DOUBLE_EQ(samples.weights[s], std::exp(-zeros / (0.75 * 0.75 * 4)));
    EXPECT_EQ(rows(s, 1), data_.row(0)[1]);  // does not play
  }
  EXPECT_NEAR(ones / (4 * 299), 0.25, 0.05);
}

TEST_F(LocalSamplesTest, MaskedFeaturesTakeTheMasksValues) {
  const LocalSamples samples =
      draw({.num_samples = 400, .sampler = LocalSampler::kMask, .distance = LocalScale::kScaled});
  std::vector<int> sizes(5);
  for (std::size_t s = 1; s < 400; ++s) {
    std::size_t masked = 0;
    double square = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t f = players_[i];
      const bool is_masked = samples.input_view()(s, i) == 0;
      EXPECT_EQ(samples.rows.view()(s, f), is_masked ? mask_[f] : data_.row(0)[f]);
      masked += is_masked ? 1 : 0;
      const double away = (static_cast<double>(mask_[f]) - static_cast<double>(data_.row(0)[f])) /
                          quartiles_[f].scale();
      square += is_masked ? away * away : 0;
    }
    ++sizes[masked];
    EXPECT_NEAR(samples.weights[s], std::exp(-square / (0.75 * 0.75 * 4)), 1e-14);
  }
  EXPECT_EQ(sizes[0], 0);
  for (std::size_t size = 1; size <= 4; ++size) EXPECT_NEAR(sizes[size], 100, 40) << size;
}

TEST_F(LocalSamplesTest, ScaledInputsAreDistancesFromTheMean) {
  const LocalSamples samples = draw({.num_samples = 10, .inputs = LocalScale::kScaled});
  for (std::size_t s = 0; s < 10; ++s) {
    for (std::size_t i = 0; i < 4; ++i) {
      const QuartileBins& bins = quartiles_[players_[i]];
      EXPECT_DOUBLE_EQ(
          samples.input_view()(s, i),
          (static_cast<double>(samples.rows.view()(s, players_[i])) - bins.mean()) / bins.scale());
    }
  }
}

TEST_F(LocalSamplesTest, HaveTheSameBytesForAnyThreads) {
  for (const LocalSampler sampler : {LocalSampler::kQuartile, LocalSampler::kMask}) {
    const auto with = [&](int threads) {
      return draw({.num_samples = 500, .sampler = sampler},
                  {.threads = std::make_shared<const Threads>(threads)});
    };
    const LocalSamples one = with(1);
    const LocalSamples four = with(4);
    EXPECT_EQ(one.rows.values, four.rows.values);
    EXPECT_EQ(one.inputs, four.inputs);
    EXPECT_EQ(one.weights, four.weights);
  }
}

}  // namespace
}  // namespace glassrank
