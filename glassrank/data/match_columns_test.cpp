#include "glassrank/data/match_columns.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/data/io/svmlight/svmlight.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using Columns = std::vector<std::uint32_t>;
using Names = std::vector<std::string>;
constexpr std::uint32_t kAbsent = ColumnMatch::kAbsent;

Names numbers(int first, int last) {
  Names names;
  for (int i = first; i <= last; ++i) names.push_back(std::to_string(i));
  return names;
}

// Text with these names; sparse or not.
Schema text(const Names& names, bool is_sparse = false) {
  Schema schema = Schema::of_features(names);
  schema.set_padding({.is_sparse = is_sparse});
  return schema;
}

ColumnMatch match(const Names& wanted, const Schema& data, MatchRules rules = {}) {
  rules.file = "F";
  return match_columns({.names = wanted, .num_features = wanted.size()}, data, rules);
}

std::string error_of(const WantedFeatures& wanted, const Schema& data) {
  return message_of([&] { match_columns(wanted, data, {.file = "F"}); });
}

std::string error_of(const Names& wanted, const Schema& data) {
  return error_of({.names = wanted, .num_features = wanted.size()}, data);
}

TEST(MatchColumns, PutsColumnsInOrderByName) {
  const ColumnMatch found = match({"price", "age", "bm25"}, text({"bm25", "price", "x", "age"}));
  EXPECT_EQ(found.columns, (Columns{1, 3, 0}));
  EXPECT_FALSE(found.is_in_place());
  EXPECT_EQ(found.notice,
            "F: columns are matched to those of the model by name; 1 of the data's 4 features are "
            "not in the model");
  EXPECT_TRUE(match({"a", "b"}, text({"a", "b"})).is_in_place());
  EXPECT_EQ(match({"a", "b"}, text({"a", "b"})).notice, "");
  EXPECT_EQ(match({"a", "b"}, text({"a", "b", "c"})).notice,
            "F: 1 of its 3 features are not in the model");
}

TEST(MatchColumns, ReadsBlanksAsLightgbmWritesThem) {
  EXPECT_EQ(match({"unit_price", "age"}, text({"age", "unit price"})).columns, (Columns{1, 0}));
  // What is written so goes first.
  EXPECT_EQ(match({"unit_price", "age"}, text({"unit price", "age", "unit_price"})).columns,
            (Columns{2, 1}));
}

TEST(MatchColumns, RefusesNamesThatTheDataDoesNotHave) {
  EXPECT_EQ(error_of(Names{"a", "b"}, text({"a", "c"})),
            "F does not have 1 of the 2 features of the model: 'b'; columns are matched by name, "
            "--match position takes them in their order");
  EXPECT_EQ(error_of(Names{"a", "b", "c", "d", "e"}, text({"e", "x"})),
            "F does not have 4 of the 5 features of the model: 'a', 'b', 'c' and 1 more; columns "
            "are matched by name, --match position takes them in their order");
  EXPECT_EQ(error_of(Names{"a", "b", "a"}, text({"a", "b", "c"})),
            "'a' is the name of two columns of the model, so that columns cannot be matched by "
            "name; --match position takes them in their order");
}

TEST(MatchColumns, GoesByPlaceWhereOneSideHasNumbersOnlyAndSaysSo) {
  const ColumnMatch numbered = match({"a", "b"}, text(numbers(1, 2)));
  EXPECT_TRUE(numbered.is_in_place());
  EXPECT_FALSE(numbered.is_certain);
  EXPECT_EQ(numbered.notice,
            "F: columns are taken in their order, as the data has no names: feature 1 is 'a', "
            "feature 2 is 'b'");
  const ColumnMatch named = match({"Column_0", "Column_1", "Column_2", "Column_3"},
                                  text({"price", "pages", "age", "year"}));
  EXPECT_TRUE(named.is_in_place());
  EXPECT_FALSE(named.is_certain);
  EXPECT_EQ(named.notice,
            "F: columns are taken in their order, as the model has no names: feature 1 is "
            "'price', feature 2 is 'pages', feature 3 is 'age', ...");
  EXPECT_EQ(match_columns({.num_features = 2}, text({"a", "b"}), {.file = "F"}).notice,
            "F: columns are taken in their order, as the model has no names: feature 1 is 'a', "
            "feature 2 is 'b'");
  EXPECT_EQ(match(numbers(1, 2), text(numbers(1, 2))).notice, "");
  EXPECT_EQ(match_columns({.num_features = 2}, text(numbers(1, 2)), {.file = "F"}).notice, "");
  EXPECT_TRUE(match({"f0", "f1"}, text({"a", "b"})).is_in_place());
}

