#include "glassrank/metrics/err.h"

#include <cmath>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/list_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

std::string message_for(const TestList& list, const Convention& convention) {
  return message_of([&] { value_of("err", list, convention); });
}

TEST(Err, IsTheExpectedReciprocalStoppingRank) {
  // max 4: grade 4 satisfies with 15/16, grade 1 with 1/16.
  // Order 1 4: 1/16 / 1 + (15/16)(15/16) / 2
  EXPECT_DOUBLE_EQ(value_of("err", in_order({1, 4})), 1.0 / 16 + 225.0 / 256 / 2);
  EXPECT_DOUBLE_EQ(value_of("err@1", in_order({1, 4})), 1.0 / 16);
  EXPECT_DOUBLE_EQ(value_of("err(max=1)", in_order({0, 1})), 0.5 / 2);
}

TEST(Err, TakesTheScaleFromTheQueryWhenMaxIsZero) {
  // Largest grade 2: 3/4 at rank 1.
  EXPECT_DOUBLE_EQ(value_of("err(max=0)@1", in_order({2, 1})), 0.75);
  EXPECT_DOUBLE_EQ(value_of("err@1", in_order({2, 1}), {.max_grade = 0}), 0.75);
}

TEST(Err, TakesGradesAsProbabilitiesWhenAsked) {
  EXPECT_DOUBLE_EQ(value_of("err", in_order({0.5, 1}), {.stop = StopProbability::kGrade}),
                   0.5 + 0.5 / 2);
}

TEST(Err, RefusesGradesThatGiveNoProbability) {
  EXPECT_EQ(message_for(in_order({5}), {}),
            "query q0: grade 5 is above the largest grade 4 of err and pfound; set max_grade, or "
            "max as in err(max=5)");
  EXPECT_EQ(message_for(in_order({2}), {.stop = StopProbability::kGrade}),
            "query q0: grade 2 is not a probability; stop = grade needs grades from 0 to 1");
}

TEST(Err, OfAnEmptyQueryIsZeroUnlessSkipped) {
  EXPECT_EQ(value_of("err", in_order({0, 0})), 0.0);
  EXPECT_TRUE(std::isnan(value_of("err", in_order({0, 0}), {.empty = {.skip = true}})));
}

TEST(Err, AveragesTies) {
  // Grades 4 and 0 tied: half of 15/16 at rank 1, half at rank 2.
  EXPECT_DOUBLE_EQ(value_of("err", {.scores = {1, 1}, .grades = {4, 0}}, {.ties = Ties::kAverage}),
                   15.0 / 16 * (1 + 0.5) / 2);
}

}  // namespace
}  // namespace glassrank
