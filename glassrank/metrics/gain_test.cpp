#include "glassrank/metrics/gain.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

TEST(Gain, FollowsItsKind) {
  EXPECT_EQ(Gain{}(3), 7.0);  // 2^3 - 1
  EXPECT_EQ((Gain{GainKind::kLinear, {}}(3)), 3.0);
  EXPECT_EQ((Gain{GainKind::kTable, {0, 0.5, 2}}(2)), 2.0);
  EXPECT_DOUBLE_EQ(Gain{}(0.5), std::sqrt(2.0) - 1);
}

TEST(Gain, OfANegativeGradeIsThatOfZero) {
  EXPECT_EQ(Gain{}(-2), 0.0);
  EXPECT_EQ((Gain{GainKind::kLinear, {}}(-1)), 0.0);
  EXPECT_EQ((Gain{GainKind::kTable, {0.25, 1}}(-1)), 0.25);
}

TEST(Gain, RefusesGradesTheTableDoesNotHold) {
  const Gain gain{GainKind::kTable, {0, 1, 3}};
  for (const double grade : {3.0, 1.5}) {
    try {
      gain(grade);
      ADD_FAILURE() << "no error for " << grade;
    } catch (const Error& error) {
      EXPECT_EQ(error.message(),
                fmt::format("grade {} has no entry in the gain table of grades 0 to 2", grade));
    }
  }
}

TEST(Gain, RefusesGradesWhoseExponentialGainIsNotFinite) {
  EXPECT_EQ(Gain{}(1023), std::ldexp(1.0, 1023));  // the 1 is far below the last digit
  EXPECT_EQ((Gain{GainKind::kLinear, {}}(2000)), 2000.0);
  try {
    Gain{}(2000);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.message(),
              "grade 2000 is too large for the gain 2^grade - 1; choose gain = linear, or gain = "
              "table");
  }
}

TEST(Discount, IsOneOverLog2OfTheRank) {
  const auto table = discount_table(4);
  EXPECT_EQ(table[0], 1.0);                         // 1 / log2(2)
  EXPECT_DOUBLE_EQ(table[1], 0.63092975357145743);  // 1 / log2(3)
  EXPECT_EQ(table[2], 0.5);                         // 1 / log2(4)
  EXPECT_EQ(table[3], discount(3));
}

}  // namespace
}  // namespace glassrank
