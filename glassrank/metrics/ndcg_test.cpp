#include "glassrank/metrics/ndcg.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "glassrank/base/error.h"
#include "testing/list_fixture.h"

namespace glassrank {
namespace {

TEST(Ndcg, DividesByTheIdeal) {
  // Order 0 2 1: DCG = 3/log2(3) + 1/log2(4); ideal 2 1 0: 3 + 1/log2(3).
  const double dcg = 3 / std::log2(3.0) + 1 / 2.0;
  EXPECT_DOUBLE_EQ(value_of("ndcg", in_order({0, 2, 1})), dcg / (3 + 1 / std::log2(3.0)));
  // At 2: DCG = 3/log2(3); the ideal is cut too.
  EXPECT_DOUBLE_EQ(value_of("ndcg@2", in_order({0, 2, 1})),
                   3 / std::log2(3.0) / (3 + 1 / std::log2(3.0)));
}

TEST(Ndcg, IdealCountsMissedDocuments) {
  // Listed 1, missed 2: DCG = 1, ideal = 3 + 1/log2(3).
  EXPECT_DOUBLE_EQ(value_of("ndcg", in_order({1}, {2})), 1 / (3 + 1 / std::log2(3.0)));
  EXPECT_DOUBLE_EQ(value_of("ndcg@1", in_order({1}, {2})), 1.0 / 3);
}

TEST(Ndcg, OfAnEmptyQueryIsWhatTheConventionSays) {
  EXPECT_EQ(value_of("ndcg", in_order({0, 0})), 1.0);
  EXPECT_EQ(value_of("ndcg", in_order({0, 0}), {.empty = {.value = 0.0}}), 0.0);
  EXPECT_EQ(value_of("ndcg", in_order({0, -1}), {.empty = {.value = 0.25}}), 0.25);
  EXPECT_TRUE(std::isnan(value_of("ndcg", in_order({0}), {.empty = {.skip = true}})));
  EXPECT_EQ(value_of("ndcg", in_order({})), 1.0);        // no documents at all
  EXPECT_EQ(value_of("ndcg", in_order({0}, {1})), 0.0);  // relevant, but not found
}

TEST(Ndcg, IsOneForTheIdealOrderAndBetweenZeroAndOneOtherwise) {
  EXPECT_TRUE(rc::check("0 <= ndcg <= ndcg(ideal) = 1", [](std::vector<std::uint8_t> raw) {
    std::vector<float> grades;
    for (const auto value : raw) grades.push_back(static_cast<float>(value % 5));
    const std::string metric = fmt::format("ndcg@{}", *rc::gen::inRange(1, 40));
    const double value = value_of(metric, in_order(grades));
    RC_ASSERT(value >= 0);
    RC_ASSERT(value <= 1 + 1e-12);
    std::ranges::sort(grades, std::greater{});
    RC_ASSERT(value_of(metric, in_order(grades)) == 1.0);
  }));
}

TEST(Ndcg, DoesNotDependOnInputOrderWithoutTies) {
  EXPECT_TRUE(rc::check("reversing the input changes nothing", [](std::vector<std::uint8_t> raw) {
    std::vector<float> grades;
    for (const auto value : raw) grades.push_back(static_cast<float>(value % 5));
    TestList list = in_order(grades);
    const double value = value_of("ndcg@10", list);
    std::ranges::reverse(list.scores);
    std::ranges::reverse(list.grades);
    RC_ASSERT(value_of("ndcg@10", list) == value);
  }));
}

TEST(Ndcg, NamesTheQueryOfAGradeItCannotUse) {
  try {
    value_of("ndcg", in_order({5}), {.gain = GainKind::kTable, .gain_table = {0, 1}});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "query q0: grade 5 has no entry in the gain table of grades 0 to 1");
  }
}

}  // namespace
}  // namespace glassrank
