#include "glassrank/explain/surrogate/quartile_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

const float kMissing = std::numeric_limits<float>::quiet_NaN();

TEST(QuartileBins, CutAtThePercentilesOfNumpy) {
  const QuartileBins bins({8, 0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(std::vector<float>(bins.cuts().begin(), bins.cuts().end()),
            (std::vector<float>{2, 4, 6}));
  const QuartileBins between({0, 1, 2, 10});  // places 0.75, 1.5 and 2.25
  EXPECT_EQ(std::vector<float>(between.cuts().begin(), between.cuts().end()),
            (std::vector<float>{0.75, 1.5, 4}));
}

TEST(QuartileBins, AValueOnACutBelongsToTheLeft) {
  const QuartileBins bins({0, 1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(bins.num_bins(), 4U);
  EXPECT_EQ(bins.bin_of(-5), 0U);
  EXPECT_EQ(bins.bin_of(2), 0U);
  EXPECT_EQ(bins.bin_of(2.5), 1U);
  EXPECT_EQ(bins.bin_of(6), 2U);
  EXPECT_EQ(bins.bin_of(60), 3U);
  EXPECT_DOUBLE_EQ(bins.share(0), 3.0 / 9);
  EXPECT_DOUBLE_EQ(bins.share(3), 2.0 / 9);
}

TEST(QuartileBins, EqualCutsCollapse) {
  const QuartileBins mostly_zero({0, 0, 0, 0, 0, 0, 0, 5});
  EXPECT_EQ(mostly_zero.cuts().size(), 1U);
  EXPECT_EQ(mostly_zero.num_bins(), 2U);
  EXPECT_EQ(mostly_zero.bin_of(0), 0U);
  EXPECT_EQ(mostly_zero.bin_of(5), 1U);
  EXPECT_EQ(mostly_zero.draw_value(0, 0.7), 0);  // no width: its border
}

TEST(QuartileBins, OfAConstant) {
  const QuartileBins constant({3, 3, 3});
  EXPECT_EQ(constant.bin_of(3), 0U);
  EXPECT_EQ(constant.draw_value(0, 0.2), 3);
  EXPECT_EQ(constant.draw_value(1, 0.9), 3);
  EXPECT_EQ(constant.share(0), 1);
  EXPECT_EQ(constant.share(1), 0);
  EXPECT_EQ(constant.scale(), 1);
}

TEST(QuartileBins, MissingValuesAreABin) {
  const QuartileBins bins({1, kMissing, 2, kMissing});
  const std::size_t last = bins.num_bins() - 1;
  EXPECT_EQ(bins.bin_of(kMissing), last);
  EXPECT_EQ(bins.share(last), 0.5);
  EXPECT_TRUE(std::isnan(bins.draw_value(last, 0.5)));
  EXPECT_EQ(bins.mean(), 1.5);
  const QuartileBins whole({1, 2});
  EXPECT_EQ(whole.bin_of(kMissing), whole.num_bins());
  const QuartileBins only({kMissing});
  EXPECT_EQ(only.num_bins(), 1U);
  EXPECT_EQ(only.bin_of(kMissing), 0U);
}

TEST(QuartileBins, DrawnValuesStayInTheirBin) {
  RandomSequence random(CounterRandom(3, "bins"));
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(std::exp(random.normal())));
  const QuartileBins bins(values);
  for (std::size_t b = 0; b < 4; ++b) {
    double mean = 0;
    double own_mean = 0;
    double count = 0;
    for (const float value : values) {
      if (bins.bin_of(value) != b) continue;
      own_mean += static_cast<double>(value);
      ++count;
    }
    for (int i = 0; i < 2000; ++i) {
      const float value = bins.draw_value(b, random.uniform());
      mean += static_cast<double>(value) / 2000;
      EXPECT_GE(value, b == 0 ? *std::ranges::min_element(values) : bins.cuts()[b - 1]);
      EXPECT_LE(value, b == 3 ? *std::ranges::max_element(values) : bins.cuts()[b]);
    }
    // The tails that are cut off move the mean a little in the inner bins.
    EXPECT_NEAR(mean, own_mean / count, b < 3 ? 0.05 : 1.0);
  }
}

TEST(QuartileBins, AreDrawnByShareOrAlike) {
  const QuartileBins bins({0, 0, 0, 0, 0, 0, 0, 5});
  EXPECT_EQ(bins.draw_bin(0.8, false), 0U);
  EXPECT_EQ(bins.draw_bin(0.9, false), 1U);
  EXPECT_EQ(bins.draw_bin(0.4, true), 0U);
  EXPECT_EQ(bins.draw_bin(0.6, true), 1U);
}

}  // namespace
}  // namespace glassrank
