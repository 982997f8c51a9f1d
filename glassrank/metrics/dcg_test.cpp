#include "glassrank/metrics/dcg.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/base/error.h"
#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Dcg, SumsDiscountedGains) {
  // grades 3 0 2: 7 / log2(2) + 0 / log2(3) + 3 / log2(4) = 7 + 0 + 1.5
  EXPECT_EQ(value_of("dcg", in_order({3, 0, 2})), 8.5);
  EXPECT_EQ(value_of("dcg@2", in_order({3, 0, 2})), 7.0);
  EXPECT_EQ(value_of("dcg", in_order({3, 0, 2}), {.gain = GainKind::kLinear}), 3 + 2 * 0.5);
  EXPECT_EQ(
      value_of("dcg", in_order({3, 0, 2}), {.gain = GainKind::kTable, .gain_table = {1, 1, 4, 10}}),
      10 + 1 / std::log2(3.0) + 4 * 0.5);
}

TEST(Dcg, OfAnEmptyQueryIsZeroUnlessSkipped) {
  EXPECT_EQ(value_of("dcg", in_order({0, 0})), 0.0);
  EXPECT_TRUE(std::isnan(value_of("dcg", in_order({0, 0}), {.empty = {.skip = true}})));
}

TEST(Dcg, AveragesTies) {
  // Grades 1 and 0 share ranks 1 and 2: mean gain 1/2 times (1 + 1/log2(3)).
  const TestList list{.scores = {5, 5}, .grades = {1, 0}};
  EXPECT_DOUBLE_EQ(value_of("dcg", list, {.ties = Ties::kAverage}), 0.5 * (1 + 1 / std::log2(3.0)));
  // The cutoff lies within the run: only rank 1 counts.
  EXPECT_DOUBLE_EQ(value_of("dcg@1", list, {.ties = Ties::kAverage}), 0.5);
}

TEST(IdealDcg, IsTheSameByCountingAndBySorting) {
  EXPECT_TRUE(rc::check("counted ideal == sorted ideal, to the bit", [] {
    const bool whole = *rc::gen::arbitrary<bool>();
    const auto grade = rc::gen::map(rc::gen::inRange(0, 80), [whole](int value) {
      return static_cast<float>(whole ? value / 2 : value) / (whole ? 1.0F : 16.0F);
    });
    const auto listed = *rc::gen::container<std::vector<float>>(grade);
    const auto missed = *rc::gen::container<std::vector<float>>(grade);
    const Dcg dcg({*rc::gen::element(GainKind::kExponential, GainKind::kLinear), {}},
                  *rc::gen::inRange<std::size_t>(1, 30));
    RC_ASSERT(dcg.ideal(listed, missed) == dcg.ideal_by_sorting(listed, missed));
  }));
}

TEST(IdealDcg, RefusesGainsWhoseSumIsNotFinite) {
  // 2^1023 (1 + 1/log2(3) + 1/log2(4)) = 2.13 * 2^1023 is more than any double, just below 2^1024.
  const Dcg dcg({GainKind::kExponential, {}}, kNoCutoff);
  EXPECT_EQ(dcg.ideal(std::vector<float>{1023}), std::ldexp(1.0, 1023));
  try {
    dcg.ideal(std::vector<float>{1023, 1023, 1023});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_STREQ(error.what(),
                 "the gains add up to more than a number can hold; choose gain = linear, or gain = "
                 "table with smaller gains");
  }
}

TEST(IdealDcg, FollowsGainsThatDoNotAscend) {
  // Table 0, 5, 1: grade 1 is worth more than grade 2, so the best order of {2, 1} is 1, 2.
  const Dcg dcg({GainKind::kTable, {0, 5, 1}}, kNoCutoff);
  EXPECT_DOUBLE_EQ(dcg.ideal(std::vector<float>{2, 1}), 5 + 1 / std::log2(3.0));
}

}  // namespace
}  // namespace glassrank