TEST(MatchColumns, RefusesOtherCounts) {
  const std::string narrow =
      "F has 7 features, the model has 46; give data with the same features, or --match position "
      "to take columns in their order, the last features as absent";
  EXPECT_EQ(error_of(numbers(1, 46), text(numbers(1, 7))), narrow);
  // Sparse text of so few features is other data.
  EXPECT_EQ(error_of(numbers(1, 46), text(numbers(1, 7), true)), narrow);
  EXPECT_EQ(error_of(WantedFeatures{.num_features = 46}, text({"a", "b", "c", "d", "e", "f", "g"})),
            narrow);
  EXPECT_EQ(error_of(numbers(1, 46), text(numbers(1, 136))),
            "F has 136 features, the model has 46; give data with the same features, or --match "
            "position to take columns in their order, the last columns not at all");
}

TEST(MatchColumns, FillsSparseTextUp) {
  const ColumnMatch found = match(numbers(1, 4), text(numbers(1, 2), true));
  EXPECT_EQ(found.columns, (Columns{0, 1, kAbsent, kAbsent}));
  EXPECT_EQ(found.notice, "F has 2 features, the model has 4: the rest count as absent");
  const ColumnMatch wide = match(numbers(1, 2), text(numbers(1, 4), true));
  EXPECT_EQ(wide.columns, (Columns{0, 1}));
  EXPECT_EQ(wide.notice, "F has 4 features, the model has 2: the rest are not used");
  // The training data were sparse.
  const Names names = numbers(1, 3);
  EXPECT_EQ(match_columns({.names = names, .num_features = 3, .is_sparse = true},
                          text(numbers(1, 2)), {.file = "F"})
                .columns,
            (Columns{0, 1, kAbsent}));
}

TEST(MatchColumns, LetsDataHaveMoreThanAModelThatDoesNotKnowAll) {
  const ColumnMatch found =
      match_columns({.num_features = 2, .knows_all = false}, text(numbers(1, 46)), {.file = "F"});
  EXPECT_EQ(found.columns, (Columns{0, 1}));
  EXPECT_EQ(found.notice, "");
  // Numbers of RankLib, names of a table: the order cannot be checked.
  EXPECT_FALSE(
      match_columns({.num_features = 2, .knows_all = false}, text({"a", "b", "c"}), {.file = "F"})
          .is_certain);
}

// As dumps of XGBoost and Solr's models have them.
TEST(MatchColumns, TakesNumbersOfUsedFeaturesAsIds) {
  for (const bool knows_all : {false, true}) {
    const Names names = {"1", "3", "11"};
    const WantedFeatures wanted{.names = names, .num_features = 3, .knows_all = knows_all};
    EXPECT_EQ(match_columns(wanted, text(numbers(1, 46)), {.file = "F"}).columns,
              (Columns{0, 2, 10}));
    EXPECT_EQ(match_columns(wanted, text(numbers(0, 46)), {.file = "F"}).columns,
              (Columns{1, 3, 11}));
    EXPECT_EQ(match_columns(wanted, text(numbers(1, 5), true), {.file = "F"}).columns,
              (Columns{0, 2, kAbsent}));
    EXPECT_EQ(error_of(wanted, text(numbers(1, 5))),
              "F does not have 1 of the 3 features of the model: '11'; columns are matched by "
              "number, --match position takes them in their order");
  }
  // No numbering of columns: neither from 0 nor from 1 throughout.
  EXPECT_EQ(match({"0", "2"}, text(numbers(0, 2))).columns, (Columns{0, 2}));
  const Names first = numbers(1, 2);
  EXPECT_EQ(match_columns({.names = first, .num_features = 2, .knows_all = false},
                          text(numbers(0, 5)), {.file = "F"})
                .columns,
            (Columns{1, 2}));
}

TEST(MatchColumns, RefusesSomeNamesWhereDataHaveNone) {
  const Names names = {"price", "bm25"};
  for (const int width : {2, 3}) {
    EXPECT_EQ(error_of(WantedFeatures{.names = names, .num_features = 2, .knows_all = false},
                       text(numbers(1, width))),
              "F has no names of columns, and the file of the model names only the features that "
              "it uses: 'price', 'bm25'; give data with these names, or --match position to take "
              "the columns in that order");
  }
}

