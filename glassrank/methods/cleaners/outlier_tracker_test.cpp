#include "glassrank/methods/cleaners/outlier_tracker.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testing/boosting_fixture.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using testing::with_threads;

// Queries of the given sizes, one feature, grades from the list.
BinnedDataset data_of(const std::vector<std::size_t>& sizes, const std::vector<float>& grades) {
  DatasetParts parts;
  parts.features = Buffer<float>(grades.size());
  std::fill_n(parts.features.data(), grades.size(), 0.0F);
  parts.grades = grades;
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < sizes.size(); ++q) ids.push_back(std::to_string(q));
  parts.queries = QueryGroups(ids, sizes);
  parts.schema = Schema::of_features({"f"});
  return bin_dataset(Dataset(std::move(parts)), {}, with_threads(1));
}

// The slow way: every round's outliers, as a list of flags.
std::vector<bool> flags_of(const BinnedDataset& data, std::span<const double> scores,
                           const OutlierRule& rule) {
  std::vector<bool> flags(data.num_rows());
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    for (const std::uint32_t slot : find_outliers(data.grades().subspan(rows.begin, rows.size()),
                                                  scores.subspan(rows.begin, rows.size()), rule)) {
      flags[rows.begin + slot] = true;
    }
  }
  return flags;
}

struct Case {
  BinnedDataset data;
  OutlierTracker::Setup setup;
  std::vector<std::vector<double>> rounds;
};

Case random_case() {
  std::vector<std::size_t> sizes;
  std::vector<float> grades;
  for (int q = *rc::gen::inRange(1, 6); q > 0; --q) {
    sizes.push_back(*rc::gen::inRange<std::size_t>(1, 40));
    for (std::size_t i = 0; i < sizes.back(); ++i) {
      // Tenths: as float32 and as double they are not the same numbers.
      grades.push_back(static_cast<float>(0.1 * *rc::gen::inRange(0, 3)));
    }
  }
  OutlierTracker::Setup setup;
  setup.rule.definition =
      *rc::gen::elementOf(std::vector{OutlierDefinition::kPaper, OutlierDefinition::kReleased});
  setup.rule.cutoff = *rc::gen::inRange<std::size_t>(1, 12);
  setup.rule.negative_grade = 0.1 * *rc::gen::inRange(0, 2);
  setup.count_from = *rc::gen::inRange<std::size_t>(1, 4);
  setup.snapshots = {2, 5};
  setup.snapshot_start = *rc::gen::inRange<std::size_t>(1, 3);
  std::vector<double> scores(grades.size());
  std::vector<std::vector<double>> rounds;
  for (int round = *rc::gen::inRange(5, 9); round > 0; --round) {
    for (double& score : scores) score += *rc::gen::inRange(-2, 3);  // ties, ups and downs
    rounds.push_back(scores);
  }
  return {data_of(sizes, grades), setup, rounds};
}

// What the tracker must answer, from the flags of every round.
void check(const OutlierTracker& tracker, const Case& c,
           const std::vector<std::vector<bool>>& flags) {
  const std::size_t num_rounds = flags.size();
  RC_ASSERT(tracker.num_rounds() == num_rounds);
  std::vector<std::vector<std::uint32_t>> snapshots(c.setup.snapshots.size());
  for (std::size_t row = 0; row < c.data.num_rows(); ++row) {
    std::size_t last_right = 0;
    std::size_t count = 0;
    for (std::size_t round = 1; round <= num_rounds; ++round) {
      if (!flags[round - 1][row]) last_right = round;
      if (flags[round - 1][row] && round >= c.setup.count_from) ++count;
      for (std::size_t s = 0; s < snapshots.size(); ++s) {
        if (round == c.setup.snapshots[s] && last_right < c.setup.snapshot_start) {
          snapshots[s].push_back(static_cast<std::uint32_t>(row));
        }
      }
    }
    RC_ASSERT(tracker.last_round_right(row) == last_right);
    RC_ASSERT(tracker.num_outlier_rounds(row) == count);
    for (std::size_t start = 1; start <= num_rounds; ++start) {
      RC_ASSERT(tracker.is_consistent(row, start) == (last_right < start));
    }
  }
  for (std::size_t s = 0; s < snapshots.size(); ++s) {
    RC_ASSERT(tracker.snapshot(s) == snapshots[s]);
  }
}

