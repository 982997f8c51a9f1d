#include "glassrank/methods/ebm/check_ebm.h"

#include <limits>

#include <gtest/gtest.h>

#include "testing/boosting_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(CheckEbmInput, WantsTwoToSplitUnlessNothingIsHeldOut) {
  const Dataset one = testing::make_data({.num_queries = 1, .num_features = 3});
  EbmParams params;
  EXPECT_EQ(
      message_of([&] { check_ebm_input(one, nullptr, params, Context{}); }),
      "the training data has 1 query; a bag needs two, one of them to hold out (or valid_share 0)");
  params.split = BagSplit::kRow;
  EXPECT_EQ(message_of([&] { check_ebm_input(one, nullptr, params, Context{}); }), "no error");
  params = {.bagging = {.bags = 8, .valid_share = 0, .stop_on = StopOn::kBag}};
  EXPECT_EQ(message_of([&] { check_ebm_input(one, nullptr, params, Context{}); }), "no error");
}

TEST(StageWarning, IsEmptyWhereAllIsWell) {
  EXPECT_EQ(stage_warning({.tables = {{1, 2}}, .start_loss = 1, .best_loss = 1}, "x", 9, 0.1), "");
  EXPECT_EQ(stage_warning({.tables = {{1, 2}}, .start_loss = kNone}, "x", 0, 0.1), "");
}

TEST(StageWarning, TellsOfLossesThatGotLostOrNeverWere) {
  EXPECT_EQ(
      stage_warning({.tables = {{1, 2}}, .num_rounds = 7, .start_loss = 1, .has_diverged = true},
                    "bag 1: curves", 9, 3),
      "bag 1: curves grew beyond all numbers in round 7; the best before stay. learning_rate "
      "3 is too large");
  EXPECT_EQ(stage_warning({.tables = {{1, 2}}, .start_loss = kNone}, "bag 1: curves", 9, 3),
            "bag 1: curves: the rows that should stop them have no loss, as when all of them weigh "
            "nothing; all rounds were done");
}

TEST(StageWarning, RefusesTablesThatAreNoNumbersOrWhoseScoresAreNone) {
  for (const double value : {kNone, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(message_of([&] {
                stage_warning({.tables = {{1, 2}, {value}}, .num_rounds = 7}, "bag 2: surfaces", 0,
                              3);
              }),
              "bag 2: surfaces grew beyond all numbers in 7 rounds; learning_rate 3 is too large");
  }
  EXPECT_EQ(message_of([&] {
              stage_warning({.tables = {{1}}, .num_rounds = 7, .has_diverged = true}, "x", 9, 3);
            }),
            "x grew beyond all numbers in 7 rounds; learning_rate 3 is too large");
}

}  // namespace
}  // namespace glassrank
