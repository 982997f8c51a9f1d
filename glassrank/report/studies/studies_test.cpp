// The studies as tables and pictures; what they count is tested in glassrank/studies.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "glassrank/report/studies/breakdown_study.h"
#include "glassrank/report/studies/hourglass_study.h"
#include "glassrank/report/studies/leaf_score_study.h"
#include "glassrank/report/studies/outlier_study.h"
#include "glassrank/report/studies/rank_study.h"
#include "glassrank/report/studies/training_studies.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(TsvText, KeepsCellsApart) {
  EXPECT_EQ(tsv_text({.header = {"a", "b"}, .rows = {{"x\ty", "1"}, {"l\nm", "2"}}}),
            "a\tb\nx y\t1\nl m\t2\n");
}

TEST(NumberCell, ReadsBackToTheSameNumber) {
  EXPECT_EQ(number_cell(0.1), "0.1");
  EXPECT_EQ(number_cell(3), "3");
  EXPECT_EQ(number_cell(kNaN), "nan");
}

TEST(EvenRounds, GoFromOneToTheLast) {
  EXPECT_EQ(even_rounds(100, 5), (std::vector<std::size_t>{1, 25, 50, 75, 100}));
  EXPECT_EQ(even_rounds(3, 11), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(even_rounds(1, 2), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(even_rounds(0, 5).empty());
}

OutlierHistory history(std::uint32_t row, bool is_negative, std::uint64_t word,
                       std::size_t num_rounds) {
  OutlierHistory result{.row = row, .is_negative = is_negative, .words = {word}};
  result.first_right = num_rounds + 1;
  for (std::size_t t = num_rounds; t > 0; --t) {
    if (result.after(t)) {
      ++result.num_rounds;
      continue;
    }
    result.first_right = t;
    if (result.last_right == 0) result.last_right = t;
  }
  return result;
}

// Of 4 trees: row 0 always, row 1 after trees 3 and 4, row 2 after trees 1 and 3.
OutlierTrace three_outliers() {
  return {.num_rounds = 4,
          .documents = {history(0, true, 0b1111, 4), history(1, false, 0b1100, 4),
                        history(2, true, 0b0101, 4)}};
}

Dataset three_rows() { return testing::documents_of({3}, {0, 1, 0}, {{0}, {0}, {0}}); }

TEST(OutlierStudy, CountsWindowsByStartAndByEnd) {
  const StudyResult result = outlier_count_study(three_outliers(), 12, 3);
  // Rounds 1, 2, 4. From the start to 4, then from 1 to the end, [1, 4] once.
  EXPECT_EQ(result.shown.rows, (Rows{{"1", "4", "1", "0", "1", "8.33 %"},
                                     {"2", "4", "1", "0", "1", "8.33 %"},
                                     {"4", "4", "1", "1", "2", "16.67 %"},
                                     {"1", "1", "2", "0", "2", "16.67 %"},
                                     {"1", "2", "1", "0", "1", "8.33 %"}}));
  EXPECT_EQ(result.data.rows.size(), 5);
  EXPECT_EQ(result.picture.height, 680);
}

TEST(HourglassStudy, ListsDocumentsByHowOftenTheyAreWrong) {
  const StudyResult result = hourglass_study(three_outliers(), three_rows(), DocumentType::kAll);
  EXPECT_EQ(result.data.rows, (Rows{{"q0", "1", "0", "neg", "4", "1", "0", "1-4"},
                                    {"q0", "3", "0", "neg", "2", "0.5", "4", "1,3"},
                                    {"q0", "2", "1", "pos", "2", "0.5", "2", "3-4"}}));
  EXPECT_EQ(result.shown.rows.back(), (Row{"4", "1", "1", "2"}));
  EXPECT_EQ(result.notes.front(),
            "3 of 3 documents are outliers after some tree, 1 after every one");
}

TEST(HourglassStudy, ShowsOneTypeAndNothing) {
  EXPECT_EQ(hourglass_study(three_outliers(), three_rows(), DocumentType::kPos).data.rows.size(),
            1);
  const StudyResult none =
      hourglass_study({.num_rounds = 4, .documents = {}}, three_rows(), DocumentType::kAll);
  EXPECT_NE(none.picture.body.find("nothing to show"), std::string::npos);
}

TEST(MeanMove, CountsRanksFromTreeToTree) {
  const RankTrace trace{.num_rounds = 3, .ranks = {{0, 2, 2}, {1, 0, 1}, {2, 1, 0}}};
  EXPECT_DOUBLE_EQ(mean_move(trace, {}), 6.0 / 6);
  EXPECT_DOUBLE_EQ(mean_move(trace, {true, false, false}), 1);
  EXPECT_TRUE(std::isnan(mean_move({.num_rounds = 1, .ranks = {{0}}}, {})));
}

TEST(RankStudy, MarksWhatTheFirstModelKeepsLow) {
  const RankTrace steady{.num_rounds = 2, .ranks = {{0, 0}, {1, 1}}};
  const RankTrace swaps{.num_rounds = 2, .ranks = {{0, 1}, {1, 0}}};
  const StudyResult result = rank_study({{"a", steady}, {"b", swaps}}, {1, 0}, {"x", "y"},
                                        {.query = "q", .low = 0.5, .from = 1});
  EXPECT_EQ(result.shown.rows, (Rows{{"a", "2", "2", "0.000", "0.000", "100.0 %"},
                                     {"b", "2", "2", "1.000", "1.000", "0.0 %"}}));
  EXPECT_EQ(result.data.rows.size(), 8);
  EXPECT_EQ(result.data.rows.back(), (Row{"b", "y", "0", "1", "2", "1"}));
  EXPECT_NE(result.picture.body.find("always in the lowest 50 %"), std::string::npos);
}

TEST(LeafScoreStudy, ShowsTreesAndTheirMean) {
  const std::vector<DocumentGroup> groups = {{"P_k", {0, 1}}, {"O-", {}}};
  const StudyResult result =
      leaf_score_study({{"m", {.leaf = {{1, 2}, {kNaN, kNaN}}, .so_far = {{1, 3}, {kNaN, kNaN}}}}},
                       groups, std::vector<std::size_t>{2, 9});
  EXPECT_EQ(result.shown.header, (Row{"tree", "m P_k", "m O-"}));
  EXPECT_EQ(result.shown.rows,
            (Rows{{"2", "2.0000", "-"}, {"9", "-", "-"}, {"mean 1-2", "1.5000", "-"}}));
  EXPECT_EQ(result.data.rows[1], (Row{"m", "2", "P_k", "2", "3"}));
}

TEST(BreakdownStudy, HasARowForEachKindOfQueries) {
  const GroupQuality all{.group = "all", .num_queries = 3, .means = {0.5, 0.6}, .p = {{}, {0.04}}};
  const GroupQuality none{.group = "Q_c", .num_queries = 0, .means = {kNaN, kNaN}, .p = {{}, {}}};
  const StudyResult result = breakdown_study({.metric = "ndcg@10",
                                              .models = {"plain", "cleaned"},
                                              .end = 100,
                                              .all = all,
                                              .windows = {{1, all, none}}});
  EXPECT_EQ(result.shown.header, (Row{"start", "queries", "number", "plain", "cleaned", "p"}));
  EXPECT_EQ(result.shown.rows, (Rows{{"", "all", "3", "0.5000", "0.6000", "0.0400"},
                                     {"1", "all", "3", "0.5000", "0.6000", "0.0400"},
                                     {"1", "Q_c", "0", "-", "-", "-"}}));
}

TEST(InteractionResult, DrawsALineBesideASinglePoint) {
  for (const std::size_t pairs : {0U, 1U, 7U}) {
    const InteractionStudy study{.metric = "ndcg@10",
                                 .num_main_effects = 2,
                                 .points = {{.num_pairs = pairs, .valid = 0.5, .test = 0.6}},
                                 .black_box_valid = 0.7,
                                 .black_box_test = 0.8};
    const StudyResult result = interaction_result(study);
    EXPECT_EQ(result.shown.rows.size(), 1U);
    EXPECT_NE(result.picture.body.find("<circle"), std::string::npos);
    EXPECT_NE(result.picture.body.find("<polyline"), std::string::npos);
  }
}

TEST(NoiseResult, ShowsWhatCleaningFound) {
  NoiseStudy study{.metric = "ndcg@10", .num_queries = 20, .runs = {}, .summaries = {}};
  study.summaries.push_back({.rate = 0.05, .system = "plain", .mean = 0.7, .deviation = kNaN});
  study.summaries.push_back({.rate = 0.05,
                             .system = "sour",
                             .mean = 0.75,
                             .deviation = 0.01,
                             .precision = 0.5,
                             .recall = 0.25,
                             .chance = 0.05,
                             .dropped = 0.02,
                             .p = {.greater = 0.001}});
  const StudyResult result = noise_result(study);
  EXPECT_EQ(
      result.shown.rows,
      (Rows{{"5 %", "plain", "0.7000", "-", "-", "-", "-", "-", "-"},
            {"5 %", "sour", "0.7500", "0.0100", "2.0 %", "50.0 %", "5.0 %", "25.0 %", "0.001"}}));
}

TEST(SamplingResult, ShowsSharesAndTimes) {
  SamplingStudy study{.metric = "ndcg@10", .systems = {}};
  study.systems.push_back({.system = "full",
                           .num_rounds = 2,
                           .num_trees = 2,
                           .share = 1,
                           .seconds_per_tree = 0.02,
                           .seconds = 0.04,
                           .round_shares = {1, 1},
                           .round_seconds = {0.02, 0.02},
                           .curve = {0.5, 0.6},
                           .mean = kNaN});
  study.systems.push_back({.system = "selective",
                           .num_rounds = 1,
                           .num_trees = 1,
                           .share = 0.1,
                           .seconds_per_tree = 0.005,
                           .seconds = 0.005,
                           .round_shares = {0.1},
                           .round_seconds = {0.005},
                           .curve = {0.55},
                           .mean = 0.61});
  const StudyResult result = sampling_result(study);
  EXPECT_EQ(result.shown.rows,
            (Rows{{"full", "100.0 %", "20.00", "1.00", "2", "0.04", "-", "-"},
                  {"selective", "10.0 %", "5.00", "4.00", "1", "0.01", "0.6100", "1.0000"}}));
  EXPECT_EQ(result.data.rows, (Rows{{"full", "1", "1", "0.02", "0.5"},
                                    {"full", "2", "1", "0.02", "0.6"},
                                    {"selective", "1", "0.1", "0.005", "0.55"}}));
}

}  // namespace
}  // namespace glassrank
