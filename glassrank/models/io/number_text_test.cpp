#include "glassrank/models/io/number_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace glassrank {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

TEST(NumberText, RoundsThresholdsDownToFloat) {
  EXPECT_EQ(float_at_most(0.5), 0.5F);
  EXPECT_EQ(float_at_most(0.1), 0.099999994F);  // 0.1F is above 0.1
  EXPECT_EQ(float_at_most(-0.1), -0.1F);        // -0.1F is below -0.1
  EXPECT_EQ(float_at_most(1e-60), 0.0F);
  EXPECT_EQ(float_at_most(-1e-60), -1.4e-45F);
  EXPECT_EQ(float_at_most(1e300), kMax);
  EXPECT_EQ(float_at_most(-1e300), -kInfinity);
  EXPECT_EQ(float_at_most(HUGE_VAL), kInfinity);
  EXPECT_EQ(float_at_most(-HUGE_VAL), -kInfinity);
}

TEST(NumberText, KeepsEveryComparisonOfFloats) {
  EXPECT_TRUE(rc::check("x <= t", [](double t, float nearby) {
    const float at = float_at_most(t);
    for (const float x : {nearby, at, float_above(at), float_below(at), 0.0F, -kInfinity}) {
      RC_ASSERT((static_cast<double>(x) <= t) == (x <= at));
      RC_ASSERT((x <= at) == (x < float_above(at)) || at == kInfinity);
    }
  }));
}

TEST(NumberText, TakesWholeNumbersOnly) {
  double value = 0;
  EXPECT_TRUE(parse_number("1.0E-5", value));
  EXPECT_EQ(value, 1e-5);
  EXPECT_TRUE(parse_number("-Infinity", value));
  EXPECT_EQ(value, -HUGE_VAL);
  EXPECT_FALSE(parse_number("1 ", value));
  EXPECT_FALSE(parse_number("", value));
  std::uint32_t count = 0;
  EXPECT_FALSE(parse_number("-1", count));
  EXPECT_FALSE(parse_number("4294967296", count));
}

TEST(NumberText, GoesThroughLines) {
  LineReader lines("a\r\n\nb");
  EXPECT_EQ(lines.next(), "a");
  EXPECT_EQ(lines.next(), "");
  EXPECT_FALSE(lines.at_end());
  EXPECT_EQ(lines.peek(), "b");
  EXPECT_EQ(lines.next(), "b");
  EXPECT_EQ(lines.line_number(), 3U);
  EXPECT_TRUE(lines.at_end());
  EXPECT_EQ(lines.next(), "");
  EXPECT_EQ(split_words("  a\tb  c "), (std::vector<std::string_view>{"a", "b", "c"}));
}

}  // namespace
}  // namespace glassrank
