#include "glassrank/data/known_categories.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

using Texts = std::vector<std::string>;

Schema schema_of(Texts categories) {
  Schema schema = Schema::of_features({"colour"});
  schema.set_category(0, std::move(categories));
  return schema;
}

std::string problem(const Texts& wanted, const Texts& data, bool is_used = true) {
  const Texts names = {"colour"};
  WantedFeatures features{.names = names, .num_features = 1};
  if (!wanted.empty()) features.categories = {wanted};
  return message_of([&] {
    require_known_categories(features, schema_of(data), {.columns = {0}}, {.file = "new.csv"},
                             [&](std::uint32_t) { return is_used; });
  });
}

TEST(KnownCategories, AreNamesOnBothSidesOrNumbersOnBoth) {
  EXPECT_EQ(
      problem({}, {"red", "blue", "7"}),
      "new.csv: the categories of 'colour' have names ('red', 'blue', ...), and the model has "
      "numbers there, so that nobody knows which is which; a model keeps the names in native, "
      "lightgbm, xgboost and gam-json files, and data may have the numbers instead");
  EXPECT_EQ(problem({"red"}, {"red", "blue"}), "no error");
  EXPECT_EQ(problem({}, {"12", "7.5", "x"}), "no error");
  EXPECT_EQ(problem({}, {"red"}, false), "no error");
  EXPECT_EQ(problem({}, {}), "no error");
}

TEST(KnownCategories, NumbersInPlaceOfNamesAreAnError) {
  const auto data_of = [](std::vector<float> values) {
    DatasetParts parts{{}, Buffer<float>(values.size())};
    std::ranges::copy(values, parts.features.data());
    parts.schema = Schema::of_features({"colour"});
    parts.grades.assign(values.size(), 0);
    parts.queries = QueryGroups({"1"}, std::vector<std::size_t>{values.size()});
    return Dataset(std::move(parts));
  };
  const Texts names = {"colour"};
  const WantedFeatures wanted{.names = names, .num_features = 1, .categories = {{"red", "blue"}}};
  const auto taken = [&](std::vector<float> values) {
    const Dataset data = data_of(std::move(values));
    return take_columns(data, wanted, {.columns = {0}}, OtherColumns::kDrop, {});
  };
  EXPECT_EQ(message_of([&] { taken({NAN, 1}); }),
            "the model knows the categories of 'colour' by name ('red', 'blue'), and the data has "
            "numbers there (1); give the names");
  EXPECT_TRUE(std::isnan(taken({NAN, NAN}).row(1)[0]));
}

TEST(KnownCategories, OwnCodesAreNoNames) {
  EXPECT_TRUE(are_own_codes(Texts{"0", "1"}));
  EXPECT_FALSE(are_own_codes(Texts{"1", "0"}));
}

}  // namespace
}  // namespace glassrank
