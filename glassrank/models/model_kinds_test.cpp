#include "glassrank/models/model_kinds.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testing/message_of.h"
#include "testing/random_forests.h"
#include "testing/random_gams.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

using Row = std::vector<float>;

Row known(Row row) {
  for (float& value : row) value = std::isnan(value) ? 0 : value;
  return row;
}

// check(model, row) for random models of every kind and rows that tell their cells apart.
template <typename Check>
void for_random_models(Check&& check) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    ForestMaker forests(seed);
    const Forest forest = forests.forest({});
    GamMaker gams(seed);
    const Gam gam = gams.gam({});
    for (int i = 0; i < 10; ++i) {
      check(Model{.body = forest, .provenance = {}}, forests.row(forest));
      check(Model{.body = gam, .provenance = {}}, gams.row(gam));
    }
  }
}

TEST(MissingAsZero, GivesMissingValuesWhatZeroGets) {
  for_random_models([](const Model& model, const Row& row) {
    EXPECT_EQ(score_row(missing_as_zero(model), row), score_row(model, known(row)));
    EXPECT_EQ(score_row(missing_as_zero(model), known(row)), score_row(model, known(row)));
  });
}

TEST(UnusedFirst, ScoresTheSameOneColumnOn) {
  for_random_models([](const Model& model, const Row& row) {
    const Model on = with_unused_first(model);
    Row longer = row;
    longer.insert(longer.begin(), 7.0F);
    EXPECT_EQ(score_row(on, longer), score_row(model, row));
    EXPECT_FALSE(uses_feature(on, 0));
    const Model back = without_first(on);
    EXPECT_EQ(num_features_of(back), num_features_of(model));
    EXPECT_EQ(score_row(back, row), score_row(model, row));
  });
}

TEST(UnusedFirst, KeepsNamesThatAreIds) {
  const Forest plain = require_forest(small_forest(), "test");
  const Forest named({.trees = {plain.trees().begin(), plain.trees().end()},
                      .num_features = 2,
                      .feature_names = {"1", "2"}});
  const Model on = with_unused_first({.body = named, .provenance = {}});
  EXPECT_EQ(feature_names_of(on)[0], "0");
  EXPECT_EQ(feature_names_of(on)[2], "2");
  EXPECT_EQ(feature_names_of(without_first(on))[0], "1");
  // a and b: no names of columns in text.
  EXPECT_TRUE(feature_names_of(with_unused_first(small_forest())).empty());
}

TEST(ForTheirText, CountsColumnsFromZero) {
  for_random_models([](const Model& model, const Row& row) {
    Row longer = row;
    longer.insert(longer.begin(), 7.0F);
    EXPECT_EQ(score_row(for_their_text(model, "lightgbm"), longer), score_row(model, row));
    // What XGBoost does not find in a row is missing there and 0 here.
    for (float& value : longer) value = value == 0 ? std::nanf("") : value;
    EXPECT_EQ(score_row(for_their_text(model, "xgboost"), longer), score_row(model, known(row)));
  });
  // Counted so already.
  const Model from_zero = with_unused_first(small_gam());
  const Forest named({.trees = {}, .num_features = 2, .feature_names = {"0", "1"}});
  EXPECT_EQ(num_features_of(for_their_text({.body = named, .provenance = {}}, "lightgbm")), 2U);
  EXPECT_EQ(num_features_of(from_zero), 4U);
}

TEST(UnusedFirst, IsRefusedWhereItIsUsed) {
  const std::string message = "the model uses its first feature, so that it cannot be left out";
  EXPECT_TRUE(uses_feature(small_forest(), 1));
  EXPECT_FALSE(uses_feature(small_gam(), 0));
  EXPECT_EQ(message_of([] { without_first(without_first(small_forest())); }), message);
}

TEST(WithNumFeatures, AddsColumnsThatTheModelDoesNotLookAt) {
  for_random_models([](const Model& model, const Row& row) {
    if (!feature_names_of(model).empty()) return;
    Row longer = row;
    longer.insert(longer.end(), {7.0F, 8.0F});
    const Model wide = with_num_features(model, num_features_of(model) + 2);
    EXPECT_EQ(num_features_of(wide), num_features_of(model) + 2);
    EXPECT_EQ(score_row(wide, longer), score_row(model, row));
  });
}

TEST(WithNumFeatures, GoesOnCountingNames) {
  const auto widened = [](std::vector<std::string> names) {
    const Forest forest({.trees = {}, .num_features = 2, .feature_names = std::move(names)});
    const auto all = feature_names_of(with_num_features({.body = forest, .provenance = {}}, 4));
    return all.empty() ? "" : all.back();
  };
  EXPECT_EQ(widened({"1", "2"}), "4");
  EXPECT_EQ(widened({"Column_0", "Column_1"}), "Column_3");
  EXPECT_EQ(widened({}), "");
  EXPECT_EQ(message_of([&] { widened({"bm25", "age"}); }),
            "the model knows its features by name, 'bm25' and so on; --num-features is for models "
            "that count them");
}

TEST(WithNumFeatures, TakesNoneAway) {
  const std::size_t own = num_features_of(small_forest());
  EXPECT_EQ(num_features_of(with_num_features(small_forest(), own)), own);
  EXPECT_EQ(message_of([&] { with_num_features(small_forest(), own - 1); }),
            "the model has " + std::to_string(own) + " features; --num-features " +
                std::to_string(own - 1) + " would take some away");
}

}  // namespace
}  // namespace glassrank
