// The studies as tables and pictures; what they count is tested beside them.

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/json.h"
#include "glassrank/report/plots/palette.h"
#include "glassrank/report/study_plots/breakdown_plot.h"
#include "glassrank/report/study_plots/hourglass_plot.h"
#include "glassrank/report/study_plots/interaction_plot.h"
#include "glassrank/report/study_plots/leaf_score_plot.h"
#include "glassrank/report/study_plots/noise_plot.h"
#include "glassrank/report/study_plots/outlier_plot.h"
#include "glassrank/report/study_plots/rank_plot.h"
#include "glassrank/report/study_plots/sampling_plot.h"
#include "testing/study_fixture.h"

namespace glassrank {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Rows shown(const Table& table) {
  Rows rows;
  for (std::size_t r = 0; r < table.rows().size(); ++r) {
    rows.emplace_back();
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
      rows.back().push_back(table.shown(r, c));
    }
  }
  return rows;
}

Row header(const Table& table) {
  Row names;
  for (const Column& column : table.columns()) names.push_back(column.name);
  return names;
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
  const OutlierStudy study = study_outliers(three_outliers(), 12, 3);
  const StudyTables tables = study_tables(study);
  // Rounds 1, 2, 4. From the start to 4, then from 1 to the end, [1, 4] once.
  EXPECT_EQ(shown(tables.shown), (Rows{{"1", "4", "1", "0", "1", "8.33 %"},
                                       {"2", "4", "1", "0", "1", "8.33 %"},
                                       {"4", "4", "1", "1", "2", "16.67 %"},
                                       {"1", "1", "2", "0", "2", "16.67 %"},
                                       {"1", "2", "1", "0", "1", "8.33 %"}}));
  EXPECT_EQ(tables.data.rows().size(), 5);
  EXPECT_GT(study_picture(study).height, 680);  // and how to read them
  EXPECT_EQ(to_json(study)["by_end"][0].dump(),
            R"({"start":1,"end":1,"num_negative":2,"num_positive":0,"num_outliers":2,)"
            R"("share":0.16666666666666666})");
}

TEST(HourglassStudy, ListsDocumentsByHowOftenTheyAreWrong) {
  const Hourglass study = study_hourglass(three_outliers(), three_rows(), DocumentType::kAll);
  const StudyTables tables = study_tables(study);
  EXPECT_EQ(table_tsv(tables.data),
            "query\tdocument\tgrade\ttype\ttrees\tshare\tlast_right\toutlier_after\n"
            "q0\t1\t0\tneg\t4\t1\t0\t1-4\n"
            "q0\t3\t0\tneg\t2\t0.5\t4\t1,3\n"
            "q0\t2\t1\tpos\t2\t0.5\t2\t3-4\n");
  EXPECT_EQ(shown(tables.shown).back(), (Row{"4", "1", "1", "2"}));
  EXPECT_EQ(to_json(study)["documents"][1]["outlier_after"], "1,3");
  EXPECT_EQ(tables.notes.front(),
            "3 of 3 documents are outliers after some tree, 1 after every one");
}

// Orange and blue as on the page.
TEST(HourglassStudy, TellsTooHighFromTooLow) {
  const auto body = [](DocumentType type) {
    return study_picture(study_hourglass(three_outliers(), three_rows(), type)).body;
  };
  const auto cell = [](std::string_view colour) {
    return fmt::format("<path fill=\"{}\"", colour);
  };
  EXPECT_NE(body(DocumentType::kAll).find(cell(kRaises)), std::string::npos);
  EXPECT_NE(body(DocumentType::kAll).find(cell(kLowers)), std::string::npos);
  EXPECT_EQ(body(DocumentType::kNeg).find(cell(kLowers)), std::string::npos);
  EXPECT_EQ(body(DocumentType::kPos).find(cell(kRaises)), std::string::npos);
}

TEST(HourglassStudy, ShowsOneTypeAndNothing) {
  EXPECT_EQ(study_hourglass(three_outliers(), three_rows(), DocumentType::kPos).documents.size(),
            1);
  const Hourglass none =
      study_hourglass({.num_rounds = 4, .documents = {}}, three_rows(), DocumentType::kAll);
  EXPECT_NE(study_picture(none).body.find("nothing to show"), std::string::npos);
}

TEST(MeanMove, CountsRanksFromTreeToTree) {
  const RankTrace trace{.num_rounds = 3, .ranks = {{0, 2, 2}, {1, 0, 1}, {2, 1, 0}}};
  EXPECT_DOUBLE_EQ(mean_move(trace, {}), 6.0 / 6);
  EXPECT_DOUBLE_EQ(mean_move(trace, {true, false, false}), 1);
  EXPECT_TRUE(std::isnan(mean_move({.num_rounds = 1, .ranks = {{0}}}, {})));
}