RC_GTEST_PROP(OutlierTracker, RemembersWhatEveryRoundsListsSay, ()) {
  const Case c = random_case();
  std::vector<std::vector<bool>> flags;
  for (const auto& scores : c.rounds) flags.push_back(flags_of(c.data, scores, c.setup.rule));
  for (const int threads : {1, 2, 4}) {
    const Context context = with_threads(threads);
    OutlierTracker tracker(c.data, c.setup, context);
    for (const auto& scores : c.rounds) tracker.add_round(scores);
    check(tracker, c, flags);
  }
}

RC_GTEST_PROP(OutlierTracker, RepeatsTheLastRoundWhenNoSplitIsLeft, ()) {
  Case c = random_case();
  const std::size_t num_rounds = c.rounds.size();
  c.rounds.resize(*rc::gen::inRange<std::size_t>(1, num_rounds + 1));
  const Context context = with_threads(1);
  OutlierTracker tracker(c.data, c.setup, context);
  std::vector<std::vector<bool>> flags;
  for (const auto& scores : c.rounds) {
    tracker.add_round(scores);
    flags.push_back(flags_of(c.data, scores, c.setup.rule));
  }
  tracker.repeat_until(num_rounds);
  flags.resize(num_rounds, flags.back());
  check(tracker, c, flags);
}

TEST(OutlierTracker, WindowsAndSharesOfOneList) {
  // Cutoff 1, documents a (relevant) and b (not). b leads in rounds 1, 3 and 4.
  const BinnedDataset data = data_of({2}, {1, 0});
  const Context context = with_threads(1);
  OutlierTracker tracker(data, {.rule = {.cutoff = 1}, .count_from = 2}, context);
  tracker.add_round(std::vector<double>{0, 1});
  tracker.add_round(std::vector<double>{2, 1});
  tracker.add_round(std::vector<double>{2, 3});
  tracker.add_round(std::vector<double>{2, 3});
  for (const std::size_t row : {0U, 1U}) {
    EXPECT_EQ(tracker.last_round_right(row), 2U);
    EXPECT_TRUE(tracker.is_consistent(row, 3));
    EXPECT_FALSE(tracker.is_consistent(row, 2));
    EXPECT_FALSE(tracker.is_consistent(row, 5));  // there is no round 5
    EXPECT_EQ(tracker.num_outlier_rounds(row), 2U);
    EXPECT_DOUBLE_EQ(tracker.share(row), 2.0 / 3.0);  // of rounds 2, 3 and 4
  }
}

TEST(OutlierTracker, KeepsAtMostEightBytesADocument) {
  const Context context = with_threads(1);
  for (const std::size_t size : {8U, 16U, 40U, 100U}) {
    const BinnedDataset data = data_of({size, size}, std::vector<float>(2 * size, 1));
    for (const std::size_t cutoff : {1U, 4U, 5U, 10U, 20U}) {
      const OutlierTracker tracker(data, {.rule = {.cutoff = cutoff}}, context);
      EXPECT_LE(tracker.num_bytes(), 8 * data.num_rows()) << size << " " << cutoff;
    }
  }
}

TEST(OutlierTracker, NeedsACutoff) {
  const BinnedDataset data = data_of({2}, {1, 0});
  const Context context = with_threads(1);
  EXPECT_EQ(message_of([&] { OutlierTracker(data, {.rule = {.cutoff = 0}}, context); }),
            "outliers need a cutoff of at least 1");
}

TEST(OutlierTracker, FollowsSoManyRoundsAndNoMore) {
  const BinnedDataset data = data_of({2}, {1, 0});
  const Context context = with_threads(1);
  OutlierTracker tracker(data, {.rule = {.cutoff = 1}}, context);
  const std::vector<double> wrong = {0, 1};
  for (int round = 0; round < OutlierTracker::kMaxRounds; ++round) tracker.add_round(wrong);
  EXPECT_EQ(tracker.num_outlier_rounds(0), 65534U);
  EXPECT_EQ(tracker.num_outlier_rounds(1), 65534U);
  EXPECT_TRUE(tracker.is_consistent(0, 1));
  EXPECT_TRUE(tracker.is_consistent(1, 1));
  EXPECT_EQ(message_of([&] { tracker.add_round(wrong); }),
            "outliers can be followed over 65534 rounds at most");
}

}  // namespace
}  // namespace glassrank