TEST(MatchColumns, KnowsTextThatLightgbmReadItself) {
  const WantedFeatures empty{.num_features = 3, .first = FirstColumn::kEmpty};
  const ColumnMatch found = match_columns(empty, text(numbers(1, 2)), {.file = "F"});
  EXPECT_EQ(found.columns, (Columns{kAbsent, 0, 1}));
  EXPECT_TRUE(found.is_certain);
  EXPECT_EQ(found.notice,
            "F: the model counts the columns of such text from 0 and never uses column 0, so that "
            "its column 1 is feature 1 (--first-feature 1 makes it feature 2)");
  const WantedFeatures unused{.num_features = 3, .first = FirstColumn::kUnused};
  EXPECT_FALSE(match_columns(unused, text(numbers(1, 2)), {.file = "F"}).is_certain);
  // Names that are ids, as we write them into these formats.
  const Names ids = numbers(1, 3);
  const WantedFeatures own{.names = ids, .num_features = 3, .first = FirstColumn::kUnused};
  EXPECT_EQ(match_columns(own, text(numbers(1, 2), true), {.file = "F"}).columns,
            (Columns{0, 1, kAbsent}));
  // As many columns, a user's word, columns with names: nothing to guess.
  EXPECT_TRUE(match_columns(empty, text(numbers(1, 3)), {.file = "F"}).is_in_place());
  EXPECT_EQ(match_columns(empty, text(numbers(1, 2), true), {.file = "F", .is_first_given = true})
                .columns,
            (Columns{0, 1, kAbsent}));
  EXPECT_EQ(error_of(empty, text({"a", "b"})).substr(0, 37),
            "F has 2 features, the model has 3; gi");
  // One more may be missing: it cannot be told.
  EXPECT_EQ(error_of(WantedFeatures{.num_features = 4, .first = FirstColumn::kEmpty},
                     text(numbers(1, 2), true)),
            "F has 2 features, the model has 4 and does not use its first: give --first-feature 0 "
            "if the program that trained it read such text itself (column 1 is feature 1), "
            "--first-feature 1 if it was given arrays (column 0 is feature 1)");
}

TEST(MatchColumns, GoesByNumberWhereOneSideCountsFromZero) {
  const auto ids = [](int first, int last) {
    Schema schema = Schema::of_features(numbers(first, last));
    schema.set_padding({.first_number = static_cast<std::uint32_t>(first), .has_ids = true});
    return schema;
  };
  const ColumnMatch wide = match(numbers(1, 3), ids(0, 3));
  EXPECT_EQ(wide.columns, (Columns{1, 2, 3}));
  EXPECT_EQ(wide.notice, "F counts features from 0, the model from 1: they are matched by number");
  EXPECT_EQ(match(numbers(0, 3), ids(1, 3)).columns, (Columns{kAbsent, 0, 1, 2}));
  const ColumnMatch same = match(numbers(1, 3), text(numbers(0, 2)));
  EXPECT_TRUE(same.is_in_place());
  EXPECT_EQ(same.notice, "F counts features from 0, the model from 1: its feature 0 is taken as 1");
  EXPECT_EQ(error_of(numbers(1, 3), ids(0, 4)),
            "F has 5 features counted from 0, the model has 3 counted from 1; give data with the "
            "same features, or for text --first-feature, the id of its first column");
}

// The header of a frame that was not named: the column it has more may be any of them.
TEST(MatchColumns, RefusesNumbersThatAreNoIds) {
  EXPECT_EQ(error_of(numbers(1, 3), text(numbers(0, 3))),
            "F has 4 features counted from 0, the model has 3 counted from 1; give data with the "
            "same features, or for text --first-feature, the id of its first column");
  EXPECT_NE(error_of(numbers(0, 3), text(numbers(1, 3))), "");
}

TEST(MatchColumns, ByPositionTakesWhatThereIs) {
  const MatchRules rules{.file = {}, .match = MatchColumns::kPosition};
  EXPECT_EQ(match({"a", "b"}, text({"b", "a"}), rules).columns, (Columns{0, 1}));
  EXPECT_EQ(match({"a", "b"}, text({"c"}), rules).columns, (Columns{0, kAbsent}));
  EXPECT_EQ(match({"a"}, text({"c", "d"}), rules).columns, (Columns{0}));
}

Dataset small() { return parse_svmlight("2 qid:1 1:4 2:5\n1 qid:2 1:6 2:7\n", "F", {}, {}); }

TEST(TakeColumns, MovesValuesAndNames) {
  const Names names = {"x", "y", "z"};
  const WantedFeatures wanted{.names = names, .num_features = 3};
  const ColumnMatch found{.columns = {kAbsent, 1, 0}, .notice = {}};
  const Dataset taken = take_columns(small(), wanted, found, OtherColumns::kDrop, {});
  EXPECT_EQ(std::vector<float>(taken.row(1).begin(), taken.row(1).end()),
            (std::vector<float>{0, 7, 6}));
  EXPECT_EQ(Names(taken.feature_names().begin(), taken.feature_names().end()), names);
  EXPECT_EQ(taken.grades()[0], 2);
  EXPECT_EQ(taken.num_queries(), 2U);
}