TEST(RankStudy, MarksWhatTheFirstModelKeepsLow) {
  // Tree 1 lifts the first document, tree 2 the second; the models differ in how much.
  const Dataset data = testing::documents_of({2}, {1, 0}, {{1, 0}, {0, 1}});
  const Forest steady = testing::forest_of({2, 1});
  const Forest swaps = testing::forest_of({1, 2});
  const std::vector<NamedForest> models = {{"a", steady}, {"b", swaps}};
  const RankStudy study = study_ranks(models, data, {.low = 0.5, .from = 1});
  const StudyTables tables = study_tables(study);
  EXPECT_EQ(shown(tables.shown), (Rows{{"a", "2", "2", "0.000", "0.000", "100.0 %"},
                                       {"b", "2", "2", "1.000", "1.000", "0.0 %"}}));
  EXPECT_EQ(tables.data.rows().size(), 8);
  EXPECT_EQ(shown(tables.data).back(), (Row{"b", "2", "0", "1", "2", "1"}));
  EXPECT_EQ(to_json(study)["models"][1]["documents"][1]["ranks"].dump(), "[2,1]");
  EXPECT_NE(study_picture(study).body.find("always in the lowest 50 %"), std::string::npos);
}

TEST(LeafScoreStudy, ShowsTheScoreSoFar) {
  const std::vector<double> none = {kNaN, kNaN};
  const LeafScoreStudy study{
      .shown_trees = {2, 9},
      .num_leaves = 0,
      .cutoff = 10,
      .groups = {{"P_k", 2}, {"O-", 0}, {"N", 0}},
      .models = {{"m", {.leaf = {{1, 2}, none, none}, .so_far = {{1, 3}, none, none}}}}};
  const StudyTables tables = study_tables(study);
  EXPECT_EQ(header(tables.shown), (Row{"tree", "m P_k", "m O-", "m N"}));
  EXPECT_EQ(shown(tables.shown), (Rows{{"2", "3.0000", "-", "-"}, {"9", "-", "-", "-"}}));
  EXPECT_EQ(to_json(study)["models"][0]["groups"][0]["scores_so_far"].dump(), "[1.0,3.0]");
  EXPECT_NE(study_picture(study).body.find("m: relevant at the top (P_k)"), std::string::npos);
}

TEST(BreakdownStudy, HasARowForEachKindOfQueries) {
  const GroupQuality all{.group = "all", .num_queries = 3, .means = {0.5, 0.6}, .p = {{}, {0.04}}};
  const GroupQuality none{.group = "Q_c", .num_queries = 0, .means = {kNaN, kNaN}, .p = {{}, {}}};
  const Breakdown study{.metric = "ndcg@10",
                        .models = {"plain", "cleaned"},
                        .end = 100,
                        .all = all,
                        .windows = {{1, all, none}}};
  const Table table = study_tables(study).shown;
  EXPECT_EQ(header(table), (Row{"start", "queries", "number", "plain", "cleaned", "p"}));
  EXPECT_EQ(shown(table), (Rows{{"", "all", "3", "0.5000", "0.6000", "0.0400"},
                                {"1", "all", "3", "0.5000", "0.6000", "0.0400"},
                                {"1", "Q_c", "0", "-", "-", "-"}}));
  EXPECT_EQ(to_json(study)["windows"][0]["without"].dump(),
            R"({"num_queries":0,"means":[null,null],"p":[1.0,1.0],"p_greater":[1.0,1.0]})");
  EXPECT_NE(study_picture(study).body.find("cleaned on queries with outliers"), std::string::npos);
}

TEST(InteractionResult, DrawsALineBesideASinglePoint) {
  for (const std::size_t pairs : {0U, 1U, 7U}) {
    const InteractionStudy study{.metric = "ndcg@10",
                                 .num_main_effects = 2,
                                 .points = {{.num_pairs = pairs, .valid = 0.5, .test = 0.6}},
                                 .black_box_valid = 0.7,
                                 .black_box_test = 0.8};
    EXPECT_EQ(study_tables(study).shown.rows().size(), 1U);
    const Picture picture = study_picture(study);
    EXPECT_NE(picture.body.find("<circle"), std::string::npos);
    EXPECT_NE(picture.body.find("<polyline"), std::string::npos);
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
  EXPECT_EQ(
      shown(study_tables(study).shown),
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
  const StudyTables tables = study_tables(study);
  EXPECT_EQ(shown(tables.shown),
            (Rows{{"full", "100.0 %", "20.00", "1.00", "2", "0.04", "-", "-"},
                  {"selective", "10.0 %", "5.00", "4.00", "1", "0.01", "0.6100", "1.0000"}}));
  EXPECT_EQ(table_tsv(tables.data),
            "system\tround\tshare\tseconds\tvalid\n"
            "full\t1\t1\t0.02\t0.5\n"
            "full\t2\t1\t0.02\t0.6\n"
            "selective\t1\t0.1\t0.005\t0.55\n");
}

}  // namespace
}  // namespace glassrank
