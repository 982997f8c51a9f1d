#include <atomic>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/parallel.h"
#include "glassrank/models/scorer.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Rows of three values.
std::vector<double> scores_of(const Scorer& scorer, const std::vector<float>& values) {
  std::vector<double> scores(values.size() / 3);
  scorer.score({values.data(), scores.size(), 3}, scores, {});
  return scores;
}

const std::vector<float> kThreeRows = {1, 2, 9, 3, 4, 9, 5, 6, 9};

void sum_rows(MatrixView<const float> rows, std::span<double> scores) {
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    scores[r] = 0;
    for (const float value : rows.row(r)) scores[r] += value;
  }
}

TEST(FunctionScorer, SeesTheFeaturesItAskedForInBatches) {
  std::vector<std::size_t> sizes;
  const auto scorer = make_function_scorer(
      2,
      [&](MatrixView<const float> rows, std::span<double> scores) {
        EXPECT_EQ(rows.num_columns(), 2U);
        sizes.push_back(rows.num_rows());
        sum_rows(rows, scores);
      },
      2);
  EXPECT_EQ(scores_of(*scorer, kThreeRows), (std::vector<double>{3, 7, 11}));
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 1}));
}

TEST(FunctionScorer, IsCalledByOneThreadAtATime) {
  std::atomic<int> inside = 0;
  const auto scorer =
      make_function_scorer(3, [&](MatrixView<const float> rows, std::span<double> scores) {
        EXPECT_EQ(inside.fetch_add(1), 0);
        sum_rows(rows, scores);
        inside.fetch_sub(1);
      });
  const Context context{.threads = std::make_shared<const Threads>(4)};
  parallel_for(context, 200, 1,
               [&](std::size_t, std::size_t) { EXPECT_EQ(scores_of(*scorer, kThreeRows)[0], 12); });
}

TEST(FunctionScorer, RefusesScoresThatAreNotFinite) {
  const auto scorer = make_function_scorer(
      3,
      [](MatrixView<const float> rows, std::span<double> scores) {
        sum_rows(rows, scores);
        if (scores[0] == 20) scores[0] = std::numeric_limits<double>::infinity();
      },
      2);
  EXPECT_EQ(scores_of(*scorer, {1, 1, 1}), std::vector<double>{3});
  EXPECT_EQ(message_of([&] { scores_of(*scorer, kThreeRows); }),
            "rows 3 to 3: the function's score of row 1 of them is inf, not a finite number");
  EXPECT_EQ(message_of([] { make_function_scorer(1, {}, 0); }),
            "a batch must have at least one row");
}

TEST(FunctionScorer, StopsBetweenBatches) {
  const std::atomic<bool> stop = true;
  std::vector<double> scores(3);
  EXPECT_EQ(message_of([&] {
              make_function_scorer(3, sum_rows)
                  ->score({kThreeRows.data(), 3, 3}, scores, {.stop = &stop});
            }),
            "stopped at the user's request");
}

std::unique_ptr<const Scorer> command(std::string text, std::size_t batch_rows = 1000,
                                      double seconds = 60) {
  return make_command_scorer({.command = std::move(text),
                              .num_features = 3,
                              .batch_rows = batch_rows,
                              .seconds = seconds});
}

TEST(CommandScorer, ReadsValuesApartByTabsAndWritesAScoreALine) {
  EXPECT_EQ(scores_of(*command("awk -F'\\t' '{ print $1 + 10 * $2 + 100 * $3 }'"), kThreeRows),
            (std::vector<double>{921, 943, 965}));
  // As short as they can be without loss; missing values have no sign.
  const auto echo = command("cat >&2; exit 1");
  EXPECT_EQ(message_of([&] { scores_of(*echo, {0.1F, -kNan, 16777216.0F}); }),
            "rows 1 to 1: command 'cat >&2; exit 1': ended with status 1: 0.1\tnan\t16777216");
}

TEST(CommandScorer, IsStartedForEveryBatch) {
  // The number of rows that one start sees, as the score of each of them.
  const auto scorer = command("awk '{ n = NR } END { for (i = 0; i < n; ++i) print n }'", 2);
  EXPECT_EQ(scores_of(*scorer, kThreeRows), (std::vector<double>{2, 2, 1}));
}

TEST(CommandScorer, TakesMoreThanAPipeHolds) {
  constexpr std::size_t kRows = 100'000;
  std::vector<float> values(3 * kRows);
  for (std::size_t r = 0; r < kRows; ++r) values[3 * r] = static_cast<float>(r) / 7;
  const auto scorer = command("cut -f1", 1 << 20);
  const std::vector<double> scores = scores_of(*scorer, values);
  for (std::size_t r = 0; r < kRows; ++r) {
    ASSERT_EQ(static_cast<float>(scores[r]), values[3 * r]) << r;
  }
}

std::string failure(const std::string& text, double seconds = 60) {
  return message_of([&] { scores_of(*command(text, 1000, seconds), kThreeRows); });
}

TEST(CommandScorer, SaysHowTheCommandFailed) {
  EXPECT_EQ(failure("exit 3"), "rows 1 to 3: command 'exit 3': ended with status 3");
  EXPECT_EQ(failure("echo no model >&2; exit 2"),
            "rows 1 to 3: command 'echo no model >&2; exit 2': ended with status 2: no model");
  EXPECT_EQ(failure("kill -KILL $$"), "rows 1 to 3: command 'kill -KILL $$': ended by signal 9");
  EXPECT_EQ(failure("sleep 50", 0.2),
            "rows 1 to 3: command 'sleep 50': not done within 0.2 seconds");
  EXPECT_EQ(failure("yes").find("rows 1 to 3: command 'yes': "), 0U);
  EXPECT_NE(failure("yes").find(" bytes written and no end, for 3 rows"), std::string::npos);
}

TEST(CommandScorer, SaysWhichScoreIsWrong) {
  EXPECT_EQ(failure("printf '1\\n2\\n'"),
            "rows 1 to 3: command 'printf '1\\n2\\n'': 2 scores for 3 rows; there must be one per "
            "row");
  EXPECT_EQ(failure("seq 1 5"),
            "rows 1 to 3: command 'seq 1 5': 5 scores for 3 rows; there must be one per row");
  EXPECT_EQ(failure("echo 1; echo two; echo 3"),
            "rows 1 to 3: command 'echo 1; echo two; echo 3': line 2 of the output is 'two'; a "
            "score must be a finite number");
  EXPECT_EQ(failure("echo 1; echo inf; echo 3"),
            "rows 1 to 3: command 'echo 1; echo inf; echo 3': line 2 of the output is 'inf'; a "
            "score must be a finite number");
  EXPECT_EQ(failure("echo 1; echo; echo 3"),
            "rows 1 to 3: command 'echo 1; echo; echo 3': line 2 of the output is ''; a score must "
            "be a finite number");
  // Blanks around a number are none.
  EXPECT_EQ(scores_of(*command("printf ' 1\\r\\n2 \\n3'"), kThreeRows),
            (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace glassrank