TEST(TakeColumns, AbsentIsWhatItIsInTheData) {
  const Dataset data = parse_svmlight("1 qid:1 1:4\n", "F", {.absent = AbsentValue::kMissing}, {});
  const ColumnMatch found{.columns = {0, kAbsent}, .notice = {}};
  const Dataset taken =
      take_columns(data, {.names = {}, .num_features = 2}, found, OtherColumns::kDrop, {});
  EXPECT_TRUE(std::isnan(taken.row(0)[1]));
}

TEST(TakeColumns, KeepsTheOthersBehind) {
  const Names names = {"b"};
  const WantedFeatures wanted{.names = names, .num_features = 1};
  const ColumnMatch found{.columns = {1}, .notice = {}};
  const Dataset taken = take_columns(small(), wanted, found, OtherColumns::kKeepBehind, {});
  EXPECT_EQ(std::vector<float>(taken.row(0).begin(), taken.row(0).end()),
            (std::vector<float>{5, 4}));
  EXPECT_EQ(taken.feature_names()[0], "b");
  EXPECT_EQ(taken.feature_names()[1], "1");
}

TEST(TakeColumns, SharesTheMatrixWhereColumnsAreInPlace) {
  const Dataset data = small();
  const Names names = {"a", "b"};
  const ColumnMatch found{.columns = {0, 1}, .notice = {}};
  const Dataset renamed =
      take_columns(data, {.names = names, .num_features = 2}, found, OtherColumns::kDrop, {});
  EXPECT_EQ(renamed.features().data(), data.features().data());
  EXPECT_EQ(renamed.feature_names()[1], "b");
}

TEST(FitTo, GivesExactlyTheFeaturesOfTheTrainingData) {
  const Dataset train = parse_svmlight("1 qid:1 1:1\n0 qid:1 3:1\n", "T", {}, {});
  const Dataset data = parse_svmlight("1 qid:1 1:4\n0 qid:1 2:5\n", "F", {}, {});
  const Dataset fitted = fit_to(features_of(train.schema(), "T"), data, {.file = "F"}, {});
  EXPECT_EQ(fitted.num_features(), 3U);
  EXPECT_EQ(fitted.row(1)[1], 5);
  EXPECT_EQ(fitted.row(1)[2], 0);
  EXPECT_EQ(message_of([&] {
              fit_to(features_of(Schema::of_features({"a", "b"}), "T"), data.with_table([&] {
                RowTable table = data.table();
                table.schema = Schema::of_features({"a", "c"});
                return std::make_shared<const RowTable>(table);
              }()),
                     {.file = "F"}, {});
            }).substr(0, 44),
            "F does not have 1 of the 2 features of T: 'b");
}

TEST(SvmlightText, IsSparseWhenRowsBeginOrEndElsewhere) {
  const auto is_sparse = [](const std::string& rows) {
    return parse_svmlight(rows, "F", {}, {}).schema().padding()->is_sparse;
  };
  EXPECT_FALSE(is_sparse("1 qid:1 1:4 2:5\n0 qid:1 1:0 2:0\n"));
  EXPECT_TRUE(is_sparse("1 qid:1 1:4 2:5\n0 qid:1 1:0\n"));
  EXPECT_TRUE(is_sparse("1 qid:1 1:4 2:5\n0 qid:1 2:0\n"));
  EXPECT_TRUE(is_sparse("1 qid:1 1:4 2:5\n0 qid:1\n"));
}

TEST(SvmlightText, TakesTheFirstFeatureFromTheUser) {
  const std::string rows = "1 qid:1 1:4 2:5\n";
  const Dataset data = parse_svmlight(rows, "F", {.first_feature = FirstFeature::kZero}, {});
  EXPECT_EQ(data.num_features(), 3U);
  EXPECT_EQ(data.row(0)[0], 0);
  EXPECT_EQ(data.row(0)[1], 4);
  EXPECT_EQ(data.feature_names()[0], "0");
  EXPECT_EQ(message_of([] {
              parse_svmlight("1 qid:1 0:4\n", "F", {.first_feature = FirstFeature::kOne}, {});
            }),
            "F: a row has feature 0, and first_feature is 1");
}

}  // namespace
}  // namespace glassrank
