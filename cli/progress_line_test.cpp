#include "cli/progress_line.h"

#include <gtest/gtest.h>

namespace glassrank::cli {
namespace {

const ProgressState kRounds{.task = "training",
                            .unit = "rounds",
                            .done = 482,
                            .total = 3000,
                            .seconds = 0.766,
                            .detail = "valid .9138 (best .9157 @322)"};

TEST(ProgressLine, SaysRoundsMetricAndTimeLeft) {
  EXPECT_EQ(progress_line(kRounds, 80), "[482/3000] valid .9138 (best .9157 @322) 4s left");
}

TEST(ProgressLine, NamesOtherTasksAndTheirUnits) {
  EXPECT_EQ(progress_line({.task = "reading",
                           .unit = "bytes",
                           .done = 120'000'000,
                           .total = 900'000'000,
                           .seconds = 1,
                           .detail = ""},
                          0),
            "reading [120/900 MB] 6s left");
  EXPECT_EQ(progress_line({.task = "tuning", .unit = "runs", .done = 3, .detail = ""}, 0),
            "tuning [3 runs]");
}

TEST(ProgressLine, CutsTheDetailBeforeTheTime) {
  EXPECT_EQ(progress_line(kRounds, 30), "[482/3000] valid .9138 4s left");
  EXPECT_EQ(progress_line(kRounds, 12), "[482/3000] 4");
}

TEST(ProgressLine, LeavesABracketOutThatDoesNotFit) {
  EXPECT_EQ(progress_line(kRounds, 48), progress_line(kRounds, 80));
  for (const std::size_t width : {47U, 40U, 31U}) {
    EXPECT_EQ(progress_line(kRounds, width), "[482/3000] valid .9138 4s left") << width;
  }
}

TEST(ProgressLine, CountsCharactersNotBytes) {
  const ProgressState state{.task = "tuning", .unit = "runs", .done = 1, .detail = "ÄÖÜäöü"};
  EXPECT_EQ(progress_line(state, 19), "tuning [1 runs] ÄÖÜ");
}

TEST(Duration, IsInTheUnitThatReadsBest) {
  EXPECT_EQ(duration_text(0.4), "0s");
  EXPECT_EQ(duration_text(99.4), "99s");
  EXPECT_EQ(duration_text(99.6), "2min");
  EXPECT_EQ(duration_text(3 * 3600 + 5 * 60), "3h05");
}

}  // namespace
}  // namespace glassrank::cli
